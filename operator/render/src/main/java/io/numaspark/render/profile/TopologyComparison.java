package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.ExpectedTopology;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares what a profile expects with what a node is. */
final class TopologyComparison {
  private TopologyComparison() {}

  /** What differs, as a sentence that names the fields; empty if nothing does. */
  static Optional<String> difference(ExpectedTopology expected, NodeTopology actual) {
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
    compare(differences, "threadsPerCore", expected.threadsPerCore(), actual.threadsPerCore());
    return differences.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", differences));
  }

  private static void compare(
      List<String> differences, String field, Integer expected, int actual) {
    if (expected != null && expected != actual) {
      differences.add("spec.topology." + field + " is " + expected + ", the node has " + actual);
    }
  }
}
