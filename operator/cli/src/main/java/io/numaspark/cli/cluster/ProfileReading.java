package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.numaspark.api.v1alpha1.PinningSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.FindingStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.NodeClassStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinnedBy;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.PlanReport;
import io.numaspark.cli.cluster.NodesDocument.ProfileNodes;
import io.numaspark.planner.plan.Reason;
import io.numaspark.render.profile.NodeFacts;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    List<SparkNodeProfile> profiles = cluster.profiles();
    boolean pinners = hasPinners(profiles, topologies.values());
    for (SparkNodeProfile profile : profiles) {
      List<Node> nodes =
          cluster.nodes(profile).stream()
              .filter(node -> taken.add(node.getMetadata().getName()))
              .toList();
      List<MatchedNode> matched = nodes.stream().map(node -> matched(node, topologies)).toList();
      read.add(new ProfileNodes(profile, PlanReport.plan(profile, matched, pinners), nodes));
    }
    return read;
  }

  private static MatchedNode matched(Node node, Map<String, SparkNodeTopology> topologies) {
    String name = node.getMetadata().getName();
    return new MatchedNode(
        name,
        Optional.ofNullable(topologies.get(name)).map(topology -> NodeFacts.known(topology, node)));
  }

  /**
   * Whether the agents of the cluster have pinners, from what they report and what the operator has
   * decided by Auto. If neither tells, they count as there, which a finding then says.
   */
  static boolean hasPinners(
      Collection<SparkNodeProfile> profiles, Collection<SparkNodeTopology> topologies) {
    boolean reported =
        topologies.stream()
            .map(SparkNodeTopology::getStatus)
            .anyMatch(status -> status != null && status.pinner() != null);
    List<PinnedBy> decided =
        profiles.stream()
            .filter(profile -> profile.getStatus() != null)
            .filter(ProfileReading::isAuto)
            .flatMap(profile -> nodeClasses(profile).stream())
            .filter(ProfileReading::isLeftToAuto)
            .map(NodeClassStatus::pinnedBy)
            .toList();
    return reported || decided.isEmpty() || decided.contains(PinnedBy.Runtime);
  }

  private static boolean isAuto(SparkNodeProfile profile) {
    PinningSpec pinning = profile.getSpec().pinning();
    return pinning == null || pinning.by() == null || pinning.by() == PinningSpec.By.Auto;
  }

  private static List<NodeClassStatus> nodeClasses(SparkNodeProfile profile) {
    return Objects.requireNonNullElse(profile.getStatus().nodeClasses(), List.of());
  }

  /** A class that tells something: the runtime pins it, or would if it could. */
  private static boolean isLeftToAuto(NodeClassStatus nodeClass) {
    return nodeClass.pinnedBy() == PinnedBy.Runtime
        || Objects.requireNonNullElse(nodeClass.findings(), List.<FindingStatus>of()).stream()
            .anyMatch(
                finding -> finding.reason().equals(Reason.CPU_MANAGER_NOT_STATIC.displayName()));
  }
}
