package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/** Settings for a batch scheduler. */
public record BatchSchedulerOptions(
    @Size(min = 1, max = 253) @JsonPropertyDescription("Queue of the application.") String queue,
    @Size(min = 1, max = 253)
        @JsonPropertyDescription("Priority class of the PodGroup, and of pods that name none.")
        String priorityClassName,
    @JsonPropertyDescription(
            "Resources that must be free before the driver is started, for volcano and the coscheduling plugin. Absent:"
                + " those of driver and executors, with overheads.")
        Map<String, Quantity> resources,
    @Min(1)
        @JsonPropertyDescription(
            "Executors that are placed all or none, with batchScheduler: workload. Absent: all, or with dynamic"
                + " allocation its minimum. Other schedulers do not use it: the driver is their only member.")
        Integer minMember) {}
