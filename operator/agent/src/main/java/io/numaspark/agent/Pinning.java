package io.numaspark.agent;

import io.numaspark.agent.kubelet.KubeletException;
import io.numaspark.agent.kubelet.PodResources;
import io.numaspark.agent.kubelet.PodResourcesClient;
import io.numaspark.agent.proof.CgroupReader;
import io.numaspark.agent.proof.CgroupReading;
import io.numaspark.agent.proof.NodeCpus;
import io.numaspark.agent.proof.Proof;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who has CPUs of its own on the node: what the kubelet says, compared with the kernel.
 *
 * <p>If one of them cannot be asked, nothing is claimed.
 */
final class Pinning {
  private final PodResourcesClient kubelet;
  private final CgroupReader kernel;
  private Proof proof = Proof.start();

  Pinning(PodResourcesClient kubelet, CgroupReader kernel) {
    this.kubelet = kubelet;
    this.kernel = kernel;
  }

  /** What a look has found. */
  sealed interface Look {
    /**
     * Both have told.
     *
     * @param omitted how many containers the list has no room for
     */
    record Seen(CpuSet allocatable, List<ExclusiveContainer> exclusive, int omitted)
        implements Look {}

    /** One of them could not be asked. */
    record Failed(String reason, String message) implements Look {
      Failed(AgentReason reason, String message) {
        this(reason.displayName(), message);
      }
    }
  }

  /** Looks again. */
  Look look(NodeTopology topology, Instant now) {
    CpuSet allocatable;
    List<PodResources> given;
    try {
      allocatable = kubelet.allocatableCpus();
      given = kubelet.list();
    } catch (KubeletException e) {
      proof = Proof.start();
      return new Look.Failed("PodResources" + e.reason(), e.getMessage());
    }
    Map<Integer, CpuSet> byNode = new HashMap<>();
    for (NumaNode numaNode : topology.numaNodes()) {
      byNode.put(numaNode.id(), numaNode.cpus());
    }
    NodeCpus cpus = new NodeCpus(topology.cpus(), allocatable, byNode);
    CgroupReading reading = kernel.read(cpus.sharedPools(given));
    if (reading instanceof CgroupReading.Unavailable unavailable) {
      proof = Proof.start();
      return new Look.Failed(unavailable.reason(), unavailable.message());
    }
    proof = proof.next(cpus, given, ((CgroupReading.Containers) reading).all(), now);
    return new Look.Seen(allocatable, proof.exclusive(), proof.omitted());
  }

  /** To be called when the last look was written. */
  void written() {
    proof = proof.written();
  }
}
