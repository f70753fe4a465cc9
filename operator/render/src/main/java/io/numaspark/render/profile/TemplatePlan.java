package io.numaspark.render.profile;

import io.numaspark.planner.plan.PlanResult;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The plan of a profile on one node of each of its templates, which gives applications their
 * executor shape while no usable node exists.
 *
 * <p>Limit: as soon as one usable node exists, the plan of the nodes takes its place. Its shape is
 * the same only if the nodes are as their templates say, and each template has a node.
 *
 * @param result the plan, or why there is none
 * @param slots executor slots of one node of each usable template, by its name
 * @param unusable templates on which no executor fits, by name
 */
public record TemplatePlan(
    PlanResult result, SortedMap<String, Integer> slots, List<Unusable> unusable) {

  /** What the plan of templates, taken as nodes, comes to. */
  static TemplatePlan of(ProfilePlan plan) {
    return new TemplatePlan(
        plan.result(),
        new TreeMap<>(plan.slotsByNode()),
        plan.unusable().stream().map(TemplatePlan::ofTemplate).toList());
  }

  /** Advice about a node that exists does not help with one that does not. */
  private static Unusable ofTemplate(Unusable node) {
    if (!node.reason().equals(NodeReason.NO_TOPOLOGY.displayName())) {
      return node;
    }
    return new Unusable(
        node.node(),
        NodeReason.NO_TOPOLOGY,
        "there is no SparkNodeTopology of this name",
        "create it with `numaspark topology` on a node of this kind, or correct the name");
  }

  /** The plan; empty if no executor fits any template. */
  public Optional<Plan> usable() {
    return result instanceof Plan plan && !slots.isEmpty() ? Optional.of(plan) : Optional.empty();
  }

  /** What the plan rests on, in a sentence; only for one that is usable. */
  public String describe() {
    String nodes =
        slots.entrySet().stream()
            .map(template -> "%s (%d slots)".formatted(template.getKey(), template.getValue()))
            .collect(Collectors.joining(", "));
    String others = unusable.isEmpty() ? "" : "; not used: " + problems();
    return "planned on spec.nodeTemplates, one node each, until a usable node exists: "
        + nodes
        + others;
  }

  /** Why templates cannot be used, with the remedies. */
  public String problems() {
    return unusable.isEmpty() && result instanceof Shortfall shortfall
        ? "spec.nodeTemplates: " + shortfall.message() + "; " + shortfall.remedy()
        : unusable.stream()
            .map(
                template ->
                    "spec.nodeTemplates: %s: %s".formatted(template.node(), template.message()))
            .collect(Collectors.joining("; "));
  }
}
