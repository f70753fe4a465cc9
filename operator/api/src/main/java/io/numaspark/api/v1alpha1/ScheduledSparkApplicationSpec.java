package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** When and what to run, with the field names of kubeflow's v1beta2. */
public record ScheduledSparkApplicationSpec(
    @Required
        @Size(min = 1, max = 256)
        @JsonPropertyDescription(
            "Cron schedule of five fields (minute hour day-of-month month day-of-week), a name such as @hourly, or @every"
                + " DURATION, for example @every 3m.")
        String schedule,
    @Size(min = 1, max = 64)
        @Default("Etc/UTC")
        @JsonPropertyDescription("Time zone of the schedule, for example Europe/Berlin.")
        String timeZone,
    @Required @JsonPropertyDescription("spec of the SparkApplications that are created.")
        SparkApplicationSpec template,
    @Default("false") @JsonPropertyDescription("Start no further runs; runs that exist continue.")
        Boolean suspend,
    @Default("Allow")
        @JsonPropertyDescription(
            "What happens at a time of the schedule while an earlier run has not ended. Allow: both run. Forbid: the new"
                + " one is left out. Replace: the earlier one is deleted.")
        ConcurrencyPolicy concurrencyPolicy,
    @Min(0) @Max(1000) @Default("1") @JsonPropertyDescription("Completed runs to keep (0-1000).")
        Integer successfulRunHistoryLimit,
    @Min(0) @Max(1000) @Default("1") @JsonPropertyDescription("Failed runs to keep (0-1000).")
        Integer failedRunHistoryLimit,
    @Min(1)
        @Max(31536000)
        @JsonPropertyDescription(
            "Seconds after its time in which a missed run is still started (1-31536000). Absent: until the next time.")
        Long startingDeadlineSeconds) {

  /** What happens when runs would overlap. */
  public enum ConcurrencyPolicy {
    Allow,
    Forbid,
    Replace
  }
}
