package io.numaspark.controller.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.application.AttemptPreparation.Blocked;
import io.numaspark.controller.application.AttemptPreparation.Contradiction;
import io.numaspark.controller.application.AttemptPreparation.NotYetKnown;
import io.numaspark.controller.application.AttemptPreparation.Prepared;
import io.numaspark.controller.application.AttemptPreparation.Startable;
import io.numaspark.controller.apply.WorkloadQueue;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.slots.NodeCount;
import io.numaspark.controller.slots.SlotCount;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.PlanStore.PlanInput;
import io.numaspark.controller.store.QuotaGate;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.controller.store.StartQueue;
import io.numaspark.controller.store.TrialLocks;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** What the API server has of batch schedulers. */
  private final Set<String> served = new HashSet<>();

  private final AttemptPreparation preparation =
      new AttemptPreparation(
          new ApplicationRenderer("spark"),
          new ProfileLookup(plans, Stream::of),
          new QuotaGate(namespace -> List.of(), Stream::of, () -> NOW),
          new StartGate(board, queue, Stream::of, Clock.fixed(NOW, ZoneOffset.UTC)),
          locks,
          WorkloadQueue.NONE,
          api -> api.apiVersions().stream().filter(served::contains).findFirst());
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          volcano  | spec.batchScheduler: volcano needs the kind PodGroup of scheduling.volcano.sh/v1beta1, which the API server does not serve; install Volcano
          own      | spec.batchScheduler: own needs the kind PodGroup of scheduling.x-k8s.io/v1alpha1, which the API server does not serve; install the coscheduling plugin
          workload | spec.batchScheduler: workload needs the kind PodGroup of scheduling.k8s.io/v1beta1 or scheduling.k8s.io/v1alpha3 or scheduling.k8s.io/v1alpha2, which the API server does not serve; switch it on, in Kubernetes 1.36 or later
          """)
  void whoseBatchSchedulerIsMissingWaits(String scheduler, String message) {
    slots(2);
    SparkApplication asking = application("batchScheduler: " + scheduler + "\n");
    for (Prepared prepared : List.of(preparation.start(asking, 1), preparation.resume(asking, 1))) {
      assertThat(prepared)
          .isInstanceOfSatisfying(
              Blocked.class,
              blocked -> {
                assertThat(blocked.why().reason()).isEqualTo("BatchSchedulerMissing");
                assertThat(blocked.why().message()).startsWith(message);
              });
    }
    assertThat(preparation.start(application, 1))
        .as("it keeps no slots from others")
        .isInstanceOf(Startable.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scheduling.k8s.io/v1alpha2",
        "scheduling.k8s.io/v1alpha3",
        "scheduling.k8s.io/v1beta1"
      })
  void theGangHasTheVersionThatTheApiServerServes(String apiVersion) {
    slots(2);
    served.add(apiVersion);
    assertThat(preparation.start(application("batchScheduler: workload\n"), 1))
        .isInstanceOfSatisfying(
            Startable.class,
            startable ->
                assertThat(startable.manifests().others())
                    .filteredOn(object -> object.getKind().equals("PodGroup"))
                    .extracting(HasMetadata::getApiVersion)
                    .containsExactly(apiVersion));
  }

  @Test
  void aBatchSchedulerWithoutPodGroupsIsNotLookedFor() {
    slots(2);
    assertThat(preparation.start(application("batchScheduler: yunikorn\n"), 1))
        .isInstanceOf(Startable.class);
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
