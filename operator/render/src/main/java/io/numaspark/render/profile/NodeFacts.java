package io.numaspark.render.profile;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeSystemInfo;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.planner.topology.KubeletVersion;
import java.util.Objects;
import java.util.Optional;

/**
 * What the Node object says of a node beside its topology: the kubelet's version, and the memory
 * that it keeps from pods.
 *
 * <p>Limit: where no Node object is known, the topology itself has to say both.
 */
public final class NodeFacts {
  private NodeFacts() {}

  /** The minor version that a node's kubelet has reported; empty if it reported none. */
  public static Optional<KubeletVersion> kubeletVersion(Node node) {
    return Optional.ofNullable(node.getStatus())
        .map(NodeStatus::getNodeInfo)
        .map(NodeSystemInfo::getKubeletVersion)
        .flatMap(KubeletVersion::parse);
  }

  /**
   * The same topology with what the node says. The node's version counts more than one in the
   * topology, which may be older than the last upgrade.
   */
  public static SparkNodeTopology known(SparkNodeTopology topology, Node node) {
    SparkNodeTopology known = NodeMemory.known(topology, node);
    Optional<String> version = kubeletVersion(node).map(KubeletVersion::toString);
    if (known.getSpec() == null || version.isEmpty()) {
      return known;
    }
    KubeletSpec kubelet =
        Objects.requireNonNullElse(known.getSpec().kubelet(), KubeletSpec.UNKNOWN);
    SparkNodeTopology versioned = new SparkNodeTopology();
    versioned.setMetadata(known.getMetadata());
    versioned.setSpec(known.getSpec().withKubelet(kubelet.withVersion(version.get())));
    versioned.setStatus(known.getStatus());
    return versioned;
  }
}
