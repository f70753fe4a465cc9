package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Hardware;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Advice on hardware from Awan et al. 2016 (Node Architecture Implications for In-Memory Data
 * Analytics on Scale-in Clusters): reported, never acted on.
 *
 * <p>Limit: measured on one Ivy Bridge server with DDR3 and Spark 1.5; nobody has repeated it on
 * newer machines, and each message says so.
 */
final class HardwareFindings {
  /** "DDR3-1333 is sufficient for a node" (section 4.4, implications), in MT/s. */
  private static final int SUFFICIENT_SPEED = 1333;

  /** "6 HT cores per socket are sufficient for a node" (section 4.2, implications). */
  private static final int SUFFICIENT_CORES = 6;

  private static final String MEASURED =
      "Ivy Bridge study of 2016 (Awan et al., Node Architecture Implications, section ";

  private HardwareFindings() {}

  /**
   * Adds what holds for any of the nodes of one topology.
   *
   * @param known what is known of these nodes; without any of it there is no advice
   */
  static void add(NodeTopology topology, Collection<Hardware> known, Findings findings) {
    addMemorySpeed(known, findings);
    addSlowedMemory(known, findings);
    if (known.stream().anyMatch(hardware -> !hardware.guest())) {
      addCores(topology, findings);
    }
  }

  private static void addMemorySpeed(Collection<Hardware> known, Findings findings) {
    TreeSet<Integer> speeds = new TreeSet<>();
    known.stream().map(Hardware::memorySpeed).flatMap(Optional::stream).forEach(speeds::add);
    speeds.headSet(SUFFICIENT_SPEED, true).clear();
    if (!speeds.isEmpty()) {
      findings.info(
          Reason.MEMORY_FASTER_THAN_NEEDED,
          "the memory runs at "
              + range(speeds)
              + " MT/s: by the "
              + MEASURED
              + "4.4) Spark took less than 40% of the bandwidth at 1866 MT/s, and 1333 MT/s was sufficient; not measured on"
              + " newer machines",
          "none is needed; for Spark rather buy faster disks than faster memory");
    }
  }

  private static void addSlowedMemory(Collection<Hardware> known, Findings findings) {
    String slowed =
        known.stream()
            .filter(Hardware::hasSlowedMemory)
            .map(
                hardware ->
                    hardware.memorySpeed().get() + " of " + hardware.ratedMemorySpeed().get())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    if (!slowed.isEmpty()) {
      findings.info(
          Reason.MEMORY_SLOWER_THAN_RATED,
          "the memory runs at " + slowed + " MT/s that its modules could",
          "if it is not wanted, check the firmware's memory speed and the number of modules a channel; for Spark it"
              + " matters little above 1333 MT/s");
    }
  }

  private static void addCores(NodeTopology topology, Findings findings) {
    Map<Integer, Integer> coresBySocket = new TreeMap<>();
    for (NumaNode numaNode : topology.numaNodes()) {
      coresBySocket.merge(numaNode.socket(), numaNode.cores().size(), Integer::sum);
    }
    int cores = coresBySocket.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    if (topology.threadsPerCore() > 1 && cores > SUFFICIENT_CORES) {
      findings.info(
          Reason.MANY_CORES_PER_SOCKET,
          "a socket has %d cores with SMT: by the %s4.2) SMT helps Spark fully on up to 6 cores of a socket, and less beyond; not measured on newer machines"
              .formatted(cores, MEASURED),
          "none is needed; small executors, as planned, keep more cores busy, and spec.smt.mode: Isolated leaves the"
              + " siblings idle if tasks gain nothing by them");
    }
  }

  private static String range(TreeSet<Integer> speeds) {
    return speeds.size() == 1 ? speeds.first().toString() : speeds.first() + " to " + speeds.last();
  }
}
