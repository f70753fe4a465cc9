package io.numaspark.controller.metrics;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.controller.observe.NodeAgents;
import io.numaspark.controller.slots.SlotCount;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.render.fleet.Fleet;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The fleet as the operator's caches have it; it asks the API server nothing. */
public final class CachedFleet implements Fleet {
  private final PlanStore plans;
  private final NodeAgents agents;
  private final SlotBoard board;
  private final Supplier<Stream<SparkApplication>> applications;

  public CachedFleet(
      PlanStore plans,
      NodeAgents agents,
      SlotBoard board,
      Supplier<Stream<SparkApplication>> applications) {
    this.plans = plans;
    this.agents = agents;
    this.board = board;
    this.applications = applications;
  }

  @Override
  public Map<String, ProfilePlan> plans() {
    return plans.plans();
  }

  @Override
  public Stream<SparkApplication> applications() {
    return applications.get();
  }

  @Override
  public Optional<SparkNodeTopologyStatus> agent(String node) {
    return agents.of(node).map(SparkNodeTopology::getStatus);
  }

  @Override
  public Optional<SlotUse> slots(String node) {
    return board.node(node).map(CachedFleet::use);
  }

  private static SlotUse use(SlotCount slots) {
    return new SlotUse(slots.planned(), slots.used(), slots.free(), slots.withheldSlots());
  }
}
