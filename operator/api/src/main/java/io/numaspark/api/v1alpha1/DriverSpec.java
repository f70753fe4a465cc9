package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HostAlias;
import io.fabric8.kubernetes.api.model.PodDNSConfig;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Map;

/** The driver pod. It is never pinned: it stays in the node's shared CPU pool. */
public record DriverSpec(
    @Size(min = 1, max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
        @JsonPropertyDescription(
            "Name of the pod. Absent: NAME-driver. Later attempts append their number.")
        String podName,
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
        @JsonPropertyDescription(
            "JVM heap in Spark's notation (512m, 2g; m is MiB, g is GiB). Absent: 1g.")
        String memory,
    @Pattern(Patterns.MEMORY)
        @JsonPropertyDescription(
            "Memory limit of the pod, if it is to differ from its request. Absent: the request.")
        String memoryLimit,
    @Pattern(Patterns.MEMORY)
        @JsonPropertyDescription(
            "Memory outside of the heap. Absent: 10 % of the heap (40 % for Python and R), at least 384m.")
        String memoryOverhead,
    @JsonPropertyDescription("Devices of the pod.") Gpu gpu,
    @Size(min = 1, max = 253)
        @JsonPropertyDescription(
            "Service account of the driver; it must be allowed to create executor pods. Absent: the operator's default,"
                + " `spark` as the chart installs it.")
        String serviceAccount,
    @Size(max = 16384)
        @JsonPropertyDescription("Further JVM options (spark.driver.extraJavaOptions).")
        String javaOptions,
    @Size(min = 1, max = 1024)
        @JsonPropertyDescription(
            "URL of the API server for the driver (spark.kubernetes.driver.master). Absent: https://kubernetes.default.svc.")
        String kubernetesMaster,
    @JsonPropertyDescription("Labels of the driver's headless Service.")
        Map<String, String> serviceLabels,
    @JsonPropertyDescription("Annotations of the driver's headless Service.")
        Map<String, String> serviceAnnotations,
    @Size(min = 1, max = 1024) @JsonPropertyDescription("Image of the pod. Absent: spec.image.")
        String image,
    @JsonPropertyDescription("Labels of the pod.") Map<String, String> labels,
    @JsonPropertyDescription("Annotations of the pod.") Map<String, String> annotations,
    @Size(max = 128) @JsonPropertyDescription("Environment of the Spark container.")
        List<EnvVar> env,
    @JsonPropertyDescription("Environment by name and value; an older form of env.")
        Map<String, String> envVars,
    @Size(max = 64)
        @JsonPropertyDescription("ConfigMaps and Secrets whose keys become environment.")
        List<EnvFromSource> envFrom,
    @JsonPropertyDescription("Environment from keys of Secrets; an older form of env.")
        Map<String, NameKey> envSecretKeyRefs,
    @Size(max = 64) @JsonPropertyDescription("ConfigMaps to mount.") List<NamePath> configMaps,
    @Size(max = 64) @JsonPropertyDescription("Secrets to mount.") List<SecretMount> secrets,
    @Size(max = 128)
        @JsonPropertyDescription(
            "Where spec.volumes are mounted in the Spark container. A volume called spark-local-dir-NAME becomes a local"
                + " folder of Spark.")
        List<VolumeMount> volumeMounts,
    @JsonPropertyDescription("Node labels that the pod requires.") Map<String, String> nodeSelector,
    @Size(max = 64) @JsonPropertyDescription("Tolerations of the pod.")
        List<Toleration> tolerations,
    @JsonPropertyDescription("Affinity of the pod (core/v1 Affinity).") JsonNode affinity,
    @Size(min = 1, max = 253)
        @JsonPropertyDescription("Scheduler of the pod. Absent: the cluster's default.")
        String schedulerName,
    @Size(min = 1, max = 253) @JsonPropertyDescription("Priority class of the pod.")
        String priorityClassName,
    @JsonPropertyDescription("Security context of the pod (core/v1 PodSecurityContext).")
        JsonNode podSecurityContext,
    @JsonPropertyDescription("Security context of the Spark container (core/v1 SecurityContext).")
        JsonNode securityContext,
    @Size(max = 16) @JsonPropertyDescription("Further containers (core/v1 Container).")
        List<JsonNode> sidecars,
    @Size(max = 16)
        @JsonPropertyDescription(
            "Containers that run before the Spark container (core/v1 Container).")
        List<JsonNode> initContainers,
    @JsonPropertyDescription("Hooks of the Spark container (core/v1 Lifecycle).")
        JsonNode lifecycle,
    @Size(max = 32) @JsonPropertyDescription("Further ports of the Spark container.")
        List<PortFields> ports,
    @JsonPropertyDescription("Use the node's network.") Boolean hostNetwork,
    @JsonPropertyDescription("DNS settings of the pod.") PodDNSConfig dnsConfig,
    @Size(max = 64) @JsonPropertyDescription("Further lines of /etc/hosts.")
        List<HostAlias> hostAliases,
    @JsonPropertyDescription("Let the pod's containers see each other's processes.")
        Boolean shareProcessNamespace,
    @Min(0) @JsonPropertyDescription("Seconds that the pod has to end (0 or more).")
        Long terminationGracePeriodSeconds,
    @JsonPropertyDescription(
            "Pod template (core/v1 PodTemplateSpec); the Spark container is called spark-kubernetes-driver. The typed fields win over it.")
        JsonNode template)
    implements PodFields {}
