package io.numaspark.controller.trial;

import io.numaspark.controller.observe.NodeAgents;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.controller.store.TrialLocks;

/**
 * What the operator remembers that concerns trials.
 *
 * @param agents what the agents of nodes report
 * @param plugin whether the operator knows where the Spark plugin is
 */
public record TrialSurroundings(
    TrialLocks locks, SlotBoard board, PlanStore plans, NodeAgents agents, boolean plugin) {}
