package io.numaspark.controller.slots;

import io.numaspark.controller.slots.GangDecision.Demand;
import io.numaspark.controller.slots.NodeCount.ExecutorsOf;
import java.time.Instant;
import java.util.Comparator;

/**
 * An application that starts with all its executors or not at all.
 *
 * @param application namespace and name
 * @param attempt whose executors they are
 * @param since when it began to wait
 * @param executors that the attempt starts with, from 1
 * @param slotsPerExecutor slots that one takes, on one node, from 1
 */
public record Gang(
    Application application,
    ExecutorsOf attempt,
    String profile,
    Instant since,
    int executors,
    int slotsPerExecutor) {
  static final Comparator<Gang> LONGEST_WAITING_FIRST =
      Comparator.comparing(Gang::since)
          .thenComparing(gang -> gang.application().namespace())
          .thenComparing(gang -> gang.application().name());

  /** One that is expected to ask and of which nothing else is known yet. */
  public static Gang unknown(Application application, String profile, Instant since) {
    return new Gang(
        application, new ExecutorsOf(application.namespace(), ""), profile, since, 1, 1);
  }

  /** Whether it has not asked yet. */
  public boolean isUnknown() {
    return attempt.sparkApplicationId().isEmpty();
  }

  /** Whether it asks for the same, whenever it began. */
  public boolean asksAs(Gang other) {
    return waitingSince(other.since).equals(other);
  }

  /** The same, as one that has waited since then. */
  public Gang waitingSince(Instant then) {
    return new Gang(application, attempt, profile, then, executors, slotsPerExecutor);
  }

  /** Namespace and name. */
  public record Application(String namespace, String name) {}

  /** The slots of all its executors. */
  Demand demand() {
    return new Demand(executors, slotsPerExecutor);
  }
}
