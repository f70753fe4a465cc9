package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.ShapePolicy;
import java.util.List;

/** What an application needs to know of the profile that it names. */
public record ProfileContext(
    String name, ShapePolicy policy, Plan plan, List<Toleration> tolerations) {}
