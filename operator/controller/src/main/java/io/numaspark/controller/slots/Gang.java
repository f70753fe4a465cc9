package io.numaspark.controller.slots;

import io.numaspark.controller.slots.GangDecision.Demand;
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

  /** One that is expected to ask and of which nothing else is known yet. */
  static Gang unknown(Application application, String profile, Instant created) {
    return new Gang(
        application, new ExecutorsOf(application.namespace(), ""), profile, created, 1, 1);
  }

  /** Whether it has not asked yet. */
  public boolean isUnknown() {
    return attempt.sparkApplicationId().isEmpty();
  }

  /** Namespace and name. */
  public record Application(String namespace, String name) {}

  /** The slots of all its executors. */
  Demand demand() {
    return new Demand(executors, slotsPerExecutor);
  }
}
