package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** What a schedule has started, with the field names of kubeflow's v1beta2. */
public record ScheduledSparkApplicationStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription("Scheduled, Suspended or FailedValidation.") String scheduleState,
    @JsonPropertyDescription("Why the schedule cannot be followed.") String reason,
    @JsonPropertyDescription("Time of the schedule that the last run was started for.")
        String lastRun,
    @JsonPropertyDescription("Name of the last run.") String lastRunName,
    @JsonPropertyDescription("Next time of the schedule.") String nextRun,
    @JsonPropertyDescription("Runs that have not ended, the newest first; at most 50.")
        List<String> activeRunNames,
    @JsonPropertyDescription("Completed runs that are kept, the newest first.")
        List<String> pastSuccessfulRunNames,
    @JsonPropertyDescription("Failed runs that are kept, the newest first.")
        List<String> pastFailedRunNames,
    @JsonPropertyDescription(
            "Ready: the schedule is followed. Reconciling: it is not Ready, and the operator continues by itself. Stalled: it is not"
                + " Ready, and somebody has to change something.")
        List<Condition> conditions) {}
