package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;

/** The driver pod. It is never pinned: it stays in the node's shared CPU pool. */
public record DriverSpec(
    @Min(1)
        @Max(1024)
        @Default("1")
        @JsonPropertyDescription("Cores that the driver sees (spark.driver.cores, 1-1024).")
        Integer cores,
    @Pattern(Patterns.CPU)
        @JsonPropertyDescription("CPU request of the pod, for example 500m. Absent: cores.")
        String coreRequest,
    @Pattern(Patterns.CPU) @JsonPropertyDescription("CPU limit of the pod. Absent: none.")
        String coreLimit,
    @Pattern(Patterns.MEMORY)
        @Default("1g")
        @JsonPropertyDescription("JVM heap in Spark's notation (512m, 2g; m is MiB, g is GiB).")
        String memory,
    @Pattern(Patterns.MEMORY)
        @JsonPropertyDescription(
            "Memory outside of the heap. Absent: 10 % of the heap (40 % for Python and R), at least 384m.")
        String memoryOverhead,
    @Size(min = 1, max = 253)
        @JsonPropertyDescription(
            "Service account of the driver; it must be allowed to create executor pods. Absent: the operator's default,"
                + " `spark` as the chart installs it.")
        String serviceAccount,
    @Size(max = 4096)
        @JsonPropertyDescription("Further JVM options (spark.driver.extraJavaOptions).")
        String javaOptions,
    @JsonPropertyDescription("Labels of the pod.") Map<String, String> labels,
    @JsonPropertyDescription("Annotations of the pod.") Map<String, String> annotations,
    @Size(max = 128) @JsonPropertyDescription("Environment of the container.") List<EnvVar> env,
    @JsonPropertyDescription("Node labels that the pod asks for.") Map<String, String> nodeSelector,
    @Size(max = 16) @JsonPropertyDescription("Tolerations of the pod.")
        List<Toleration> tolerations) {}
