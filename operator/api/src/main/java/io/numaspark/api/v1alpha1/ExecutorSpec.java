package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HostAlias;
import io.fabric8.kubernetes.api.model.PodDNSConfig;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.VolumeMount;
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
                + " again into executors of the profile's shape, unless sizing is Exact. Absent: 1, unless nodes is given.")
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
            "With nodeProfile: number of whole nodes (1-10000); every executor slot of that many nodes is requested.")
        Integer nodes,
    @Default("Split")
        @JsonPropertyDescription(
            "With nodeProfile. Split: the total is split again into executors of the profile's shape. Exact: executors keep"
                + " cores and memory as given, and are refused if no NUMA node of the profile can hold one.")
        Sizing sizing,
    @JsonPropertyDescription(
            "Packed: fill a node before the next, so that shuffles stay on it. Spread: even out over nodes. Absent: Packed"
                + " with nodeProfile, else as the scheduler likes.")
        Placement placement,
    @Pattern(Patterns.CPU)
        @JsonPropertyDescription(
            "CPU request of an unpinned executor pod. Absent: cores. Not used with nodeProfile.")
        String coreRequest,
    @Pattern(Patterns.CPU)
        @JsonPropertyDescription(
            "CPU limit of an unpinned executor pod. Absent: none. Not used with nodeProfile.")
        String coreLimit,
    @Pattern(Patterns.MEMORY)
        @JsonPropertyDescription(
            "Memory limit of an unpinned executor pod, if it is to differ from its request. Not used with nodeProfile.")
        String memoryLimit,
    @Pattern(Patterns.MEMORY)
        @JsonPropertyDescription(
            "Memory outside of the heap of an unpinned executor. Absent: Spark's default. With nodeProfile used only if"
                + " sizing is Exact.")
        String memoryOverhead,
    @JsonPropertyDescription("Devices of each pod.") Gpu gpu,
    @Size(min = 1, max = 253)
        @JsonPropertyDescription(
            "Service account of the executors. Absent: the driver's, as in Spark.")
        String serviceAccount,
    @Size(max = 16384)
        @JsonPropertyDescription(
            "Further JVM options (spark.executor.extraJavaOptions), put after those that numaspark chooses.")
        String javaOptions,
    @Default("true") @JsonPropertyDescription("Delete the pods of executors that have ended.")
        Boolean deleteOnTermination,
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
    @JsonPropertyDescription("Node labels that the pods require, in addition to the profile's.")
        Map<String, String> nodeSelector,
    @Size(max = 64)
        @JsonPropertyDescription("Tolerations of the pods, in addition to the profile's.")
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
    @Size(max = 16)
        @JsonPropertyDescription(
            "Further containers (core/v1 Container); not with nodeProfile, as they take the executor out of its slot.")
        List<JsonNode> sidecars,
    @Size(max = 16)
        @JsonPropertyDescription(
            "Containers that run before the Spark container (core/v1 Container); not with nodeProfile.")
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
            "Pod template (core/v1 PodTemplateSpec); the Spark container is called spark-kubernetes-executor. The typed fields win over it.")
        JsonNode template)
    implements PodFields {

  /** How a profile's shape and an application's wishes meet. */
  public enum Sizing {
    Split,
    Exact
  }

  /** Where the scheduler prefers to put executors. */
  public enum Placement {
    Packed,
    Spread
  }
}
