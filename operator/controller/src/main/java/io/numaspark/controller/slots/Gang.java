package io.numaspark.controller.slots;

import io.numaspark.controller.slots.SlotBoard.ExecutorsOf;
import java.time.Instant;
import java.util.Comparator;

/**
 * An application that starts with all its executors or not at all.
 *
 * @param application namespace and name
 * @param attempt whose executors they are
 * @param created when the application was created: the older goes first
 * @param executors that the attempt starts with, from 1
 * @param slotsPerExecutor slots that one takes, on one node, from 1
 */
public record Gang(
    Application application,
    ExecutorsOf attempt,
    String profile,
    Instant created,
    int executors,
    int slotsPerExecutor) {
  static final Comparator<Gang> OLDEST_FIRST =
      Comparator.comparing(Gang::created)
          .thenComparing(gang -> gang.application().namespace())
          .thenComparing(gang -> gang.application().name());

  /** Namespace and name. */
  public record Application(String namespace, String name) {}

  /** Slots of all its executors. */
  long slots() {
    return (long) executors * slotsPerExecutor;
  }
}
