package io.numaspark.controller.profile;

import io.fabric8.kubernetes.api.model.Node;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.metrics.PlanMetrics;
import io.numaspark.controller.observe.TopologyParts;
import io.numaspark.controller.slots.NodeCount;
import io.numaspark.controller.slots.SlotCount;
import io.numaspark.controller.status.ProfileStatusAssembler;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.PlanStore.PlanInput;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.render.profile.NodeFacts;
import io.numaspark.render.profile.NodeReason;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Plans a profile from the nodes that it has now, or from its templates while it has no usable one;
 * nodes of an older profile are left to that.
 *
 * @param pinners whether the agents have a pinner
 * @param nodes those that a selector matches
 * @param topologies by the name of a node or a template
 */
public record ProfilePlanning(
    PlanStore plans,
    SlotBoard board,
    PlanMetrics metrics,
    boolean pinners,
    Function<Predicate<Node>, List<Node>> nodes,
    Function<String, Optional<SparkNodeTopology>> topologies) {

  /**
   * A profile that was planned.
   *
   * @param status but for what agents report
   * @param nodes names of those that it has
   */
  public record Planned(SparkNodeProfileStatus status, ProfilePlan plan, List<String> nodes) {}

  /**
   * Plans a profile and stores the plan.
   *
   * @param others all other profiles
   * @throws IllegalArgumentException naming the field, if the profile contradicts itself
   */
  public Planned plan(SparkNodeProfile profile, List<SparkNodeProfile> others, Instant now) {
    List<Node> selected = nodes.apply(NodeOwnership.selects(profile));
    List<Unusable> unusable = new ArrayList<>();
    List<MatchedNode> matched = new ArrayList<>();
    Map<String, Predicate<Node>> claims = olderClaims(profile, others);
    for (Node node : selected) {
      String name = node.getMetadata().getName();
      claims.entrySet().stream()
          .filter(claim -> claim.getValue().test(node))
          .map(Map.Entry::getKey)
          .findFirst()
          .ifPresentOrElse(
              claimant ->
                  unusable.add(
                      new Unusable(
                          name,
                          NodeReason.NODE_HAS_ANOTHER_PROFILE,
                          "the older profile " + claimant + " selects this node too",
                          "make the selectors disjoint")),
              () ->
                  matched.add(
                      new MatchedNode(
                          name,
                          topologies
                              .apply(name)
                              .map(topology -> NodeFacts.known(topology, node)))));
    }
    List<MatchedNode> templates = templates(profile);
    PlanInput input = input(profile, matched, templates);
    ProfilePlan plan =
        plans
            .plan(profile.getMetadata().getName(), input)
            .orElseGet(
                () ->
                    metrics.timed(
                        () -> ProfilePlanner.plan(profile.getSpec(), matched, templates, pinners)));
    plans.put(profile, input, plan);
    unusable.addAll(plan.unusable());
    List<SlotCount> counted =
        board.nodes(profile.getMetadata().getName()).stream().map(NodeCount::slots).toList();
    return new Planned(
        ProfileStatusAssembler.planned(profile, selected.size(), plan, unusable, counted, now),
        plan,
        matched.stream().map(MatchedNode::name).toList());
  }

  /** A node of each kind that the profile names; whether it is one of a Node does not matter. */
  private List<MatchedNode> templates(SparkNodeProfile profile) {
    return Objects.requireNonNullElse(profile.getSpec().nodeTemplates(), List.<String>of()).stream()
        .distinct()
        .map(name -> new MatchedNode(name, topologies.apply(name)))
        .toList();
  }

  private static PlanInput input(
      SparkNodeProfile profile, List<MatchedNode> matched, List<MatchedNode> templates) {
    return new PlanInput(
        profile.getMetadata().getUid(), profile.getSpec(), editions(matched), editions(templates));
  }

  private static Map<String, String> editions(List<MatchedNode> nodes) {
    Map<String, String> editions = new HashMap<>();
    nodes.forEach(
        node ->
            editions.put(node.name(), node.topology().map(ProfilePlanning::edition).orElse("")));
    return editions;
  }

  /** With what is known of the node beside its topology. */
  private static String edition(SparkNodeTopology topology) {
    KubeletSpec kubelet = topology.getSpec() == null ? null : topology.getSpec().kubelet();
    return TopologyParts.edition(topology)
        + "/"
        + (kubelet == null ? null : kubelet.reservedMemoryTotal() + "/" + kubelet.version());
  }

  /** What each older profile selects, the oldest first; made once for all nodes. */
  private static Map<String, Predicate<Node>> olderClaims(
      SparkNodeProfile profile, List<SparkNodeProfile> others) {
    Map<String, Predicate<Node>> claims = new LinkedHashMap<>();
    others.stream()
        .filter(other -> ProfilePlanner.OLDEST_FIRST.compare(other, profile) < 0)
        .sorted(ProfilePlanner.OLDEST_FIRST)
        .forEach(other -> claims.put(other.getMetadata().getName(), NodeOwnership.claim(other)));
    return claims;
  }
}
