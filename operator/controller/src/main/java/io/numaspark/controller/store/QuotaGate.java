package io.numaspark.controller.store;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;
import static io.numaspark.api.v1alpha1.SparkApplicationStatus.waits;

import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.slots.SlotQuota;
import io.numaspark.controller.slots.StartDecision.Waiting;
import io.numaspark.controller.slots.StartRound;
import io.numaspark.render.application.ApplicationIdentity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Holds pinned applications back whose executors a ResourceQuota over slots would refuse: Spark
 * asks for a refused pod again every second, and ends the application in 4.2 and later.
 *
 * <p>Limits: only the executors that an attempt starts with are counted, not those of dynamic
 * allocation. Pods that others create at the same moment can take what was free.
 */
public final class QuotaGate {
  private static final Set<State> HOLDING = Set.of(State.SUBMITTED, State.RUNNING, State.UNKNOWN);

  /** By then the status of an application says that it was started. */
  private static final Duration UNSEEN = Duration.ofMinutes(1);

  private final Function<String, List<ResourceQuota>> quotas;
  private final Supplier<Stream<SparkApplication>> applications;
  private final InstantSource clock;
  private final Map<Key, Claim> unseen = new HashMap<>();

  private record Key(String namespace, String name) {
    static Key of(SparkApplication application) {
      return new Key(application.getMetadata().getNamespace(), application.getMetadata().getName());
    }
  }

  /** Slots of an attempt that was let through. */
  private record Claim(String sparkAppId, String profile, long slots, Instant since) {}

  /**
   * A gate.
   *
   * @param quotas of a namespace, as they are now
   * @param applications those that are known now
   */
  public QuotaGate(
      Function<String, List<ResourceQuota>> quotas,
      Supplier<Stream<SparkApplication>> applications,
      InstantSource clock) {
    this.quotas = quotas;
    this.applications = applications;
    this.clock = clock;
  }

  /**
   * Why an attempt may not start yet; empty if it may.
   *
   * @param slots of all executors that it starts with; 0 if they are not pinned
   */
  public Optional<Waiting> refusal(SparkApplication application, int attempt, long slots) {
    return decide(application, attempt, slots, false);
  }

  /** The same; if it may, its executors count from now on for whoever comes after it. */
  public Optional<Waiting> claim(SparkApplication application, int attempt, long slots) {
    return decide(application, attempt, slots, true);
  }

  private Optional<Waiting> decide(
      SparkApplication application, int attempt, long slots, boolean starts) {
    String profile = application.getSpec().nodeProfile();
    if (profile == null || slots < 1) {
      return Optional.empty();
    }
    Key key = Key.of(application);
    List<SlotQuota> limits = SlotQuota.of(quotas.apply(key.namespace()), profile);
    if (limits.isEmpty()) {
      return Optional.empty();
    }
    Claim wanted =
        new Claim(
            ApplicationIdentity.of(application, attempt).names().sparkAppId(),
            profile,
            slots,
            clock.instant());
    synchronized (unseen) {
      unseen.remove(key);
      long claimed = claimed(key, wanted);
      Optional<Waiting> refusal =
          limits.stream()
              .flatMap(limit -> limit.refusal(wanted.slots(), claimed).stream())
              .findFirst();
      if (refusal.isEmpty() && starts) {
        unseen.put(key, wanted);
      }
      return refusal;
    }
  }

  /** Slots of the same profile and namespace that other applications were let through with. */
  private long claimed(Key key, Claim wanted) {
    unseen.values().removeIf(claim -> claim.since().plus(UNSEEN).isBefore(wanted.since()));
    Map<Key, Long> slots = new HashMap<>();
    unseen.forEach(
        (other, claim) -> {
          if (claim.profile().equals(wanted.profile())) {
            slots.put(other, claim.slots());
          }
        });
    applications
        .get()
        .filter(other -> wanted.profile().equals(other.getSpec().nodeProfile()))
        .forEach(other -> note(other, wanted.since(), slots));
    return slots.entrySet().stream()
        .filter(entry -> entry.getKey().namespace().equals(key.namespace()))
        .filter(entry -> !entry.getKey().equals(key))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** The status of an attempt knows better than its claim; of another attempt it knows nothing. */
  private void note(SparkApplication application, Instant now, Map<Key, Long> slots) {
    Key key = Key.of(application);
    SparkApplicationStatus status = application.getStatus();
    Claim claim = unseen.get(key);
    if (status == null
        || waits(status)
        || claim != null && !claim.sparkAppId().equals(status.sparkApplicationId())) {
      return;
    }
    slots.remove(key);
    if (HOLDING.contains(stateOf(status)) && isYoung(status, now)) {
      slots.put(key, wanted(status));
    }
  }

  /** Later all its executors have come, and the API server counts them. */
  private static boolean isYoung(SparkApplicationStatus status, Instant now) {
    try {
      return status.lastSubmissionAttemptTime() != null
          && Instant.parse(status.lastSubmissionAttemptTime())
              .plus(StartRound.PROMISE)
              .isAfter(now);
    } catch (DateTimeParseException e) {
      return false; // Somebody has edited the status by hand.
    }
  }

  private static long wanted(SparkApplicationStatus status) {
    if (status.executorCounts() == null || status.executorCounts().wanted() == null) {
      return 0;
    }
    Integer each = status.executorShape() == null ? null : status.executorShape().slots();
    return (long) status.executorCounts().wanted() * Objects.requireNonNullElse(each, 1);
  }
}
