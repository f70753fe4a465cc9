package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.LayoutPlanner;
import io.numaspark.planner.plan.NodeClass;
import io.numaspark.planner.plan.PlanResult;
import io.numaspark.planner.plan.ShapePolicy;
import io.numaspark.planner.topology.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Plans a profile: groups its nodes into classes and finds one executor shape for all of them.
 *
 * <p>It is the one entry for the controller and the command line, so that both always say the same.
 */
public final class ProfilePlanner {
  private ProfilePlanner() {}

  /** A node that matches a profile, with its topology if one is known. */
  public record MatchedNode(String name, Optional<SparkNodeTopology> topology) {}

  /** A node that matches and cannot be used. */
  public record Unusable(String node, String reason, String message) {}

  /**
   * The plan of a profile.
   *
   * @param policy the profile as the planner takes it
   * @param result the plan, or why there is none
   * @param layoutByNode the layout of every node with a readable topology, by node name
   * @param unusable nodes that take no executors, by name
   */
  public record ProfilePlan(
      ShapePolicy policy,
      PlanResult result,
      Map<String, Layout> layoutByNode,
      List<Unusable> unusable) {

    /** Executor slots of every usable node, by name. */
    public Map<String, Integer> slotsByNode() {
      Map<String, Integer> slots = new TreeMap<>();
      layoutByNode.forEach(
          (node, layout) -> {
            if (layout.isUsable() && !layout.slots().isEmpty()) {
              slots.put(node, layout.slots().size());
            }
          });
      return slots;
    }
  }

  /**
   * Plans a profile on the given nodes.
   *
   * @throws IllegalArgumentException naming the field, if the profile has a value that its schema
   *     does not admit
   */
  public static ProfilePlan plan(SparkNodeProfileSpec profile, List<MatchedNode> nodes) {
    ShapePolicy policy = ProfileTranslator.policy(profile);
    List<Unusable> unusable = new ArrayList<>();
    Map<Machine, List<String>> classes = new LinkedHashMap<>();
    nodes.stream()
        .sorted(Comparator.comparing(MatchedNode::name))
        .forEach(node -> classify(profile, node, classes, unusable));

    PlanResult result =
        LayoutPlanner.plan(
            classes.entrySet().stream()
                .map(
                    entry ->
                        new NodeClass(
                            entry.getValue().get(0), entry.getValue().size(), entry.getKey()))
                .toList(),
            policy);

    Map<String, Layout> layoutByNode = new TreeMap<>();
    for (Layout layout : result.layouts()) {
      classes.get(layout.nodeClass().machine()).forEach(node -> layoutByNode.put(node, layout));
    }
    layoutByNode.forEach(
        (node, layout) -> unusableBecause(node, layout, result).ifPresent(unusable::add));
    unusable.sort(Comparator.comparing(Unusable::node));
    return new ProfilePlan(policy, result, layoutByNode, List.copyOf(unusable));
  }

  private static void classify(
      SparkNodeProfileSpec profile,
      MatchedNode node,
      Map<Machine, List<String>> classes,
      List<Unusable> unusable) {
    if (node.topology().isEmpty()) {
      unusable.add(
          new Unusable(
              node.name(),
              "NoTopology",
              "no SparkNodeTopology named "
                  + node.name()
                  + "; make one with `numaspark topology` on the node and apply it"));
      return;
    }
    Machine machine;
    try {
      machine = TopologyTranslator.machine(node.topology().get().getSpec());
    } catch (IllegalArgumentException e) {
      unusable.add(
          new Unusable(
              node.name(),
              "TopologyInvalid",
              "SparkNodeTopology "
                  + node.name()
                  + ": "
                  + e.getMessage()
                  + "; make it anew with `numaspark topology`"));
      return;
    }
    Optional<String> difference =
        TopologyComparison.difference(profile.topology(), machine.topology());
    if (difference.isPresent()) {
      unusable.add(
          new Unusable(
              node.name(),
              "TopologyDiffers",
              difference.get()
                  + "; correct the profile's spec.topology or give the node another profile"));
      return;
    }
    classes.computeIfAbsent(machine, key -> new ArrayList<>()).add(node.name());
  }

  private static Optional<Unusable> unusableBecause(String node, Layout layout, PlanResult result) {
    if (!layout.isUsable()) {
      return layout.findings().stream()
          .filter(finding -> finding.severity() == Finding.Severity.ERROR)
          .findFirst()
          .map(f -> new Unusable(node, f.reason().displayName(), f.message() + "; " + f.remedy()));
    }
    if (result instanceof PlanResult.Shortfall shortfall) {
      return Optional.of(
          new Unusable(
              node,
              shortfall.reason().displayName(),
              shortfall.message() + "; " + shortfall.remedy()));
    }
    if (layout.slots().isEmpty()) {
      return Optional.of(
          new Unusable(
              node,
              "NoSlot",
              "no executor of the chosen shape fits; give these nodes a profile of their own"));
    }
    return Optional.empty();
  }
}
