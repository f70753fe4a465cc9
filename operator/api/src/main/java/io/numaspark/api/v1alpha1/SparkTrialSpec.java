package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** What is compared, how often, and what happens to what the application writes. */
@ValidationRule(
    value = "has(self.template.nodeProfile)",
    message =
        "spec.template.nodeProfile: a trial has the nodes of a SparkNodeProfile for itself; name one")
@ValidationRule(
    value = "has(self.study) != has(self.arms)",
    message = "spec: give study or arms, not both")
@ValidationRule(
    value = "!has(self.baseline) || has(self.arms)",
    message = "spec.baseline: a study has its own; remove it, or give arms instead of study")
@ValidationRule(
    value = "!has(self.metric) || self.metric != 'Cost' || has(self.prices)",
    message =
        "spec.prices: metric Cost needs the prices of a CPU and of a GiB for an hour; give both")
@ValidationRule(
    value = "!has(self.arms) || self.arms.all(arm, !(arm.name in ['baseline', 'same', 'delayed']))",
    message = "spec.arms: baseline, same and delayed are names of the trial's own; choose others")
public record SparkTrialSpec(
    @Required
        @JsonPropertyDescription(
            "spec of the SparkApplication that is measured. {{trial}}, {{arm}}, {{round}} and {{run}} in its texts are filled in for"
                + " each run. Its restartPolicy, suspend and timeToLiveSeconds are not used.")
        SparkApplicationSpec template,
    @JsonPropertyDescription(
            "What is compared. Pinning: executors that are pinned, and the same without. ExecutorSize: executors as the profile plans them, and of"
                + " 2, 4 and 8 cores. Smt: a task on each thread of a core, or one on each core. Nursery: a third, half and a quarter of the"
                + " heap for young objects. Shuffle: on disk, in memory, and in pages."
                + " AdaptiveExecutors: all task slots, or as many as the plugin finds useful. Prefetch: next-line prefetchers on and off.")
        Study study,
    @JsonPropertyDescription(
            "What the arms are compared with. Absent: template and profile as they are.")
        Variant baseline,
    @Size(min = 1, max = 6) @JsonPropertyDescription("The variants.") List<Arm> arms,
    @Required
        @JsonPropertyDescription(
            "What happens to what the application writes, because a trial runs it some 30 times. Nothing: it writes nothing, or to"
                + " Spark's noop source. Elsewhere: a text of the template has {{run}}, and each run writes to a place of its own."
                + " Repeatable: running it many times does no harm.")
        Writes writes,
    @Default("Duration")
        @JsonPropertyDescription(
            "What arms are compared by. Duration: time of the driver. ExecutorTime: CPUs of the executors times the time that they are held,"
                + " which differs from Duration if arms have other numbers of executors. Cost: CPUs and memory of driver and executors"
                + " at spec.prices.")
        Metric metric,
    @JsonPropertyDescription("What a CPU and a GiB of memory cost, for metric Cost.") Prices prices,
    @Min(5)
        @Max(30)
        @Default("7")
        @JsonPropertyDescription("Rounds that are to count (5-30); each runs every arm once.")
        Integer rounds,
    @Min(1)
        @Max(50)
        @Default("3")
        @JsonPropertyDescription("The smallest difference that matters, in percent (1-50).")
        Integer minimumEffectPercent,
    @Min(0)
        @Max(100)
        @Default("20")
        @JsonPropertyDescription(
            "By how many percent of a task the tasks of the control `delayed` wait on purpose (0-100); it needs the Spark plugin. 0: the"
                + " trial has no such control, and a trial that finds nothing may be blind.")
        Integer delayPercent,
    @Min(5)
        @Max(2880)
        @Default("240")
        @JsonPropertyDescription(
            "No round begins that is expected to end after so many minutes of runs (5-2880). The profile's spec.trials.maximumMinutes"
                + " holds, too.")
        Integer budgetMinutes,
    @Min(0)
        @Max(4294967295L)
        @JsonPropertyDescription(
            "Decides the order of the arms in each round. Absent: it follows from metadata.uid, and status.seed says it.")
        Long seed,
    @Default("false")
        @JsonPropertyDescription(
            "Stop the run, and let others use the nodes; false continues with the round that was interrupted. May be changed at any time.")
        Boolean suspend,
    @Min(0)
        @Max(31536000)
        @JsonPropertyDescription(
            "Seconds after its end when the trial is deleted, with its result (0-31536000). Absent: never.")
        Long timeToLiveSeconds) {

  /** Studies whose arms are known. */
  public enum Study {
    Pinning,
    ExecutorSize,
    Smt,
    Nursery,
    Shuffle,
    AdaptiveExecutors,
    Prefetch
  }

  /** What arms are compared by. */
  public enum Metric {
    Duration,
    ExecutorTime,
    Cost
  }

  /** Prices in any currency; only ratios count. */
  @ValidationRule(
      value =
          "!has(self.cpuHour) || !has(self.gibibyteHour) || !(self.cpuHour.matches('^[0.]+$') && self.gibibyteHour.matches('^[0.]+$'))",
      message = "spec.prices: if both are 0 nothing has a price; give one that is larger")
  public record Prices(
      @Required
          @Pattern(PRICE)
          @Size(max = 16)
          @JsonPropertyDescription("Of a requested CPU for an hour, such as \"0.04\".")
          String cpuHour,
      @Required
          @Pattern(PRICE)
          @Size(max = 16)
          @JsonPropertyDescription("Of a requested GiB of memory for an hour, such as \"0.005\".")
          String gibibyteHour) {
    private static final String PRICE = "^[0-9]+([.][0-9]+)?$";
  }

  /** What happens to what the application writes. */
  public enum Writes {
    Nothing,
    Elsewhere,
    Repeatable
  }

  /** How template and profile are changed. */
  public record Variant(
      @JsonPropertyDescription(
              "JSON merge patch of the template: fields that are given replace those of the template, null removes one.")
          JsonNode application,
      @JsonPropertyDescription(
              "JSON merge patch of the profile's spec, of the fields that its spec.trials.mayChange has. The profile itself is not written:"
                  + " it is planned so while a run needs it.")
          JsonNode profile) {
    /** Nothing is changed. */
    public static final Variant NONE = new Variant(null, null);
  }

  /** A variant that is compared with the baseline. */
  public record Arm(
      @Required
          @Size(min = 1, max = 16)
          @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
          @JsonPropertyDescription(
              "Unique in the trial: lower case letters, digits and dashes; at most 16.")
          String name,
      @Size(max = 256) @JsonPropertyDescription("What it is, for people who read the result.")
          String description,
      @JsonPropertyDescription("As in baseline.") JsonNode application,
      @JsonPropertyDescription("As in baseline.") JsonNode profile) {
    /** How it changes template and profile. */
    public Variant variant() {
      return new Variant(application, profile);
    }
  }
}
