package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What the scheduler says of a pod that waits. */
final class SchedulerWord {
  private SchedulerWord() {}

  /** One line; empty if it does not wait. */
  static Optional<String> of(Pod pod) {
    if (pod.getStatus() == null) {
      return Optional.empty();
    }
    return Objects.requireNonNullElse(pod.getStatus().getConditions(), List.<PodCondition>of())
        .stream()
        .filter(condition -> "PodScheduled".equals(condition.getType()))
        .filter(condition -> "False".equals(condition.getStatus()))
        .findFirst()
        .map(condition -> "The scheduler says: " + condition.getMessage());
  }
}
