package io.numaspark.render.topology;

import io.numaspark.api.v1alpha1.CpuModel;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.NodeSystem;
import io.numaspark.api.v1alpha1.NumaNodeSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.planner.sysfs.CpuIdentity;
import io.numaspark.planner.sysfs.MemoryModules;
import io.numaspark.planner.sysfs.NodeReading;
import io.numaspark.planner.sysfs.SystemIdentity;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.HugepageSize;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was read of a machine, as the spec of a SparkNodeTopology.
 *
 * <p>Limit: it writes no wishes for knobs; those are the operator's.
 */
public final class TopologyDocument {
  /** Largest lengths and numbers that the CRD admits; see CpuModel and NodeSystem. */
  private static final int LONGEST_VENDOR = 64;

  private static final int LONGEST_NAME = 128;
  private static final int LONGEST_WORD = 32;
  private static final int LARGEST_CPU_NUMBER = 65535;

  private static final NodeSystem NOTHING_TOLD =
      new NodeSystem(null, null, null, null, null, null, null);

  private TopologyDocument() {}

  /**
   * The spec of the SparkNodeTopology of a machine.
   *
   * @param kubelet the kubelet's settings; null if they are not known
   */
  public static SparkNodeTopologySpec spec(NodeReading reading, KubeletSpec kubelet) {
    List<NumaNodeSpec> numaNodes = new ArrayList<>();
    for (NumaNode numaNode : reading.topology().numaNodes()) {
      numaNodes.add(numaNode(numaNode));
    }
    return new SparkNodeTopologySpec(
        cpu(reading.cpu()), numaNodes, kubelet, system(reading.system()), null, null, null);
  }

  /** A NUMA node as the custom resource has it. */
  public static NumaNodeSpec numaNode(NumaNode numaNode) {
    return new NumaNodeSpec(
        numaNode.id(),
        numaNode.socket(),
        numaNode.memoryBytes(),
        hugepages(numaNode),
        numaNode.distances(),
        cores(numaNode),
        caches(numaNode));
  }

  private static CpuModel cpu(CpuIdentity cpu) {
    return new CpuModel(
        cut(cpu.vendor(), LONGEST_VENDOR),
        cpuNumber(cpu.family()),
        cpuNumber(cpu.model()),
        cut(cpu.smtControl(), LONGEST_WORD),
        cut(cpu.name(), LONGEST_NAME));
  }

  private static NodeSystem system(SystemIdentity system) {
    Optional<MemoryModules> modules = system.memory();
    NodeSystem told =
        new NodeSystem(
            cut(system.architecture(), LONGEST_WORD),
            cut(system.kernel(), LONGEST_NAME),
            cut(system.hypervisor(), LONGEST_VENDOR),
            modules.flatMap(MemoryModules::type).orElse(null),
            modules.flatMap(MemoryModules::configuredSpeed).orElse(null),
            modules.flatMap(MemoryModules::ratedSpeed).orElse(null),
            modules.map(MemoryModules::count).orElse(null));
    return told.equals(NOTHING_TOLD) ? null : told;
  }

  private static int cpuNumber(int number) {
    return number < 0 || number > LARGEST_CPU_NUMBER ? 0 : number;
  }

  private static String cut(Optional<String> text, int length) {
    return text.isPresent() ? cut(text.get(), length) : null;
  }

  private static String cut(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length);
  }

  private static Map<String, Long> hugepages(NumaNode numaNode) {
    Map<String, Long> pages = new TreeMap<>();
    numaNode
        .hugepageBytesBySize()
        .forEach((size, bytes) -> pages.put(size, bytes / HugepageSize.bytes(size)));
    return pages.isEmpty() ? null : pages;
  }

  private static List<String> cores(NumaNode numaNode) {
    return numaNode.cores().stream().map(core -> core.threads().toString()).toList();
  }

  private static List<String> caches(NumaNode numaNode) {
    return numaNode.caches().isEmpty()
        ? null
        : numaNode.caches().stream().map(CpuSet::toString).toList();
  }
}
