package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.numaspark.api.v1alpha1.StatusReason;
import io.numaspark.render.proof.Diagnosis;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Builds standard conditions, and carries the transition time over while a condition's status stays
 * the same.
 */
public final class Conditions {
  static final String TRUE = "True";
  static final String FALSE = "False";
  static final String UNKNOWN = "Unknown";

  private final List<Condition> before;
  private final Long generation;
  private final Instant now;
  private final List<Condition> conditions = new ArrayList<>();

  Conditions(List<Condition> before, Long generation, Instant now) {
    this.before = Objects.requireNonNullElse(before, List.of());
    this.generation = generation;
    this.now = now;
  }

  Conditions add(String type, String status, StatusReason reason, String message) {
    return add(type, status, new Diagnosis(reason, message));
  }

  Conditions add(String type, String status, Diagnosis why) {
    return addWords(type, status, why.reason(), why.message());
  }

  private Conditions addWords(String type, String status, String reason, String message) {
    String since =
        before.stream()
            .filter(old -> type.equals(old.getType()) && status.equals(old.getStatus()))
            .map(Condition::getLastTransitionTime)
            .findFirst()
            .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
    conditions.add(
        new ConditionBuilder()
            .withType(type)
            .withStatus(status)
            .withReason(reason)
            .withMessage(message)
            .withObservedGeneration(generation)
            .withLastTransitionTime(since)
            .build());
    return this;
  }

  /** What another status says, now of this generation. */
  Conditions addAgain(Condition condition) {
    return addWords(
        condition.getType(), condition.getStatus(), condition.getReason(), condition.getMessage());
  }

  /**
   * Adds the condition that kstatus reads, with the words of Ready; nothing if Ready is True. One
   * that is not True is absent, as kstatus advises.
   */
  Conditions addProgress(Progress progress) {
    if (progress.condition() != null) {
      named("Ready", conditions)
          .filter(ready -> !TRUE.equals(ready.getStatus()))
          .ifPresent(
              ready -> addWords(progress.condition(), TRUE, ready.getReason(), ready.getMessage()));
    }
    return this;
  }

  /** The condition of a type, if a status has one; its conditions may be null. */
  public static Optional<Condition> named(String type, List<Condition> conditions) {
    return Objects.requireNonNullElse(conditions, List.<Condition>of()).stream()
        .filter(condition -> type.equals(condition.getType()))
        .findFirst();
  }

  List<Condition> build() {
    return List.copyOf(conditions);
  }
}
