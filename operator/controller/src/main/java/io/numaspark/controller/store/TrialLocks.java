package io.numaspark.controller.store;

import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Variant;
import io.numaspark.controller.event.Signal;
import io.numaspark.render.sparktrial.ProfileVariant;
import io.numaspark.render.sparktrial.TrialPlan;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Which trial has the nodes of a profile for itself, and how it has the profile planned.
 *
 * <p>What an earlier operator locked is read from the statuses of the trials. Limit: before these
 * are {@link #isLoaded} nothing is locked, and nobody may start or plan anything.
 */
public final class TrialLocks {
  private final Map<String, Lock> locks = new HashMap<>();
  private final Supplier<Stream<SparkTrial>> trials;
  private final BooleanSupplier loaded;
  private final Signal<String> changes = new Signal<>();
  private boolean restored;

  /** A trial: its name may be given to another one later. */
  public record Holder(String namespace, String name, String uid) {
    /** A trial as the holder of a lock. */
    public static Holder of(SparkTrial trial) {
      return new Holder(
          trial.getMetadata().getNamespace(),
          trial.getMetadata().getName(),
          trial.getMetadata().getUid());
    }

    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }

  private record Lock(Holder holder, Instant since, Variant variant) {}

  /**
   * The locks.
   *
   * @param trials those that exist
   * @param loaded whether these are known
   */
  public TrialLocks(Supplier<Stream<SparkTrial>> trials, BooleanSupplier loaded) {
    this.trials = trials;
    this.loaded = loaded;
  }

  /** Whether it is known who has nodes; not right after the start of the operator. */
  public boolean isLoaded() {
    return loaded.getAsBoolean();
  }

  /** Emitted with the name of a profile whose holder has changed, or that is planned anew. */
  public Signal<String> changes() {
    return changes;
  }

  /**
   * Since when the trial has the profile's nodes; empty if another one has them. What it had of
   * another profile, which its spec named before, is released.
   */
  public Optional<Instant> acquire(String profile, Holder trial, Instant now) {
    release(trial, name -> !name.equals(profile));
    Lock lock;
    boolean isNew;
    synchronized (this) {
      restore();
      isNew = !locks.containsKey(profile);
      lock = locks.computeIfAbsent(profile, name -> new Lock(trial, now, Variant.NONE));
    }
    if (isNew) {
      changes.emit(profile);
    }
    return lock.holder().equals(trial) ? Optional.of(lock.since()) : Optional.empty();
  }

  /** Since when the trial has the profile's nodes, if it has. */
  public synchronized Optional<Instant> since(String profile, Holder trial) {
    restore();
    return Optional.ofNullable(locks.get(profile))
        .filter(lock -> lock.holder().equals(trial))
        .map(Lock::since);
  }

  /** The trial that has the profile's nodes. */
  public synchronized Optional<Holder> holder(String profile) {
    restore();
    return Optional.ofNullable(locks.get(profile)).map(Lock::holder);
  }

  /** Has the profile planned with a variant, if the trial has its nodes. */
  public void plan(String profile, Holder trial, Variant variant) {
    boolean changed;
    synchronized (this) {
      Lock lock = locks.get(profile);
      changed =
          lock != null
              && lock.holder().equals(trial)
              && !Objects.equals(lock.variant().profile(), variant.profile());
      if (changed) {
        locks.put(profile, new Lock(trial, lock.since(), variant));
      }
    }
    if (changed) {
      changes.emit(profile);
    }
  }

  /** Others may use what the trial had. */
  public void release(Holder trial) {
    release(trial, name -> true);
  }

  private void release(Holder trial, Predicate<String> profiles) {
    List<String> released;
    synchronized (this) {
      released =
          locks.entrySet().stream()
              .filter(lock -> lock.getValue().holder().equals(trial))
              .map(Map.Entry::getKey)
              .filter(profiles)
              .toList();
      released.forEach(locks::remove);
    }
    released.forEach(changes::emit);
  }

  /** A profile's spec as it is to be planned now. */
  public SparkNodeProfileSpec planned(SparkNodeProfile profile) {
    Variant variant;
    synchronized (this) {
      restore();
      Lock lock = locks.get(profile.getMetadata().getName());
      variant = lock == null ? Variant.NONE : lock.variant();
    }
    try {
      return ProfileVariant.of(profile.getSpec(), variant);
    } catch (IllegalArgumentException e) {
      return profile.getSpec(); // The profile was changed meanwhile; its trial is refused.
    }
  }

  /** The profile as it is to be planned now. */
  public SparkNodeProfile effective(SparkNodeProfile profile) {
    SparkNodeProfileSpec spec = planned(profile);
    if (spec == profile.getSpec()) {
      return profile;
    }
    SparkNodeProfile copy = new SparkNodeProfile();
    copy.setMetadata(profile.getMetadata());
    copy.setSpec(spec);
    copy.setStatus(profile.getStatus());
    return copy;
  }

  /**
   * What an earlier operator has written; once, because later on a status may be older than what is
   * known here.
   */
  private void restore() {
    if (restored || !isLoaded()) {
      return;
    }
    restored = true;
    trials
        .get()
        .filter(TrialLocks::isHeld)
        .forEach(
            trial ->
                locks.putIfAbsent(
                    trial.getSpec().template().nodeProfile(),
                    new Lock(Holder.of(trial), since(trial).orElseThrow(), variant(trial))));
  }

  private static boolean isHeld(SparkTrial trial) {
    return !trial.isMarkedForDeletion() && trial.getStatus() != null && since(trial).isPresent();
  }

  private static Optional<Instant> since(SparkTrial trial) {
    try {
      return Optional.ofNullable(trial.getStatus().lockedSince()).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty(); // Somebody else wrote it.
    }
  }

  private static Variant variant(SparkTrial trial) {
    if (trial.getStatus().run() == null) {
      return Variant.NONE;
    }
    try {
      return TrialPlan.of(trial, 1 << 10).arm(trial.getStatus().run().arm()).variant();
    } catch (IllegalArgumentException e) {
      return Variant.NONE; // It is refused when it is reconciled.
    }
  }
}
