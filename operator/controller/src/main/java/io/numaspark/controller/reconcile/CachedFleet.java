package io.numaspark.controller.reconcile;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.controller.slots.NodeSlots;
import io.numaspark.controller.slots.SlotBoard;
import io.numaspark.render.fleet.Fleet;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The fleet as the operator's caches have it; it asks the API server nothing. */
public final class CachedFleet implements Fleet {
  private final NodeKnowledge nodes;
  private final SlotBoard board;
  private final Supplier<Stream<SparkApplication>> applications;

  public CachedFleet(
      NodeKnowledge nodes, SlotBoard board, Supplier<Stream<SparkApplication>> applications) {
    this.nodes = nodes;
    this.board = board;
    this.applications = applications;
  }

  @Override
  public Map<String, ProfilePlan> plans() {
    return nodes.plans().plans();
  }

  @Override
  public Stream<SparkApplication> applications() {
    return applications.get();
  }

  @Override
  public Optional<SparkNodeTopologyStatus> agent(String node) {
    return nodes.agents().of(node).map(SparkNodeTopology::getStatus);
  }

  @Override
  public Optional<SlotUse> slots(String node) {
    return board.node(node).map(CachedFleet::use);
  }

  private static SlotUse use(NodeSlots slots) {
    return new SlotUse(slots.planned(), slots.used(), slots.free(), slots.withheldSlots());
  }
}
