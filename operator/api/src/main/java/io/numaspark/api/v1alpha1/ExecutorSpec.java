package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;

/** The executors; with a node profile instances, cores and memory say the total that is wanted. */
@ValidationRule(
    value = "!(has(self.nodes) && has(self.instances))",
    message = "spec.executor: give instances or nodes, not both")
public record ExecutorSpec(
    @Min(1)
        @Max(100000)
        @JsonPropertyDescription(
            "Number of executors (1-100000). With nodeProfile the total instances x cores and instances x memory is split"
                + " again into executors of the profile's shape. Absent: 1, unless nodes is given.")
        Integer instances,
    @Min(1)
        @Max(1024)
        @JsonPropertyDescription(
            "Tasks that one executor runs at once (spark.executor.cores, 1-1024). Absent: with nodeProfile the task slots"
                + " of the profile's shape, else 1.")
        Integer cores,
    @Pattern(Patterns.MEMORY)
        @JsonPropertyDescription(
            "JVM heap of one executor in Spark's notation (512m, 8g). Absent: with nodeProfile the heap of the profile's"
                + " shape, else 1g.")
        String memory,
    @Min(1)
        @Max(10000)
        @JsonPropertyDescription(
            "With nodeProfile: number of whole nodes (1-10000); every executor slot of that many nodes is asked for.")
        Integer nodes,
    @Pattern(Patterns.CPU)
        @JsonPropertyDescription("CPU request of an unpinned executor pod. Absent: cores.")
        String coreRequest,
    @Pattern(Patterns.CPU)
        @JsonPropertyDescription("CPU limit of an unpinned executor pod. Absent: none.")
        String coreLimit,
    @Pattern(Patterns.MEMORY)
        @JsonPropertyDescription(
            "Memory outside of the heap of an unpinned executor. Absent: Spark's default.")
        String memoryOverhead,
    @Size(max = 4096)
        @JsonPropertyDescription(
            "Further JVM options (spark.executor.extraJavaOptions), put after those that numaspark chooses.")
        String javaOptions,
    @Default("true") @JsonPropertyDescription("Delete the pods of executors that have ended.")
        Boolean deleteOnTermination,
    @JsonPropertyDescription("Labels of the pods.") Map<String, String> labels,
    @JsonPropertyDescription("Annotations of the pods.") Map<String, String> annotations,
    @Size(max = 128) @JsonPropertyDescription("Environment of the containers.") List<EnvVar> env,
    @JsonPropertyDescription("Node labels that the pods ask for, in addition to the profile's.")
        Map<String, String> nodeSelector,
    @Size(max = 16)
        @JsonPropertyDescription("Tolerations of the pods, in addition to the profile's.")
        List<Toleration> tolerations) {}
