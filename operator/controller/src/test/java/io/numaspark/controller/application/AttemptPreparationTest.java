package io.numaspark.controller.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.application.AttemptPreparation.Blocked;
import io.numaspark.controller.application.AttemptPreparation.Contradiction;
import io.numaspark.controller.application.AttemptPreparation.NotYetKnown;
import io.numaspark.controller.application.AttemptPreparation.Startable;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.slots.NodeCount;
import io.numaspark.controller.slots.SlotCount;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.PlanStore.PlanInput;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.controller.store.StartQueue;
import io.numaspark.controller.store.TrialLocks;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who gets manifests, and that nobody waits who would be refused. */
class AttemptPreparationTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  private static final String CONTRADICTION = "sparkConf: {spark.kubernetes.namespace: other}\n";

  /** Found where the driver pod is made from properties. */
  private static final String UNREADABLE =
      "sparkConf: {spark.kubernetes.driver.request.cores: few}\n";

  private final PlanStore plans = new PlanStore();
  private final SlotBoard board = new SlotBoard();
  private final StartQueue queue = new StartQueue(board::nodes, () -> NOW);
  private final TrialLocks locks = new TrialLocks(Stream::of, () -> true);
  private final AttemptPreparation preparation =
      new AttemptPreparation(
          new ApplicationRenderer("spark"),
          new ProfileLookup(plans, Stream::of),
          new StartGate(board, queue, Stream::of, Clock.fixed(NOW, ZoneOffset.UTC)),
          locks);
  private final SparkApplication application = application("");

  @BeforeEach
  void prepare() {
    board.changes().listen(queue::slotsChanged);
    plan(1);
  }

  @Test
  void whatWaitsForSlotsHasManifestsWhenItStarts() {
    slots(1);
    for (int look = 0; look < 5; look++) {
      assertThat(preparation.start(application, 1)).isInstanceOf(Blocked.class);
    }
    slots(2);
    assertThat(preparation.start(application, 1)).isInstanceOf(Startable.class);
  }

  @Test
  void whatWasAdmittedBeforeDoesNotWaitAgain() {
    slots(1);
    assertThat(preparation.resume(application, 1)).isInstanceOf(Startable.class);
  }

  @Test
  void beforeNodesAreCountedNothingIsKnown() {
    assertThat(preparation.start(application, 1)).isEqualTo(new NotYetKnown());
  }

  @Test
  void aContradictionIsRefusedAtOnceAndNotWhenItsTurnComes() {
    slots(1);
    assertThat(preparation.start(application(CONTRADICTION), 1)).isInstanceOf(Contradiction.class);
    assertThat(preparation.start(application(UNREADABLE), 1)).isInstanceOf(Contradiction.class);
  }

  @Test
  void aSpecThatWasEditedIntoAContradictionLeavesTheQueue() {
    slots(1);
    preparation.start(application, 1);
    SparkApplication edited = application(CONTRADICTION);
    edited.getMetadata().setGeneration(2L);
    assertThat(preparation.start(edited, 1)).isInstanceOf(Contradiction.class);
  }

  @Test
  void beforeTheFirstNodeOnlyThoseThatStartAllOrNothingWait() {
    SparkNodeProfile profile = Samples.profile("dual", "a");
    plans.put(
        profile,
        new PlanInput("uid", profile.getSpec(), Map.of(), Map.of("m6i", "1")),
        ProfilePlanner.plan(
            profile.getSpec(), List.of(), List.of(new MatchedNode("m6i", topology("m6i"))), false));
    assertThat(preparation.start(Samples.application("other", "nodeProfile: dual\n"), 1))
        .isInstanceOf(Startable.class);
    assertThat(preparation.start(application, 1))
        .isInstanceOfSatisfying(
            Blocked.class,
            blocked -> {
              assertThat(blocked.why().reason()).isEqualTo("NotEnoughSlots");
              assertThat(blocked.why().message())
                  .startsWith("needs 2 slots, but profile dual has 0 on 0 nodes now");
            });
    assertThat(plans.totalSlots()).isEqualTo(Map.of("dual", 0));
    assertThat(plans.nodes("dual")).isZero();
    assertThat(plans.machines("dual")).isEmpty();
    assertThat(plans.onNode("m6i")).as("slots are of nodes only").isEmpty();
    plan(1);
    slots(2);
    assertThat(preparation.start(application, 1)).isInstanceOf(Startable.class);
  }

  private static SparkApplication application(String furtherSpec) {
    return Samples.application("app", "nodeProfile: dual\nstart: AllOrNothing\n" + furtherSpec);
  }

  private void plan(int nodes) {
    SparkNodeProfile profile = Samples.profile("dual", "a");
    plans.put(
        profile,
        new PlanInput("uid", profile.getSpec(), Map.of(), Map.of()),
        ProfilePlanner.plan(
            profile.getSpec(),
            Stream.iterate(1, node -> node + 1)
                .limit(nodes)
                .map(node -> new MatchedNode("n-" + node, topology("n-" + node)))
                .toList(),
            false));
  }

  private static Optional<SparkNodeTopology> topology(String node) {
    return Optional.of(Samples.dualSocket(node));
  }

  private void slots(int slots) {
    board.put(
        new NodeCount(new SlotCount("n-1", "dual", slots, slots, 0, Optional.empty()), Map.of()));
  }
}
