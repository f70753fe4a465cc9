package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.PlanReport;
import io.numaspark.cli.cluster.NodesDocument.ProfileNodes;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plans the profiles of a cluster as the operator does: of two that select a node the older has it.
 */
final class ProfileReading {
  private ProfileReading() {}

  /**
   * All profiles that can be planned.
   *
   * @param topologies by node
   */
  static List<ProfileNodes> all(Cluster cluster, Map<String, SparkNodeTopology> topologies) {
    Set<String> taken = new HashSet<>();
    List<ProfileNodes> read = new ArrayList<>();
    for (SparkNodeProfile profile : cluster.profiles()) {
      List<Node> nodes =
          cluster.nodes(profile).stream()
              .filter(node -> taken.add(node.getMetadata().getName()))
              .toList();
      List<MatchedNode> matched =
          nodes.stream()
              .map(node -> node.getMetadata().getName())
              .map(name -> new MatchedNode(name, Optional.ofNullable(topologies.get(name))))
              .toList();
      read.add(new ProfileNodes(profile, PlanReport.plan(profile, matched), nodes));
    }
    return read;
  }
}
