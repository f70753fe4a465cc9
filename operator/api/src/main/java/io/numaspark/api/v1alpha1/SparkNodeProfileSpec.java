package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;

/** What a platform engineer says about a kind of node. */
@ValidationRule(
    value =
        "self.executor.allowLargeHeap || quantity(self.executor.maxHeap).compareTo(quantity(self.jvm.vendor =="
            + " 'OpenJ9' ? '57Gi' : self.jvm.objectAlignment == 16 ? '65534Mi' : '32766Mi')) <= 0",
    message =
        "spec.executor.maxHeap: above the compressed-oops limit (32766Mi on HotSpot at most, 65534Mi with"
            + " objectAlignment: 16, 57Gi on OpenJ9) every object pointer takes 8 bytes; lower maxHeap (30Gi is best) or"
            + " set spec.executor.allowLargeHeap: true")
public record SparkNodeProfileSpec(
    @Required
        @JsonPropertyDescription(
            "Which nodes this profile describes. A node should match one profile only.")
        LabelSelector nodeSelector,
    @JsonPropertyDescription(
            "What the nodes are expected to be. A node whose topology differs is reported and not used. Every field is"
                + " optional; what is absent is not checked.")
        ExpectedTopology topology,
    @Default("{}")
        @JsonPropertyDescription("How simultaneous multithreading (SMT, Hyper-Threading) is used.")
        SmtSpec smt,
    @Default("{}") @JsonPropertyDescription("The size of one executor.") ExecutorSizing executor,
    @Default("{}") @JsonPropertyDescription("The executors' Java virtual machine.") JvmSpec jvm,
    @Size(max = 16)
        @JsonPropertyDescription(
            "Tolerations that executors of this profile get, for example for the taint that keeps other pods away from"
                + " the pool.")
        List<Toleration> tolerations,
    @Default("{}")
        @JsonPropertyDescription(
            "Hardware prefetchers. Next-line prefetchers made Spark slower in a study of an Ivy Bridge server; what they do"
                + " on another processor has to be measured there.")
        PrefetchSpec prefetch,
    @Default("{}") @JsonPropertyDescription("Memory policy of the nodes' kernels.")
        MemoryPolicySpec memory,
    @Default("{}")
        @JsonPropertyDescription(
            "What gives executors their CPUs: the kubelet or the container runtime.")
        PinningSpec pinning,
    @JsonPropertyDescription("Which SparkTrials may have the nodes for themselves. Absent: none.")
        TrialPermission trials,
    @Size(max = 16)
        @JsonPropertyDescription(
            "Names of the SparkNodeTopology objects that describe the nodes which an autoscaler adds, one for each kind of"
                + " node (0-16). They belong to no node. While no usable node matches the selector, the executor shape is"
                + " planned on one node of each, so that applications start and their executors wait for a node. As soon as"
                + " one usable node matches, they do not count. They never have slots. With at least one name, the slots that"
                + " exist do not bound dynamic allocation. Absent: applications wait until a usable node matches.")
        List<
                @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
                @Size(min = 1, max = 253) String>
            nodeTemplates) {}
