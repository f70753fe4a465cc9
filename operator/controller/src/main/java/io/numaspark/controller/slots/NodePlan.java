package io.numaspark.controller.slots;

import io.numaspark.planner.plan.ExecutorShape;
import io.numaspark.planner.plan.Layout;

/** What a profile plans for one node. */
public record NodePlan(String profile, ExecutorShape shape, Layout layout) {}
