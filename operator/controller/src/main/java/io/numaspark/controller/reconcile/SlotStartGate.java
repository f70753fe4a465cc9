package io.numaspark.controller.reconcile;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Start;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.lifecycle.StartGate;
import io.numaspark.controller.slots.Gang;
import io.numaspark.controller.slots.SlotBoard;
import io.numaspark.controller.slots.SlotBoard.ExecutorsOf;
import io.numaspark.controller.slots.StartDecision;
import io.numaspark.controller.slots.StartQueue;
import io.numaspark.render.Labels;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.RenderResult.Manifests;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds applications of {@code spec.start: AllOrNothing} back until all their executors have slots;
 * others start at once.
 *
 * <p>What the queue has to know of the time before this operator started, it learns from the
 * statuses of the applications.
 */
public final class SlotStartGate implements StartGate {
  private static final Set<State> HOLDING = Set.of(State.SUBMITTED, State.RUNNING, State.UNKNOWN);
  private static final Set<State> TO_START = Set.of(State.PENDING, State.RESUMING);

  /** A driver asks for its executors as soon as it runs; what it lacks after that, it has lost. */
  private static final Duration ASKED_BY_THEN = Duration.ofMinutes(10);

  private final SlotBoard board;
  private final StartQueue queue;
  private final Clock clock;
  private Supplier<Stream<SparkApplication>> applications = Stream::of;
  private boolean restored;

  public SlotStartGate(SlotBoard board, Clock clock) {
    this.board = board;
    this.queue = new StartQueue(board);
    this.clock = clock;
  }

  /**
   * Connects the gate with the applications, before the first one is looked at.
   *
   * @param applications those that are known now
   * @param wake called with namespace and name of one that may start now
   */
  public void connect(
      Supplier<Stream<SparkApplication>> applications, BiConsumer<String, String> wake) {
    this.applications = applications;
    queue.onWake(application -> wake.accept(application.namespace(), application.name()));
  }

  @Override
  public Answer mayStart(SparkApplication application, Manifests manifests) {
    ExecutorRequest executors = manifests.executors();
    if (!startsAllOrNothing(application)
        || executors.pinned().isEmpty()
        || executors.instances() < 1) {
      return new Admitted();
    }
    catchUp();
    if (board.nodes(application.getSpec().nodeProfile()).isEmpty()) {
      return new TooEarly(); // A profile without nodes gets no further than its plan.
    }
    String attempt = manifests.driverPod().getMetadata().getLabels().get(Labels.SPARK_APP_SELECTOR);
    StartDecision decision =
        queue.mayStart(
            new Gang(
                key(application),
                new ExecutorsOf(application.getMetadata().getNamespace(), attempt),
                application.getSpec().nodeProfile(),
                created(application),
                executors.instances(),
                executors.pinned().get().slots()));
    return decision instanceof StartDecision.Waiting waiting
        ? new Waiting(waiting.reason(), waiting.message())
        : new Admitted();
  }

  private static boolean startsAllOrNothing(SparkApplication application) {
    return application.getSpec().start() == Start.AllOrNothing
        && application.getSpec().nodeProfile() != null;
  }

  private synchronized void catchUp() {
    Map<Gang.Application, SparkApplication> known =
        applications
            .get()
            .filter(SlotStartGate::startsAllOrNothing)
            .collect(Collectors.toMap(SlotStartGate::key, Function.identity(), (a, b) -> a));
    if (!restored) {
      restored = true;
      known.values().forEach(application -> promised(application).ifPresent(queue::restore));
    }
    known.values().stream()
        .filter(SlotStartGate::isToStart)
        .forEach(
            application ->
                queue.expect(
                    key(application), application.getSpec().nodeProfile(), created(application)));
    queue.retain(gang -> isAlive(gang, known.get(gang.application())));
  }

  /** The slots that an application was promised by an earlier operator. */
  private Optional<Gang> promised(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    if (status == null
        || !HOLDING.contains(stateOf(application.getStatus()))
        || status.sparkApplicationId() == null
        || status.executorCounts() == null
        || status.executorCounts().wanted() == null
        || status.executorCounts().wanted() < 1
        || hasAsked(status)) {
      return Optional.empty();
    }
    Integer slots = status.executorShape() == null ? null : status.executorShape().slots();
    return Optional.of(
        new Gang(
            key(application),
            new ExecutorsOf(application.getMetadata().getNamespace(), status.sparkApplicationId()),
            application.getSpec().nodeProfile(),
            created(application),
            status.executorCounts().wanted(),
            Math.max(1, Objects.requireNonNullElse(slots, 1))));
  }

  private boolean hasAsked(SparkApplicationStatus status) {
    return status.applicationState().state() == State.RUNNING
        && status.lastSubmissionAttemptTime() != null
        && Instant.parse(status.lastSubmissionAttemptTime())
            .plus(ASKED_BY_THEN)
            .isBefore(clock.instant());
  }

  private static boolean isToStart(SparkApplication application) {
    State state = stateOf(application.getStatus());
    return !Boolean.TRUE.equals(application.getSpec().suspend())
        && !application.isMarkedForDeletion()
        && (state == null || TO_START.contains(state));
  }

  /** Whether the application still wants the slots that it asked for. */
  private static boolean isAlive(Gang gang, SparkApplication application) {
    if (application == null
        || application.isMarkedForDeletion()
        || Boolean.TRUE.equals(application.getSpec().suspend())
        || !gang.profile().equals(application.getSpec().nodeProfile())) {
      return false;
    }
    State state = stateOf(application.getStatus());
    if (gang.isUnknown()) {
      return isToStart(application);
    }
    boolean itsAttempt =
        application.getStatus() != null
            && gang.attempt()
                .sparkApplicationId()
                .equals(application.getStatus().sparkApplicationId());
    return state == null
        || TO_START.contains(state)
        || HOLDING.contains(state)
        // The status still tells of the attempt before this one.
        || !itsAttempt;
  }

  private static Gang.Application key(SparkApplication application) {
    return new Gang.Application(
        application.getMetadata().getNamespace(), application.getMetadata().getName());
  }

  private static Instant created(SparkApplication application) {
    return Instant.parse(application.getMetadata().getCreationTimestamp());
  }
}
