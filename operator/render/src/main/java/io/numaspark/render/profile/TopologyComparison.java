package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.ExpectedTopology;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Compares what a profile expects with what a node is. */
final class TopologyComparison {
  private static final String OTHER_NODE =
      "correct the profile's spec.topology or give the node another profile";
  private static final String OFFLINE =
      "set all threads online (/sys/devices/system/cpu/cpuN/online), or switch SMT off as a whole";

  /** Cores in a message. */
  private static final int MOST_NAMED = 3;

  private TopologyComparison() {}

  /**
   * What differs.
   *
   * @param message a sentence that names the fields
   */
  record Difference(String message, String remedy) {}

  /** What differs; empty if nothing does. */
  static Optional<Difference> difference(ExpectedTopology expected, NodeTopology actual) {
    if (expected == null) {
      return Optional.empty();
    }
    List<String> differences = new ArrayList<>();
    List<NumaNode> withCores = actual.numaNodesWithCores();
    compare(differences, "sockets", expected.sockets(), actual.sockets());
    compare(
        differences,
        "numaNodesPerSocket",
        expected.numaNodesPerSocket(),
        withCores.size() / actual.sockets());
    for (NumaNode numaNode : withCores) {
      compare(
          differences,
          "coresPerNumaNode (NUMA node " + numaNode.id() + ")",
          expected.coresPerNumaNode(),
          numaNode.cores().size());
    }
    boolean isOffline = expected.threadsPerCore() != null && !actual.isUniform();
    if (isOffline) {
      differences.add(offline(expected.threadsPerCore(), actual));
    } else {
      compare(differences, "threadsPerCore", expected.threadsPerCore(), actual.threadsPerCore());
    }
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Difference(
                String.join("; ", differences),
                isOffline && differences.size() == 1 ? OFFLINE : OTHER_NODE));
  }

  /** A quotient of all CPUs and cores would hide that some cores have fewer threads than others. */
  private static String offline(int threadsPerCore, NodeTopology actual) {
    List<Core> others =
        actual.cores().stream().filter(core -> core.threads().size() != threadsPerCore).toList();
    return "spec.topology.threadsPerCore is %d, and %d of %d cores have another number of online threads: %s"
        .formatted(
            threadsPerCore,
            others.size(),
            actual.cores().size(),
            others.stream()
                .limit(MOST_NAMED)
                .map(core -> "%d (CPUs %s)".formatted(core.threads().size(), core.threads()))
                .collect(Collectors.joining(", ")));
  }

  private static void compare(
      List<String> differences, String field, Integer expected, int actual) {
    if (expected != null && expected != actual) {
      differences.add("spec.topology." + field + " is " + expected + ", the node has " + actual);
    }
  }
}
