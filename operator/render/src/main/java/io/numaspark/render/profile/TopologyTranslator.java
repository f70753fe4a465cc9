package io.numaspark.render.profile;

import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.NumaNodeSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.CpuReservation;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import io.numaspark.render.Bounds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** A SparkNodeTopology as the planner takes it. */
public final class TopologyTranslator {
  private static final int LARGEST_ID = 1023;

  private TopologyTranslator() {}

  /**
   * The machine that a topology describes.
   *
   * @throws IllegalArgumentException naming the field and what is wrong, if it describes none that
   *     can be
   */
  public static Machine machine(SparkNodeTopologySpec spec) {
    if (spec == null || spec.numaNodes() == null || spec.numaNodes().isEmpty()) {
      throw new IllegalArgumentException("spec.numaNodes: at least one NUMA node is needed");
    }
    try {
      NodeTopology topology =
          new NodeTopology(spec.numaNodes().stream().map(TopologyTranslator::numaNode).toList());
      return new Machine(topology, kubelet(spec.kubelet()));
    } catch (IllegalArgumentException e) {
      throw within("spec.numaNodes: ", e);
    }
  }

  /** Names the field, unless the message already does. */
  private static IllegalArgumentException within(String field, IllegalArgumentException e) {
    String message = e.getMessage();
    return new IllegalArgumentException(message.startsWith("spec.") ? message : field + message, e);
  }

  private static NumaNode numaNode(NumaNodeSpec spec) {
    String field = "spec.numaNodes[id=" + spec.id() + "]";
    Bounds.within(field + ".id", spec.id(), 0, LARGEST_ID);
    Bounds.within(field + ".socket", spec.socket(), 0, LARGEST_ID);
    Bounds.notNegative(field + ".memory", spec.memory());
    return new NumaNode(
        required(field + ".id", spec.id()),
        required(field + ".socket", spec.socket()),
        required(field + ".memory", spec.memory()),
        hugepageBytes(field, spec.hugepages()),
        Objects.requireNonNullElse(spec.distances(), List.of()),
        cores(field + ".cores", required(field + ".cores", spec.cores())),
        cpuSets(field + ".caches", spec.caches()));
  }

  private static List<Core> cores(String field, List<String> lists) {
    try {
      return cpuSets(field, lists).stream().map(Core::new).toList();
    } catch (IllegalArgumentException e) {
      throw within(field + ": ", e);
    }
  }

  private static List<CpuSet> cpuSets(String field, List<String> lists) {
    try {
      return Objects.requireNonNullElse(lists, List.<String>of()).stream()
          .map(CpuSet::parse)
          .toList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
    }
  }

  private static long hugepageBytes(String field, Map<String, Long> pages) {
    long bytes = 0;
    for (Map.Entry<String, Long> entry :
        Objects.requireNonNullElse(pages, Map.<String, Long>of()).entrySet()) {
      Bounds.notNegative(field + ".hugepages", entry.getValue());
      try {
        bytes +=
            Math.multiplyExact(
                Quantity.getAmountInBytes(Quantity.parse(entry.getKey())).longValue(),
                entry.getValue());
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new IllegalArgumentException(
            field + ".hugepages: '" + entry.getKey() + "' is no page size; write for example 2Mi",
            e);
      }
    }
    return bytes;
  }

  private static KubeletSettings kubelet(KubeletSpec spec) {
    KubeletSpec kubelet =
        Objects.requireNonNullElse(
            spec, new KubeletSpec(null, null, null, null, null, null, null, null));
    try {
      return kubeletSettings(kubelet);
    } catch (IllegalArgumentException e) {
      throw within("spec.kubelet.", e);
    }
  }

  private static KubeletSettings kubeletSettings(KubeletSpec kubelet) {
    return new KubeletSettings(
        CpuManagerPolicy.parse(Objects.requireNonNullElse(kubelet.cpuManagerPolicy(), "none")),
        trueOptions(kubelet.cpuManagerPolicyOptions()),
        TopologyManagerPolicy.parse(
            Objects.requireNonNullElse(kubelet.topologyManagerPolicy(), "none")),
        TopologyManagerScope.parse(
            Objects.requireNonNullElse(kubelet.topologyManagerScope(), "container")),
        MemoryManagerPolicy.parse(
            Objects.requireNonNullElse(kubelet.memoryManagerPolicy(), "None")),
        reservation(kubelet),
        reservedMemory(kubelet.reservedMemory()));
  }

  private static Set<String> trueOptions(Map<String, String> options) {
    return Objects.requireNonNullElse(options, Map.<String, String>of()).entrySet().stream()
        .filter(option -> "true".equals(option.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private static CpuReservation reservation(KubeletSpec kubelet) {
    Bounds.within("spec.kubelet.reservedCpuCount", kubelet.reservedCpuCount(), 0, 1024);
    if (kubelet.reservedCpus() != null && kubelet.reservedCpuCount() != null) {
      throw new IllegalArgumentException(
          "spec.kubelet: reservedCpus and reservedCpuCount are both given; remove one");
    }
    if (kubelet.reservedCpus() != null) {
      return new CpuReservation.Explicit(
          cpuSets("spec.kubelet.reservedCpus", List.of(kubelet.reservedCpus())).get(0));
    }
    if (kubelet.reservedCpuCount() != null && kubelet.reservedCpuCount() > 0) {
      return new CpuReservation.Counted(kubelet.reservedCpuCount());
    }
    return new CpuReservation.None();
  }

  private static Map<Integer, Long> reservedMemory(Map<String, Long> byId) {
    Map<Integer, Long> reserved = new HashMap<>();
    Objects.requireNonNullElse(byId, Map.<String, Long>of())
        .forEach(
            (id, bytes) -> {
              Bounds.notNegative("spec.kubelet.reservedMemory[" + id + "]", bytes);
              try {
                reserved.put(Integer.valueOf(id), bytes);
              } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                    "spec.kubelet.reservedMemory: '"
                        + id
                        + "' is no NUMA node id; write for example \"0\"",
                    e);
              }
            });
    return reserved;
  }

  private static <T> T required(String field, T value) {
    if (value == null) {
      throw new IllegalArgumentException(field + ": is missing");
    }
    return value;
  }
}
