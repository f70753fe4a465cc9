package io.numaspark.controller.process;

import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Whether the operator lives and whether it can work; both are empty lists when all is well.
 *
 * <p>What a restart would mend is a matter of life: a watch that has ended for good, a
 * reconciliation that hangs. That the API server does not answer is not, as a restart would only
 * make its return harder; the operator is not ready then.
 */
public final class Health {
  /** Far above any timeout of the client and of the drivers' REST interface. */
  static final Duration LONGEST_RECONCILIATION = Duration.ofMinutes(5);

  private final Operator operator;
  private final BooleanSupplier standingBy;
  private final Supplier<Duration> longestReconciliation;

  /**
   * The health of an operator.
   *
   * @param standingBy whether another replica works, and this one waits to take over
   * @param longestReconciliation how long the oldest reconciliation has been running
   */
  public Health(
      Operator operator, BooleanSupplier standingBy, Supplier<Duration> longestReconciliation) {
    this.operator = operator;
    this.standingBy = standingBy;
    this.longestReconciliation = longestReconciliation;
  }

  /** Why the process should be restarted. */
  public List<String> reasonsToRestart() {
    List<String> reasons = new ArrayList<>();
    if (operator.getRuntimeInfo().isStarted()) {
      reasons.addAll(informers(informer -> !informer.isRunning(), "has stopped"));
    }
    Duration longest = longestReconciliation.get();
    if (longest.compareTo(LONGEST_RECONCILIATION) > 0) {
      reasons.add("a reconciliation hangs for " + longest.toSeconds() + " s");
    }
    return List.copyOf(reasons);
  }

  /** Why it does not work now. */
  public List<String> reasonsNotReady() {
    if (!operator.getRuntimeInfo().isStarted()) {
      return standingBy.getAsBoolean() ? List.of() : List.of("the operator is starting");
    }
    List<String> reasons = new ArrayList<>(reasonsToRestart());
    reasons.addAll(
        informers(
            informer -> informer.isRunning() && !(informer.hasSynced() && informer.isWatching()),
            "is not connected to the API server"));
    return List.copyOf(reasons);
  }

  private List<String> informers(Predicate<InformerHealthIndicator> ill, String what) {
    List<String> reasons = new ArrayList<>();
    operator
        .getRuntimeInfo()
        .unhealthyEventSources()
        .forEach(
            (controller, sources) ->
                sources.forEach(
                    (source, indicator) -> {
                      if (indicator
                              instanceof InformerWrappingEventSourceHealthIndicator<?> informers
                          && informers.informerHealthIndicators().values().stream().anyMatch(ill)) {
                        reasons.add(
                            "the watch of %s for controller %s %s"
                                .formatted(source, controller, what));
                      }
                    }));
    return reasons;
  }
}
