package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.StatusReason;
import io.numaspark.render.text.ForeignText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The conditions of a trial's next status; what is not set stays as it was. */
final class TrialConditions {
  private static final int LONGEST_MESSAGE = 1024;
  private static final String READY = "Ready";
  private static final String LOCKED = "Locked";
  private static final String TRUSTWORTHY = "Trustworthy";

  private final List<Condition> before;
  private final Map<String, Words> words = new LinkedHashMap<>();

  private record Words(String status, TrialReason reason, String message) {}

  /**
   * @param before null for a trial that nobody has read yet
   */
  TrialConditions(List<Condition> before) {
    this.before = before;
    trustworthy(Conditions.UNKNOWN, TrialReason.NOT_MEASURED_YET, "it has not ended yet");
    for (String type : List.of(READY, LOCKED, TRUSTWORTHY)) {
      Conditions.named(type, before).ifPresent(old -> keep(type, old));
    }
  }

  private void keep(String type, Condition old) {
    StatusReason.parse(TrialReason.class, old.getReason())
        .ifPresent(reason -> words.put(type, new Words(old.getStatus(), reason, old.getMessage())));
  }

  void ready(String status, TrialReason reason, String message) {
    words.put(READY, new Words(status, reason, message));
  }

  void locked(String status, TrialReason reason, String message) {
    words.put(LOCKED, new Words(status, reason, message));
  }

  void trustworthy(String status, TrialReason reason, String message) {
    words.put(TRUSTWORTHY, new Words(status, reason, message));
  }

  /** It is neither ready nor has it the nodes, for one reason. */
  void waits(TrialReason reason, String message) {
    ready(Conditions.FALSE, reason, message);
    locked(Conditions.FALSE, reason, message);
  }

  List<Condition> build(Long generation, Instant now) {
    Conditions conditions = new Conditions(before, generation, now);
    for (String type : List.of(READY, LOCKED, TRUSTWORTHY)) {
      Words said = words.get(type);
      if (said != null) {
        String message = ForeignText.line(said.message(), LONGEST_MESSAGE);
        conditions.add(type, said.status(), said.reason(), message);
      }
    }
    return Optional.ofNullable(words.get(READY))
        .map(said -> conditions.addProgress(Progress.of(said.reason())))
        .orElse(conditions)
        .build();
  }
}
