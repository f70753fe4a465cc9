package io.numaspark.controller.status;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorCounts;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ReasonCount;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.RunningExecutors;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkConnectStatus;
import io.numaspark.api.v1alpha1.SparkConnectStatus.ServerInfo;
import io.numaspark.api.v1alpha1.SparkConnectStatus.State;
import io.numaspark.render.connect.ConnectApplication;
import io.numaspark.render.connect.ConnectService;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes the status of a SparkConnect from its application and the server's pod.
 *
 * <p>It is Ready only while the pod is: then the server's port is open, and it accepts sessions.
 */
public final class ConnectStatusAssembler {
  /** Numbers of executors alone are written no more often. */
  private static final Duration PACE = Duration.ofSeconds(5);

  private static final Set<SparkApplicationStatus.State> WITH_EXECUTORS =
      EnumSet.of(
          SparkApplicationStatus.State.SUBMITTED,
          SparkApplicationStatus.State.RUNNING,
          SparkApplicationStatus.State.UNKNOWN);

  private final SparkConnect connect;
  private final SparkConnectStatus before;
  private final Instant now;

  /** The status of a SparkConnect at a time. */
  public ConnectStatusAssembler(SparkConnect connect, Instant now) {
    this.connect = connect;
    this.before =
        Objects.requireNonNullElse(
            connect.getStatus(),
            new SparkConnectStatus(null, null, null, null, null, null, null, null));
    this.now = now;
  }

  /** Its application or Service cannot be as the spec says. What runs is left as it is. */
  public SparkConnectStatus refused(String message) {
    return status(
        State.Failed,
        before.server(),
        before.executors(),
        before.pinnedExecutors(),
        own(Conditions.FALSE, ConnectReason.SERVER_REFUSED, message));
  }

  /** Somebody has deleted the application, and it is not gone yet. */
  public SparkConnectStatus replacing() {
    return status(
        wasReady() ? State.NotReady : State.Provisioning,
        withoutPod(),
        null,
        null,
        own(
            Conditions.FALSE,
            ConnectReason.SERVER_STARTING,
            "application %s is being deleted, and is created again when it is gone"
                .formatted(ConnectApplication.name(connect))));
  }

  /**
   * The application is as the spec says.
   *
   * @param pod of the application's current driver; empty if there is none
   */
  public SparkConnectStatus following(SparkApplication application, Optional<Pod> pod) {
    SparkApplicationStatus app =
        Objects.requireNonNullElse(application.getStatus(), SparkApplicationStatus.empty());
    Optional<Pod> server = pod.filter(found -> isOf(app, found));
    boolean isRead =
        Objects.equals(app.observedGeneration(), application.getMetadata().getGeneration());
    boolean runs = isRead && stateOf(app) == SparkApplicationStatus.State.RUNNING;
    boolean isReady = runs && server.filter(ConnectStatusAssembler::isReady).isPresent();
    boolean wasReady = wasReady() && isSameServer(app);
    State state;
    Condition ready;
    if (isReady) {
      state = State.Ready;
      ready =
          own(
              Conditions.TRUE,
              ConnectReason.SERVER_READY,
              "the server accepts sessions at " + ConnectService.endpoint(connect));
    } else if (runs || !isRead) {
      state = wasReady ? State.NotReady : State.Provisioning;
      ready = runs ? notReady(app, wasReady) : notRead();
    } else {
      state = state(app, wasReady);
      ready = passedOn(app).orElseGet(this::notRead);
    }
    boolean hasExecutors = app.executorCounts() != null && WITH_EXECUTORS.contains(stateOf(app));
    return status(
        state,
        server(app, server),
        hasExecutors ? executors(app.executorCounts()) : null,
        hasExecutors ? pinned(app.runningExecutors()) : null,
        ready);
  }

  private static State state(SparkApplicationStatus app, boolean wasReady) {
    if (stateOf(app) == SparkApplicationStatus.State.SUSPENDED) {
      return State.Suspended;
    }
    if (Conditions.named(Progress.STUCK.condition(), app.conditions()).isPresent()) {
      return State.Failed;
    }
    return wasReady ? State.NotReady : State.Provisioning;
  }

  private Condition notReady(SparkApplicationStatus app, boolean wasReady) {
    String pod = app.driverInfo() == null ? "the server" : "pod " + app.driverInfo().podName();
    return wasReady
        ? own(
            Conditions.FALSE,
            ConnectReason.SERVER_NOT_READY,
            pod + " has accepted sessions, but is not ready now: port 15002 does not answer")
        : own(
            Conditions.FALSE,
            ConnectReason.SERVER_STARTING,
            pod + " runs, but does not accept sessions yet");
  }

  private Condition notRead() {
    return own(
        Conditions.FALSE,
        ConnectReason.SERVER_STARTING,
        "application %s was created or changed, and is not processed yet"
            .formatted(ConnectApplication.name(connect)));
  }

  /** What the application says of itself, with the names of the SparkConnect's fields. */
  private Optional<Condition> passedOn(SparkApplicationStatus app) {
    return Conditions.named("Ready", app.conditions())
        .map(
            said ->
                new ConditionBuilder(said)
                    .withStatus(Conditions.FALSE)
                    .withMessage(ConnectApplication.words(said.getMessage()))
                    .build());
  }

  /** Ready: False of an earlier generation does not count for the transition time. */
  private Condition own(String status, ConnectReason reason, String message) {
    return new Conditions(null, null, now).add("Ready", status, reason, message).build().get(0);
  }

  private static boolean isOf(SparkApplicationStatus app, Pod pod) {
    return app.driverInfo() != null
        && Objects.equals(app.driverInfo().podUid(), pod.getMetadata().getUid());
  }

  private static boolean isReady(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() == null
        && pod.getStatus() != null
        && pod.getStatus().getConditions() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("Ready")
                        && condition.getStatus().equals(Conditions.TRUE));
  }

  private boolean wasReady() {
    return before.state() == State.Ready || before.state() == State.NotReady;
  }

  private boolean isSameServer(SparkApplicationStatus app) {
    return before.server() != null
        && app.sparkApplicationId() != null
        && app.sparkApplicationId().equals(before.server().sparkApplicationId());
  }

  private ServerInfo server(SparkApplicationStatus app, Optional<Pod> pod) {
    boolean exists =
        app.driverInfo() != null
            && app.driverInfo().podUid() != null
            && !SparkApplicationStatus.waits(app);
    String known = before.server() == null ? null : before.server().sparkApplicationId();
    boolean isAnother = exists && known != null && !known.equals(app.sparkApplicationId());
    Optional<PodStatus> status = pod.map(Pod::getStatus);
    return new ServerInfo(
        pod.map(found -> found.getMetadata().getName()).orElse(null),
        status.map(PodStatus::getPodIP).orElse(null),
        ConnectApplication.name(connect),
        ConnectService.endpoint(connect),
        exists ? app.sparkApplicationId() : known,
        restarts() + (isAnother ? 1 : 0),
        status.map(PodStatus::getStartTime).orElse(null));
  }

  private ServerInfo withoutPod() {
    return new ServerInfo(
        null,
        null,
        ConnectApplication.name(connect),
        ConnectService.endpoint(connect),
        before.server() == null ? null : before.server().sparkApplicationId(),
        restarts(),
        null);
  }

  private int restarts() {
    return before.server() == null ? 0 : Objects.requireNonNullElse(before.server().restarts(), 0);
  }

  private static Map<String, Integer> executors(ExecutorCounts counts) {
    Map<String, Integer> phases = new TreeMap<>();
    phases.put("pending", Objects.requireNonNullElse(counts.pending(), 0));
    phases.put("running", Objects.requireNonNullElse(counts.running(), 0));
    phases.put("failed", Objects.requireNonNullElse(counts.failed(), 0));
    return phases;
  }

  /** Of those that run: the application also counts those that have come and gone. */
  private static int pinned(RunningExecutors running) {
    return running == null || running.reasons() == null
        ? 0
        : running.reasons().stream()
            .filter(reason -> reason.pinned() == ExecutorInfo.Pinned.True)
            .mapToInt(ReasonCount::executors)
            .sum();
  }

  private SparkConnectStatus status(
      State state,
      ServerInfo server,
      Map<String, Integer> executors,
      Integer pinned,
      Condition ready) {
    Long generation = connect.getMetadata().getGeneration();
    SparkConnectStatus unchanged =
        new SparkConnectStatus(
            generation,
            state,
            server,
            executors,
            pinned,
            state == State.Ready && before.startTime() == null ? seconds() : before.startTime(),
            before.lastUpdateTime(),
            new Conditions(before.conditions(), generation, now)
                .addAgain(ready)
                .addProgress(Progress.of(state))
                .build());
    return unchanged.equals(before) ? before : updated(unchanged, seconds());
  }

  private static SparkConnectStatus updated(SparkConnectStatus status, String at) {
    return new SparkConnectStatus(
        status.observedGeneration(),
        status.state(),
        status.server(),
        status.executors(),
        status.pinnedExecutors(),
        status.startTime(),
        at,
        status.conditions());
  }

  private String seconds() {
    return now.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /**
   * How long a status waits before it is written: if only the numbers of executors have changed,
   * and the last one is young.
   */
  public Duration delay(SparkConnectStatus after) {
    SparkConnectStatus same =
        new SparkConnectStatus(
            after.observedGeneration(),
            after.state(),
            after.server(),
            before.executors(),
            before.pinnedExecutors(),
            after.startTime(),
            before.lastUpdateTime(),
            after.conditions());
    if (after.equals(before) || !same.equals(before) || before.lastUpdateTime() == null) {
      return Duration.ZERO;
    }
    Duration left = Duration.between(now, Instant.parse(before.lastUpdateTime()).plus(PACE));
    return left.isNegative() || left.compareTo(PACE) > 0 ? Duration.ZERO : left;
  }
}
