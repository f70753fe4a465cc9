package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.NumaNodeSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.planner.admission.ReservedCpus;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.CpuReservation;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Hardware;
import io.numaspark.planner.topology.HugepageSize;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.KubeletSettings.CpuManager;
import io.numaspark.planner.topology.KubeletSettings.MemoryManager;
import io.numaspark.planner.topology.KubeletSettings.TopologyManager;
import io.numaspark.planner.topology.KubeletVersion;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import io.numaspark.render.text.KubernetesQuantity;
import io.numaspark.schema.CustomResourceSchema;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** A SparkNodeTopology as the planner takes it. */
public final class TopologyTranslator {
  private static final long SHARE_STEP = 64L << 20;

  private TopologyTranslator() {}

  /**
   * The machine that a topology describes.
   *
   * @throws IllegalArgumentException naming the field and what is wrong, if its schema does not
   *     admit it or it describes no machine that can be
   */
  public static Machine machine(SparkNodeTopologySpec topologySpec) {
    SparkNodeTopologySpec spec =
        CustomResourceSchema.of(SparkNodeTopology.class)
            .admitted(topologySpec, SparkNodeTopologySpec.class);
    return within(
        "spec.numaNodes: ",
        () -> {
          NodeTopology topology =
              new NodeTopology(
                  spec.numaNodes().stream().map(TopologyTranslator::numaNode).toList());
          return new Machine(topology, kubelet(spec.kubelet(), topology));
        });
  }

  /** What a topology says of a node beside its CPUs; empty if it says nothing. */
  public static Optional<Hardware> hardware(SparkNodeTopologySpec spec) {
    return Optional.ofNullable(spec.system())
        .map(
            system ->
                new Hardware(
                    Optional.ofNullable(system.memorySpeed()),
                    Optional.ofNullable(system.memoryRatedSpeed())));
  }

  /** What is wrong with a field that is known; whoever catches it has no better one to name. */
  private static final class FieldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    FieldException(String field, String problem, Exception cause) {
      super(field + problem, cause);
    }
  }

  /** Names the field, unless a part of it is named already. */
  private static IllegalArgumentException within(String field, IllegalArgumentException e) {
    return e instanceof FieldException ? e : new FieldException(field, e.getMessage(), e);
  }

  private static <T> T within(String field, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw within(field, e);
    }
  }

  private static NumaNode numaNode(NumaNodeSpec spec) {
    String field = "spec.numaNodes[id=" + spec.id() + "]";
    return new NumaNode(
        spec.id(),
        spec.socket(),
        spec.memory(),
        hugepageBytes(field + ".hugepages", spec.hugepages()),
        Objects.requireNonNullElse(spec.distances(), List.of()),
        cores(field + ".cores", spec.cores()),
        cpuSets(field + ".caches", spec.caches()));
  }

  private static List<Core> cores(String field, List<String> lists) {
    return within(field + ": ", () -> cpuSets(field, lists).stream().map(Core::new).toList());
  }

  private static List<CpuSet> cpuSets(String field, List<String> lists) {
    return within(
        field + ": ",
        () ->
            Objects.requireNonNullElse(lists, List.<String>of()).stream()
                .map(CpuSet::parse)
                .toList());
  }

  private static SortedMap<String, Long> hugepageBytes(String field, Map<String, Long> pages) {
    SortedMap<String, Long> bytes = new TreeMap<>();
    sorted(pages)
        .forEach(
            (size, count) -> {
              notNegative(field, count);
              String canonical = pageSize(field, size);
              try {
                bytes.merge(
                    canonical,
                    Math.multiplyExact(HugepageSize.bytes(canonical), count),
                    Math::addExact);
              } catch (ArithmeticException e) {
                throw new FieldException(
                    field,
                    ": " + count + " pages of " + size + " are more than any machine has",
                    e);
              }
            });
    return bytes;
  }

  /** A page size as Kubernetes writes it in hugepages-SIZE: 2Mi, not 2048Ki. */
  private static String pageSize(String field, String size) {
    try {
      long bytes = KubernetesQuantity.parse(size).longValueExact();
      if (Long.bitCount(bytes) == 1) {
        return HugepageSize.canonical(bytes);
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      // Told below like every other size that is none.
    }
    throw new FieldException(
        field, ": '" + size + "' is not a page size; write for example 2Mi", null);
  }

  private static KubeletSettings kubelet(KubeletSpec kubelet, NodeTopology topology) {
    try {
      return new KubeletSettings(
          new CpuManager(
              CpuManagerPolicy.parse(kubelet.cpuManagerPolicy()),
              sorted(kubelet.cpuManagerPolicyOptions()),
              reservation(kubelet, topology)),
          new TopologyManager(
              TopologyManagerPolicy.parse(kubelet.topologyManagerPolicy()),
              TopologyManagerScope.parse(kubelet.topologyManagerScope()),
              sorted(kubelet.topologyManagerPolicyOptions())),
          new MemoryManager(
              MemoryManagerPolicy.parse(kubelet.memoryManagerPolicy()),
              reservedMemory(kubelet, topology),
              reservedHugepages(kubelet.reservedHugepages())),
          sorted(kubelet.featureGates()),
          KubeletVersion.parse(kubelet.version()));
    } catch (IllegalArgumentException e) {
      throw within("spec.kubelet.", e);
    }
  }

  private static <T> SortedMap<String, T> sorted(Map<String, T> byName) {
    return new TreeMap<>(Objects.requireNonNullElse(byName, Map.<String, T>of()));
  }

  private static CpuReservation reservation(KubeletSpec kubelet, NodeTopology topology) {
    if (kubelet.reservedCpus() != null) {
      return new CpuReservation.Explicit(
          cpuSets("spec.kubelet.reservedCpus", List.of(kubelet.reservedCpus())).get(0));
    }
    if (kubelet.reservedCpuCount() != null && kubelet.reservedCpuCount() > 0) {
      return new CpuReservation.Counted(
          kubelet.reservedCpuCount(),
          within(
              "spec.kubelet.reservedCpuCount: ",
              () ->
                  ReservedCpus.choose(
                      topology,
                      sorted(kubelet.cpuManagerPolicyOptions()),
                      KubeletVersion.parse(kubelet.version()),
                      kubelet.reservedCpuCount())));
    }
    return new CpuReservation.None();
  }

  private static SortedMap<Integer, Long> reservedMemory(
      KubeletSpec kubelet, NodeTopology topology) {
    Long total = kubelet.reservedMemoryTotal();
    boolean spread =
        total != null
            && kubelet.reservedMemory() == null
            && MemoryManagerPolicy.parse(kubelet.memoryManagerPolicy())
                != MemoryManagerPolicy.STATIC;
    SortedMap<Integer, Long> reserved = new TreeMap<>();
    if (spread) {
      topology
          .numaNodes()
          .forEach(
              numaNode ->
                  reserved.put(
                      numaNode.id(), share(total, numaNode.memoryBytes(), topology.memoryBytes())));
      return reserved;
    }
    sorted(kubelet.reservedMemory())
        .forEach(
            (id, bytes) -> {
              String field = "spec.kubelet.reservedMemory";
              notNegative(field + "[" + id + "]", bytes);
              reserved.put(numaNodeId(field, id), bytes);
            });
    return reserved;
  }

  /** Rounded up, so that nodes whose memory differs by a little stay one class. */
  private static long share(long total, long memory, long ofAll) {
    double share = ofAll == 0 ? 0 : (double) memory / ofAll * total;
    return (long) Math.ceil(share / SHARE_STEP) * SHARE_STEP;
  }

  private static SortedMap<Integer, Map<String, Long>> reservedHugepages(
      Map<String, Map<String, Long>> byId) {
    SortedMap<Integer, Map<String, Long>> reserved = new TreeMap<>();
    sorted(byId)
        .forEach(
            (id, bySize) -> {
              String field = "spec.kubelet.reservedHugepages";
              SortedMap<String, Long> bytes = new TreeMap<>();
              sorted(bySize)
                  .forEach(
                      (size, value) -> {
                        notNegative(field + "[" + id + "][" + size + "]", value);
                        bytes.merge(pageSize(field, size), value, Long::sum);
                      });
              reserved.put(numaNodeId(field, id), bytes);
            });
    return reserved;
  }

  private static Integer numaNodeId(String field, String id) {
    try {
      return Integer.valueOf(id);
    } catch (NumberFormatException e) {
      throw new FieldException(
          field, ": '" + id + "' is not a NUMA node id; write for example \"0\"", e);
    }
  }

  /** The schema has no bounds for the values of maps. */
  private static void notNegative(String field, Long value) {
    if (value < 0) {
      throw new FieldException(field, ": " + value + " is negative; give 0 or more", null);
    }
  }
}
