package io.numaspark.controller.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.application.InMemoryCluster.Killed;
import io.numaspark.controller.apply.WorkloadQueue;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.observe.DriverRestClient;
import io.numaspark.controller.store.DriverReports;
import io.numaspark.controller.store.FollowPace;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.QuotaGate;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.controller.store.StartQueue;
import io.numaspark.controller.store.TrialLocks;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.proof.AgentReports;
import io.numaspark.render.text.Labels;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The operator is killed after every single write of every story, and once more soon after: no
 * driver is ever created twice, no two live at once, and the end is the same as without a kill.
 */
class CrashTest {
  private static final int MOST_STEPS = 200;

  /** Until the API server serves the scheduler's groups of pods. */
  private static final String WAITS = "batchScheduler: volcano\n";

  private static final String AIRFLOW = "driver: {labels: {spark_kubernetes_operator: 'True'}}\n";

  private static final DriverRestClient DRIVERS = new DriverRestClient();
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");

  /**
   * A story.
   *
   * @param spec what the application adds to the sample
   * @param exitCodes of the drivers of attempts 1, 2, ...; a driver without one runs until stopped
   * @param acts what people do, in this order, each once as soon as its moment has come
   * @param end the last state; null: the application is deleted
   * @param drivers how many are created
   */
  record Story(
      String name, String spec, List<Integer> exitCodes, List<Act> acts, State end, int drivers) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Something that somebody does. */
  record Act(Predicate<InMemoryCluster> when, Consumer<InMemoryCluster> what) {}

  static Stream<Story> stories() {
    String retries =
        "restartPolicy: {type: OnFailure, onFailureRetries: 2, onFailureRetryInterval: 3}\n";
    return Stream.of(
        new Story("first start", "", List.of(0), List.of(), State.COMPLETED, 1),
        new Story("failure", "", List.of(1), List.of(), State.FAILED, 1),
        new Story("rerun", retries, List.of(1, 1, 0), List.of(), State.COMPLETED, 3),
        new Story("reruns used up", retries, List.of(1, 1, 1), List.of(), State.FAILED, 3),
        new Story(
            "refused by the API server",
            "",
            List.of(0),
            List.of(new Act(cluster -> true, cluster -> cluster.refuseDrivers(2))),
            State.COMPLETED,
            1),
        new Story(
            "refused too often",
            "restartPolicy: {type: Never, onSubmissionFailureRetries: 1}\n",
            List.of(),
            List.of(new Act(cluster -> true, cluster -> cluster.refuseDrivers(100))),
            State.FAILED,
            0),
        new Story(
            "driver lost",
            retries,
            List.of(-1, 0),
            List.of(new Act(CrashTest::isRunning, CrashTest::loseDriver)),
            State.COMPLETED,
            2),
        new Story(
            "suspended while it is submitted",
            "",
            List.of(-1),
            List.of(new Act(cluster -> !cluster.driversCreated.isEmpty(), edit("suspend: true"))),
            State.SUSPENDED,
            1),
        new Story(
            "suspended and resumed",
            "",
            List.of(-1, 0),
            List.of(
                new Act(CrashTest::isRunning, edit("suspend: true")),
                new Act(in(State.SUSPENDED), edit("suspend: false"))),
            State.COMPLETED,
            2),
        new Story("never started", "suspend: true\n", List.of(), List.of(), State.SUSPENDED, 0),
        new Story(
            "spec changed while it runs",
            "",
            List.of(-1, 0),
            List.of(new Act(CrashTest::isRunning, edit("arguments: [other]"))),
            State.COMPLETED,
            2),
        new Story(
            "spec changed after its end",
            "",
            List.of(0, 0),
            List.of(new Act(in(State.COMPLETED), edit("arguments: [other]"))),
            State.COMPLETED,
            2),
        new Story(
            "spec changed and suspended",
            "",
            List.of(-1),
            List.of(
                new Act(CrashTest::isRunning, edit("arguments: [other]")),
                new Act(in(State.INVALIDATING), edit("arguments: [other]\nsuspend: true"))),
            State.SUSPENDED,
            1),
        new Story(
            "waits at first",
            WAITS,
            List.of(0),
            List.of(new Act(CrashTest::waits, cluster -> cluster.servesPodGroups = true)),
            State.COMPLETED,
            1),
        new Story(
            "suspended while it waits",
            WAITS,
            List.of(),
            List.of(new Act(CrashTest::waits, edit(WAITS + "suspend: true"))),
            State.SUSPENDED,
            0),
        new Story(
            "changed, then waits",
            "",
            List.of(-1, 0),
            List.of(
                new Act(CrashTest::isRunning, edit(WAITS)),
                new Act(CrashTest::waits, cluster -> cluster.servesPodGroups = true)),
            State.COMPLETED,
            2),
        new Story(
            "resumed, then waits, then changed",
            "",
            List.of(-1, 0),
            List.of(
                new Act(CrashTest::isRunning, edit("suspend: true")),
                new Act(in(State.SUSPENDED), edit(WAITS)),
                new Act(CrashTest::waits, edit("arguments: [other]"))),
            State.COMPLETED,
            2),
        new Story(
            "waits for a rerun",
            retries + WAITS,
            List.of(1, 0),
            List.of(
                new Act(CrashTest::waits, cluster -> cluster.servesPodGroups = true),
                new Act(in(State.PENDING_RERUN), cluster -> cluster.servesPodGroups = false),
                new Act(CrashTest::waits, cluster -> cluster.servesPodGroups = true)),
            State.COMPLETED,
            2),
        new Story(
            "reruns of Airflow's",
            retries + AIRFLOW,
            List.of(1, 1, 0),
            List.of(),
            State.COMPLETED,
            3),
        new Story(
            "Airflow's, changed while it runs",
            AIRFLOW,
            List.of(-1, 0),
            List.of(new Act(CrashTest::isRunning, edit(AIRFLOW + "arguments: [other]"))),
            State.COMPLETED,
            2),
        new Story(
            "Airflow's, changed after its end",
            AIRFLOW,
            List.of(0, 0),
            List.of(new Act(in(State.COMPLETED), edit(AIRFLOW + "arguments: [other]"))),
            State.COMPLETED,
            2),
        new Story(
            "driver renamed while it runs",
            "",
            List.of(-1, -1, 0),
            List.of(
                new Act(CrashTest::isRunning, edit("driver: {podName: own}")),
                new Act(runs(2), edit(AIRFLOW))),
            State.COMPLETED,
            3),
        new Story("time to live", "timeToLiveSeconds: 60\n", List.of(0), List.of(), null, 1),
        new Story(
            "time to live after a rerun",
            retries + "timeToLiveSeconds: 0\n",
            List.of(1, 0),
            List.of(),
            null,
            2));
  }

  @ParameterizedTest
  @MethodSource("stories")
  void withoutAKill(Story story) {
    InMemoryCluster cluster = run(story, Set.of(), false);
    assertThat(cluster.application().map(CrashTest::state))
        .isEqualTo(Optional.ofNullable(story.end()));
    assertThat(cluster.driversCreated).hasSize(story.drivers());
    assertThat(cluster.remembered).as("attempts that are still in memory").isEmpty();
  }

  @Test
  void ofManyAttemptsTheLastAloneIsRemembered() {
    InMemoryCluster cluster = new InMemoryCluster(application(""), Set.of(), false);
    FollowPace pace = new FollowPace();
    ApplicationFlow flow = operator(cluster, pace);
    Instant now = START;
    for (int i = 0; i < 20; i++) {
      edit(i % 2 == 0 ? "arguments: [a" + i + "]" : "suspend: true").accept(cluster);
      for (int look = 0; look < 4; look++) {
        now = now.plusSeconds(7);
        look(cluster, flow, now);
        cluster.removeMarked();
      }
    }
    assertThat(cluster.driversCreated).hasSize(10);
    assertThat(cluster.application().map(CrashTest::state)).contains(State.SUSPENDED);
    assertThat(cluster.remembered).isEmpty();
    assertThat(pace.size()).isZero();
  }

  @ParameterizedTest
  @MethodSource("stories")
  void killedAfterEachWrite(Story story) {
    for (boolean lagging : List.of(false, true)) {
      InMemoryCluster undisturbed = run(story, Set.of(), lagging);
      for (int kill = 1; kill <= undisturbed.writes(); kill++) {
        assertSameEnd(story, undisturbed, Set.of(kill), lagging);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("stories")
  void killedTwice(Story story) {
    InMemoryCluster undisturbed = run(story, Set.of(), true);
    for (int first = 1; first <= undisturbed.writes(); first++) {
      for (int second = first + 1; second <= first + 3; second++) {
        assertSameEnd(story, undisturbed, Set.of(first, second), true);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Succeeded,                     , COMPLETED, Completed",
    "Failed   ,                     , FAILED   , DriverFailed",
    "Running  , 2026-11-21T08:00:03Z, FAILED   , DriverDeleted"
  })
  void aDriverThatIsGoneWhenTheOperatorLooksEndedAsItWasLastSeen(
      String phase, String deleted, State end, String reason) {
    for (boolean wasSeenRunning : List.of(true, false)) {
      InMemoryCluster cluster = new InMemoryCluster(application(""), Set.of(), false);
      ApplicationFlow flow = operator(cluster);
      look(cluster, flow, START);
      Pod driver = Serialization.clone(cluster.pod("pi-driver").orElseThrow());
      driver.getStatus().setPhase("Running");
      if (wasSeenRunning) {
        cluster.setPod(Serialization.clone(driver));
        look(cluster, flow, START.plusSeconds(2));
        assertThat(cluster.application().map(CrashTest::state)).contains(State.RUNNING);
      }
      driver.getStatus().setPhase(phase);
      driver.getMetadata().setDeletionTimestamp(deleted);
      cluster.removeDriver(driver);

      look(cluster, flow, START.plusSeconds(4));
      look(cluster, flow, START.plusSeconds(6));
      SparkApplicationStatus status = cluster.application().orElseThrow().getStatus();
      assertThat(status.applicationState().state()).isEqualTo(end);
      assertThat(status.attempts()).singleElement().extracting("reason").isEqualTo(reason);
      assertThat(cluster.driversCreated).hasSize(1);
    }
  }

  private static void look(InMemoryCluster cluster, ApplicationFlow flow, Instant now) {
    flow.advance(cluster.application().orElseThrow(), cluster::writeStatus, now);
  }

  private static void assertSameEnd(
      Story story, InMemoryCluster undisturbed, Set<Integer> kills, boolean lagging) {
    InMemoryCluster cluster = run(story, kills, lagging);
    String which = story + ", killed after writes " + kills + (lagging ? ", late cache" : "");
    assertThat(summary(cluster)).as(which).isEqualTo(summary(undisturbed));
  }

  /** What has to be the same at the end, however it was reached. */
  private static List<Object> summary(InMemoryCluster cluster) {
    List<Object> summary = new ArrayList<>(cluster.driversCreated);
    summary.addAll(cluster.objects.keySet());
    cluster
        .application()
        .map(SparkApplication::getStatus)
        .ifPresent(
            status -> {
              summary.add(status.applicationState());
              summary.add(Optional.ofNullable(status.run()));
              Optional.ofNullable(status.attempts())
                  .ifPresent(
                      attempts ->
                          attempts.forEach(
                              attempt ->
                                  summary.add(
                                      attempt.attempt()
                                          + " "
                                          + attempt.state()
                                          + " "
                                          + attempt.reason())));
            });
    return summary;
  }

  private static InMemoryCluster run(Story story, Set<Integer> kills, boolean lagging) {
    SparkApplication application = application(story.spec());
    InMemoryCluster cluster = new InMemoryCluster(application, kills, lagging);
    List<Act> acts = new ArrayList<>(story.acts());
    ApplicationFlow flow = operator(cluster);
    Instant now = START;
    int quiet = 0;
    for (int step = 0; quiet < 4; step++) {
      assertThat(step)
          .as("steps until nothing happens any more, in " + story)
          .isLessThan(MOST_STEPS);
      int before = cluster.writes();
      Optional<SparkApplication> read = cluster.application();
      cluster.sync();
      boolean acted = act(cluster, acts, story);
      boolean waits = false;
      if (read.isPresent()) {
        try {
          waits = flow.advance(read.get(), cluster::writeStatus, now).isPresent();
        } catch (KubernetesClientException e) {
          waits = true; // Somebody wrote in between: it is tried again.
        } catch (Killed e) {
          flow = operator(cluster);
          waits = true;
        }
      }
      now = now.plusSeconds(7);
      quiet = acted || waits || cluster.writes() > before ? 0 : quiet + 1;
    }
    assertThat(acts).as("what was never done in " + story).isEmpty();
    return cluster;
  }

  private static ApplicationFlow operator(InMemoryCluster cluster) {
    return operator(cluster, new FollowPace());
  }

  private static ApplicationFlow operator(InMemoryCluster cluster, FollowPace pace) {
    ProfileLookup noProfiles = new ProfileLookup(new PlanStore(), Stream::of);
    SlotBoard board = new SlotBoard();
    StartGate gate =
        new StartGate(
            board, new StartQueue(board::nodes, () -> START), Stream::of, Clock.systemUTC());
    ApplicationRenderer renderer = new ApplicationRenderer("spark");
    return new ApplicationFlow(
        cluster,
        cluster,
        new AttemptPreparation(
            renderer,
            noProfiles,
            new QuotaGate(namespace -> List.of(), Stream::of, Clock.systemUTC()),
            gate,
            new TrialLocks(Stream::of, () -> true),
            WorkloadQueue.NONE,
            api -> Optional.of("example.com/v1").filter(served -> cluster.servesPodGroups)),
        new AttemptFollower(
            cluster,
            new DriverReports(DRIVERS::executors),
            pod -> "",
            noProfiles,
            now -> AgentReports.of(node -> Optional.empty(), now)),
        WorkloadQueue.NONE,
        pace);
  }

  /** One step of the world: the kubelet, the garbage collector, and whoever acts. */
  private static boolean act(InMemoryCluster cluster, List<Act> acts, Story story) {
    boolean acted = !acts.isEmpty() && acts.get(0).when().test(cluster);
    if (acted) {
      acts.remove(0).what().accept(cluster);
    }
    int objects = cluster.objects.size();
    cluster.removeMarked();
    acted |= objects != cluster.objects.size();
    for (String name : cluster.livingDrivers()) {
      acted |= advance(cluster, cluster.pod(name).orElseThrow(), story, acts);
    }
    return acted;
  }

  private static boolean advance(InMemoryCluster cluster, Pod driver, Story story, List<Act> acts) {
    Pod next = Serialization.clone(driver);
    int attempt = cluster.driversCreated.indexOf(InMemoryCluster.driver(driver));
    int exitCode = attempt < story.exitCodes().size() ? story.exitCodes().get(attempt) : -1;
    if ("Pending".equals(driver.getStatus().getPhase())) {
      // It stays pending while somebody waits for that moment.
      if (!acts.isEmpty() && story.name().contains("submitted")) {
        return false;
      }
      next.getStatus().setPhase("Running");
      cluster.setPod(executor(driver));
    } else if (exitCode >= 0) {
      next.getStatus().setPhase(exitCode == 0 ? "Succeeded" : "Failed");
      next.getStatus()
          .setContainerStatuses(
              List.of(
                  new ContainerStatusBuilder()
                      .withName(Labels.DRIVER_CONTAINER)
                      .withNewState()
                      .withNewTerminated()
                      .withExitCode(exitCode)
                      .endTerminated()
                      .endState()
                      .build()));
    } else {
      return false;
    }
    cluster.setPod(next);
    return true;
  }

  private static Pod executor(Pod driver) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(driver.getMetadata().getName() + "-exec-1")
        .withLabels(driver.getMetadata().getLabels())
        .addToLabels(Labels.SPARK_ROLE, Labels.ROLE_EXECUTOR)
        .addToLabels(Labels.SPARK_EXECUTOR_ID, "1")
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .endStatus()
        .build();
  }

  private static boolean isRunning(InMemoryCluster cluster) {
    return in(State.RUNNING).test(cluster);
  }

  private static Predicate<InMemoryCluster> runs(int attempt) {
    return cluster -> isRunning(cluster) && cluster.driversCreated.size() == attempt;
  }

  private static boolean waits(InMemoryCluster cluster) {
    return cluster
        .application()
        .map(SparkApplication::getStatus)
        .filter(SparkApplicationStatus::waits)
        .isPresent();
  }

  private static Predicate<InMemoryCluster> in(State state) {
    return cluster -> cluster.application().map(CrashTest::state).filter(state::equals).isPresent();
  }

  private static Consumer<InMemoryCluster> edit(String furtherSpec) {
    return cluster -> cluster.edit(application(furtherSpec));
  }

  private static void loseDriver(InMemoryCluster cluster) {
    cluster.objects.remove("Pod/" + cluster.livingDrivers().get(0));
  }

  private static SparkApplication application(String furtherSpec) {
    return Samples.application("pi", furtherSpec);
  }

  private static State state(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    return status == null ? null : status.applicationState().state();
  }
}
