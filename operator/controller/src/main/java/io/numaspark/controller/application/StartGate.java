package io.numaspark.controller.application;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;
import static io.numaspark.api.v1alpha1.SparkApplicationStatus.waits;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Start;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.StatusReason;
import io.numaspark.controller.slots.Gang;
import io.numaspark.controller.slots.Gang.Place;
import io.numaspark.controller.slots.NodeCount.ExecutorsOf;
import io.numaspark.controller.slots.StartDecision;
import io.numaspark.controller.slots.StartDecision.Admitted;
import io.numaspark.controller.slots.StartDecision.TooEarly;
import io.numaspark.controller.slots.StartDecision.WaitingReason;
import io.numaspark.controller.status.Conditions;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.controller.store.StartQueue;
import io.numaspark.controller.store.StartQueue.WaitingApplications;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.ProfileContext.NodeSupply;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
 *
 * @param applications those that are known now
 */
public record StartGate(
    SlotBoard board,
    StartQueue queue,
    Supplier<Stream<SparkApplication>> applications,
    InstantSource clock) {
  private static final Set<State> HOLDING = Set.of(State.SUBMITTED, State.RUNNING, State.UNKNOWN);

  /** Whether the application starts all or nothing; others need not ask. */
  static boolean isAsked(SparkApplication application) {
    return application.getSpec().start() == Start.AllOrNothing
        && application.getSpec().nodeProfile() != null;
  }

  /**
   * Asked before the intent to start is written, again at every event of the application, and at
   * least every 15 seconds while it waits.
   *
   * @param executors that the attempt starts with
   * @param profile empty for an application without a profile
   */
  StartDecision mayStart(
      SparkApplication application,
      int attempt,
      ExecutorRequest executors,
      Optional<ProfileContext> profile) {
    if (!isAsked(application) || executors.pinned().isEmpty() || executors.instances() < 1) {
      return new Admitted();
    }
    queue.catchUp(this::waiting);
    boolean hasNodes = profile.filter(of -> of.supply() != NodeSupply.NONE_YET).isPresent();
    if (hasNodes && board.nodes(application.getSpec().nodeProfile()).isEmpty()) {
      return new TooEarly(); // Its nodes are counted soon.
    }
    return queue.mayStart(
        new Gang(
            key(application),
            new ExecutorsOf(
                application.getMetadata().getNamespace(),
                ApplicationIdentity.of(application, attempt).names().sparkAppId()),
            application.getSpec().nodeProfile(),
            place(application),
            executors.instances(),
            executors.pinned().get().slots()));
  }

  private WaitingApplications waiting() {
    Map<Gang.Application, SparkApplication> known =
        applications
            .get()
            .filter(StartGate::isAsked)
            .collect(Collectors.toMap(StartGate::key, Function.identity(), (a, b) -> a));
    Set<String> profiles = board.byProfile().keySet();
    return new WaitingApplications(
        known.values().stream().flatMap(application -> promised(application).stream()).toList(),
        known.values().stream()
            .filter(StartGate::isToStart)
            .map(
                application ->
                    Gang.unknown(
                        key(application), application.getSpec().nodeProfile(), place(application)))
            .filter(gang -> profiles.contains(gang.profile()))
            .toList(),
        gang -> isAlive(gang, known.get(gang.application())));
  }

  /** The slots that an application was promised by an earlier operator, and when. */
  private Optional<Gang> promised(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    if (status == null
        || waits(status)
        || !HOLDING.contains(stateOf(status))
        || status.sparkApplicationId() == null
        || status.executorCounts() == null
        || status.executorCounts().wanted() == null
        || status.executorCounts().wanted() < 1) {
      return Optional.empty();
    }
    Integer slots = status.executorShape() == null ? null : status.executorShape().slots();
    return Optional.of(
        new Gang(
            key(application),
            new ExecutorsOf(application.getMetadata().getNamespace(), status.sparkApplicationId()),
            application.getSpec().nodeProfile(),
            new Place(
                priority(application),
                time(status.lastSubmissionAttemptTime()).orElseGet(clock::instant)),
            status.executorCounts().wanted(),
            Math.max(1, Objects.requireNonNullElse(slots, 1))));
  }

  private static boolean isToStart(SparkApplication application) {
    return !Boolean.TRUE.equals(application.getSpec().suspend())
        && !application.isMarkedForDeletion()
        && (stateOf(application.getStatus()) == null || waits(application.getStatus()));
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
        || waits(application.getStatus())
        || HOLDING.contains(state)
        // The status is still that of the attempt before this one.
        || !itsAttempt;
  }

  private static Gang.Application key(SparkApplication application) {
    return new Gang.Application(
        application.getMetadata().getNamespace(), application.getMetadata().getName());
  }

  private Place place(SparkApplication application) {
    return new Place(priority(application), waitingSince(application));
  }

  private static int priority(SparkApplication application) {
    return Objects.requireNonNullElse(application.getSpec().startPriority(), 0);
  }

  /**
   * Since when it waits for slots. Not since its creation: whoever keeps old ones suspended would
   * always be first.
   */
  private Instant waitingSince(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    if (stateOf(status) == null) {
      return time(application.getMetadata().getCreationTimestamp()).orElseGet(clock::instant);
    }
    return Conditions.named("Ready", status.conditions())
        .filter(
            condition -> StatusReason.parse(WaitingReason.class, condition.getReason()).isPresent())
        .flatMap(condition -> time(condition.getLastTransitionTime()))
        .orElseGet(clock::instant);
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.ofNullable(text).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
