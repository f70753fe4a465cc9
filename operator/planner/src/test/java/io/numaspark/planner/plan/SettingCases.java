package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.plan.Finding.Severity.ERROR;
import static io.numaspark.planner.plan.Finding.Severity.INFO;
import static io.numaspark.planner.plan.Finding.Severity.WARNING;
import static io.numaspark.planner.plan.FindingCases.healthy;
import static io.numaspark.planner.plan.FindingCases.one;
import static io.numaspark.planner.plan.FindingCases.oneNumaNode;
import static io.numaspark.planner.plan.FindingCases.withId;

import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** As {@link FindingCases}: states of the kubelet's policies, options and feature gates. */
final class SettingCases {
  private SettingCases() {}

  static Stream<Arguments> ofSettings() {
    return Stream.of(
        // The policies of the managers.
        one(
            "CPU manager none",
            machine(Topologies.singleSocketNoSmt())
                .reserving("0")
                .with(CpuManagerPolicy.NONE)
                .without(KubeletSettings.FULL_PCPUS_ONLY),
            ERROR,
            "CpuManagerNotStatic",
            "cpuManagerPolicy is none: no container gets exclusive CPUs",
            "cpuManagerPolicy: static"),
        one(
            "topology manager none",
            healthy().with(TopologyManagerPolicy.NONE),
            ERROR,
            "TopologyManagerNotSingleNumaNode",
            "topologyManagerPolicy is none: an executor may get CPUs of several NUMA nodes",
            "topologyManagerPolicy: single-numa-node"),
        one(
            "topology manager best-effort",
            healthy().with(TopologyManagerPolicy.BEST_EFFORT),
            ERROR,
            "TopologyManagerNotSingleNumaNode",
            "topologyManagerPolicy is best-effort: an executor may get CPUs of several NUMA nodes",
            "topologyManagerPolicy: single-numa-node"),
        one(
            "topology manager restricted",
            healthy().with(TopologyManagerPolicy.RESTRICTED),
            WARNING,
            "TopologyManagerNotSingleNumaNode",
            "topologyManagerPolicy is restricted: executors of the plan stay in one NUMA node",
            "topologyManagerPolicy: single-numa-node"),
        one(
            "scope container",
            healthy().with(TopologyManagerScope.CONTAINER),
            WARNING,
            "TopologyManagerScopeNotPod",
            "containers of one pod may land on different NUMA nodes",
            "topologyManagerScope: pod"),
        one(
            "memory manager None",
            healthy().with(MemoryManagerPolicy.NONE),
            WARNING,
            "MemoryManagerNotStatic",
            "memory is local only by first touch",
            "memoryManagerPolicy: Static and reservedMemory"),
        one(
            "no full cores",
            healthy().without(KubeletSettings.FULL_PCPUS_ONLY),
            WARNING,
            "FullPcpusOnlyOff",
            "another pod with an odd number of CPUs can share a core with an executor",
            "full-pcpus-only: \"true\""),
        // Options.
        one(
            "unknown option",
            healthy().with("full-cpus-only"),
            ERROR,
            "KubeletOptionInvalid",
            "spec.kubelet.cpuManagerPolicyOptions.full-cpus-only: the kubelet knows no such option, so the kubelet does not start",
            "there are align-by-socket, distribute-cpus-across-cores"),
        one(
            "options of the CPU manager none",
            healthy().with(CpuManagerPolicy.NONE),
            List.of(ERROR, ERROR),
            "KubeletOptionInvalid",
            "spec.kubelet.cpuManagerPolicyOptions: the CPU manager policy none takes no options",
            "cpuManagerPolicy: static"),
        one(
            "unknown feature gate",
            healthy().withFeatureGate("CPUManagerPolicyGammaOptions"),
            ERROR,
            "KubeletOptionInvalid",
            "spec.kubelet.featureGates.CPUManagerPolicyGammaOptions: the kubelet knows no such feature gate in Kubernetes 1.37",
            "there are CPUManagerPolicyAlphaOptions, "),
        one(
            "a version before the oldest one that is modelled",
            healthy().withKubelet("1.31"),
            WARNING,
            "KubeletNotCovered",
            "predictions for kubelet 1.31 are those of 1.32, the oldest that is modelled",
            "upgrade the node"),
        one(
            "a version after the newest one that is modelled",
            healthy().withKubelet("1.99"),
            WARNING,
            "KubeletNotCovered",
            "predictions for kubelet 1.99 are those of 1.37, the newest that is modelled",
            "docs/kubernetes-versions.md"),
        one(
            "an option that needed a gate in that version",
            healthy().withKubelet("1.33").with("prefer-align-cpus-by-uncorecache"),
            ERROR,
            "OptionNeedsFeatureGate",
            "prefer-align-cpus-by-uncorecache: the option needs the feature gate CPUManagerPolicyAlphaOptions",
            "CPUManagerPolicyAlphaOptions: true"),
        one(
            "a feature gate that cannot be switched off",
            healthy().withKubelet("1.36").withFeatureGate("CPUManagerPolicyOptions", false),
            ERROR,
            "KubeletOptionInvalid",
            "featureGates.CPUManagerPolicyOptions: the kubelet of Kubernetes 1.36 does not let it be switched off",
            "remove it"),
        one(
            "gate that is not covered",
            healthy().withFeatureGate("PodLevelResourceManagers"),
            ERROR,
            "KubeletNotCovered",
            "spec.kubelet.featureGates.PodLevelResourceManagers: this gate is on, and what the kubelet of Kubernetes 1.37 then does is not covered",
            "switch it off"),
        one(
            "preference for near NUMA nodes without distances",
            machine(withId(Topologies.dualSocketHt(), 1, 8))
                .reserving("0,16")
                .with(TopologyManagerPolicy.RESTRICTED)
                .withTopologyOption("prefer-closest-numa-nodes", "true"),
            List.of(ERROR, WARNING),
            "KubeletOptionInvalid",
            "spec.numaNodes[id=8].distances: prefer-closest-numa-nodes needs the distances of every NUMA node",
            "remove the option"),
        one(
            "distribution and cache alignment",
            healthy().with("prefer-align-cpus-by-uncorecache").with("distribute-cpus-across-numa"),
            List.of(ERROR, INFO),
            "CpuManagerOptionsConflict",
            "prefer-align-cpus-by-uncorecache and distribute-cpus-across-numa exclude each other",
            "remove distribute-cpus-across-numa"),
        one(
            "distribution over cores and full cores",
            healthy()
                .with("distribute-cpus-across-cores")
                .withFeatureGate("CPUManagerPolicyAlphaOptions"),
            ERROR,
            "CpuManagerOptionsConflict",
            "full-pcpus-only and distribute-cpus-across-cores exclude each other",
            "remove distribute-cpus-across-cores"),
        one(
            "align-by-socket with single-numa-node",
            healthy().with("align-by-socket").withFeatureGate("CPUManagerPolicyAlphaOptions"),
            ERROR,
            "CpuManagerOptionsConflict",
            "align-by-socket and the topologyManagerPolicy single-numa-node exclude each other",
            "remove the option"),
        one(
            "option with a value that is none",
            healthy().with("strict-cpu-reservation", "yes"),
            ERROR,
            "KubeletOptionInvalid",
            "cpuManagerPolicyOptions.strict-cpu-reservation: 'yes' is neither true nor false",
            "write \"true\" or \"false\""),
        one(
            "unknown option of the topology manager",
            healthy().withTopologyOption("prefer-far-numa-nodes", "true"),
            ERROR,
            "KubeletOptionInvalid",
            "topologyManagerPolicyOptions.prefer-far-numa-nodes: the kubelet knows no such option",
            "there are max-allowable-numa-nodes, prefer-closest-numa-nodes"),
        one(
            "fewer NUMA nodes allowed than the kubelet lets one",
            healthy().withTopologyOption("max-allowable-numa-nodes", "4"),
            ERROR,
            "KubeletOptionInvalid",
            "max-allowable-numa-nodes: '4' is not a whole number of at least 8",
            "write for example"),
        one(
            "alpha option without its gate",
            oneNumaNode().with(TopologyManagerPolicy.NONE).with("align-by-socket"),
            ERROR,
            "OptionNeedsFeatureGate",
            "align-by-socket: the option needs the feature gate CPUManagerPolicyAlphaOptions",
            "CPUManagerPolicyAlphaOptions: true"),
        one(
            "preference that single-numa-node ignores",
            healthy().withTopologyOption("prefer-closest-numa-nodes", "true"),
            INFO,
            "OptionWithoutEffect",
            "prefer-closest-numa-nodes does nothing with single-numa-node",
            "remove it"),
        one(
            "option without effect",
            healthy().with("distribute-cpus-across-numa"),
            INFO,
            "OptionWithoutEffect",
            "distribute-cpus-across-numa does nothing for executors",
            "remove it"),
        one(
            "split last-level cache",
            machine(Topologies.epycNps4()).reserving("0,192"),
            INFO,
            "UncoreCacheNotAligned",
            "NUMA node 0 has 3 last-level caches",
            "prefer-align-cpus-by-uncorecache: \"true\""),
        one(
            "split last-level cache under a kubelet that needs a gate for the option",
            machine(Topologies.epycNps4()).reserving("0,192").withKubelet("1.33"),
            INFO,
            "UncoreCacheNotAligned",
            "NUMA node 0 has 3 last-level caches",
            "in the kubelet configuration, with featureGates: {CPUManagerPolicyAlphaOptions: true}"));
  }
}
