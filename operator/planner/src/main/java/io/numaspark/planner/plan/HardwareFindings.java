package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Hardware;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * What hardware could give and does not: reported, never acted on.
 *
 * <p>Limit: what every machine of today has, and nobody has to change, is not reported.
 */
final class HardwareFindings {
  private HardwareFindings() {}

  /**
   * Adds what holds for any of the nodes.
   *
   * @param known what is known of these nodes; without any of it there is no finding
   */
  static void add(Collection<Hardware> known, Findings findings) {
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
}
