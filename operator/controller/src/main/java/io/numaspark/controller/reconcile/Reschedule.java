package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Has an object reconciled again at a time, if there is one. */
final class Reschedule {
  private Reschedule() {}

  /** Rounded up, as a timer that is early by less than a millisecond would find nothing due. */
  static <P extends HasMetadata> UpdateControl<P> at(
      Optional<Instant> time, Instant now, UpdateControl<P> control) {
    time.ifPresent(next -> control.rescheduleAfter(Duration.between(now, next).plusMillis(1)));
    return control;
  }
}
