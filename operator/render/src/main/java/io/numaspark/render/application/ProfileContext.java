package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.ShapePolicy;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * What an application needs to know of the profile that it names.
 *
 * @param plan on the profile's nodes, or on templates if {@link NodeSupply#NONE_YET}
 */
public record ProfileContext(
    String name, ShapePolicy policy, Plan plan, List<Toleration> tolerations, NodeSupply supply) {

  /** Where the nodes of a profile come from. */
  public enum NodeSupply {
    /** Those that exist are all. */
    THESE,
    /** Some exist, and an autoscaler adds others. */
    GROWING,
    /** No usable one exists, and an autoscaler adds the first. */
    NONE_YET
  }

  /** The context of a profile that was planned on nodes that exist. */
  public static ProfileContext onNodes(
      String name, SparkNodeProfileSpec profile, ShapePolicy policy, Plan plan) {
    return of(name, profile, policy, plan, growing(profile));
  }

  /** The context of a profile that was planned on its templates. */
  public static ProfileContext onTemplates(
      String name, SparkNodeProfileSpec profile, ShapePolicy policy, Plan plan) {
    return of(name, profile, policy, plan, NodeSupply.NONE_YET);
  }

  private static ProfileContext of(
      String name, SparkNodeProfileSpec profile, ShapePolicy policy, Plan plan, NodeSupply supply) {
    return new ProfileContext(
        name, policy, plan, Objects.requireNonNullElse(profile.tolerations(), List.of()), supply);
  }

  private static NodeSupply growing(SparkNodeProfileSpec profile) {
    return profile.nodeTemplates() == null || profile.nodeTemplates().isEmpty()
        ? NodeSupply.THESE
        : NodeSupply.GROWING;
  }

  /**
   * The most executors that an application can have at once; empty if nodes may be added.
   *
   * @param room executors that the nodes of the plan hold
   */
  public OptionalInt bound(int room) {
    return supply == NodeSupply.THESE ? OptionalInt.of(room) : OptionalInt.empty();
  }
}
