package io.numaspark.render.profile;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Memory that a node's kubelet keeps from pods, as the node's status tells it.
 *
 * <p>Limit: it is used where no kubelet pins. A kubelet that pins counts by its own settings, which
 * the topology has.
 */
public final class NodeMemory {
  private static final String MEMORY = "memory";
  private static final String HUGEPAGES = "hugepages-";

  private NodeMemory() {}

  /** Whether a quantity of a node's status is read here. */
  public static boolean concerns(String resource) {
    return resource.equals(MEMORY) || resource.startsWith(HUGEPAGES);
  }

  /** The same topology, which says how much memory pods do not get, if the node tells. */
  public static SparkNodeTopology known(SparkNodeTopology topology, Node node) {
    if (topology.getSpec() == null) {
      return topology;
    }
    KubeletSpec kubelet =
        Objects.requireNonNullElse(topology.getSpec().kubelet(), KubeletSpec.UNKNOWN);
    Optional<Long> kept = kept(node);
    if (kept.isEmpty()
        || "static".equals(kubelet.cpuManagerPolicy())
        || kubelet.reservedMemory() != null
        || kubelet.reservedMemoryTotal() != null) {
      return topology;
    }
    SparkNodeTopology known = new SparkNodeTopology();
    known.setMetadata(topology.getMetadata());
    known.setSpec(
        topology.getSpec().withKubelet(kubelet.withReservedMemoryTotal(kept.orElseThrow())));
    known.setStatus(topology.getStatus());
    return known;
  }

  /** Capacity less allocatable, without huge pages, which the topology has. */
  static Optional<Long> kept(Node node) {
    if (node.getStatus() == null
        || node.getStatus().getCapacity() == null
        || node.getStatus().getAllocatable() == null) {
      return Optional.empty();
    }
    Map<String, Quantity> capacity = node.getStatus().getCapacity();
    Quantity all = capacity.get(MEMORY);
    Quantity pods = node.getStatus().getAllocatable().get(MEMORY);
    if (all == null || pods == null) {
      return Optional.empty();
    }
    BigDecimal kept = bytes(all).subtract(bytes(pods));
    for (Map.Entry<String, Quantity> entry : capacity.entrySet()) {
      if (entry.getKey().startsWith(HUGEPAGES)) {
        kept = kept.subtract(bytes(entry.getValue()));
      }
    }
    return Optional.of(kept.max(BigDecimal.ZERO).longValue());
  }

  private static BigDecimal bytes(Quantity quantity) {
    return Quantity.getAmountInBytes(quantity);
  }
}
