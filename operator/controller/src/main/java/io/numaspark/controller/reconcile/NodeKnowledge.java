package io.numaspark.controller.reconcile;

/**
 * What the operator knows of nodes.
 *
 * @param plans what profiles plan for them
 * @param agents what their agents say
 */
public record NodeKnowledge(PlanStore plans, NodeAgents agents) {}
