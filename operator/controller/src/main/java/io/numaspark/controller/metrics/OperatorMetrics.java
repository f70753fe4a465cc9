package io.numaspark.controller.metrics;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ReasonCount;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.status.RunningSummary;
import io.numaspark.controller.store.SlotBoard.ProfileSlots;
import io.numaspark.render.proof.ExecutorReason;
import io.prometheus.metrics.core.datapoints.GaugeDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The operator's metrics: rates and durations as they happen, numbers of objects when they are
 * scraped.
 *
 * <p>No label names an object other than a profile; the state of single objects is in their status.
 */
public final class OperatorMetrics implements Metrics {
  private static final String PROFILE = "profile";
  private static final String APPLICATION = "application";
  private static final String SLOTS = "slots";
  private static final String AGENT = "agent";
  private static final String SCHEDULE = "schedule";
  private static final String TRIAL = "trial";
  private static final String FOREIGN = "foreign";
  private static final String WAITING = "WAITING";
  private static final String OUT_OF_SLOTS = "OutOf" + ApiGroup.SLOT_RESOURCE_PREFIX;

  private static final Set<String> REASONS =
      Set.of(
          "TopologyAffinityError",
          "UnexpectedAdmissionError",
          "SMTAlignmentError",
          "OutOfcpu",
          "OutOfmemory",
          "OutOfpods");

  private final Set<Series> rejected = ConcurrentHashMap.newKeySet();
  private final Map<Thread, Long> reconciling = new ConcurrentHashMap<>();
  private final Histogram reconcileDuration;
  private final Counter reconcileErrors;
  private final Gauge reconcilePending;
  private final Counter rejectedExecutors;

  /** Labels of one series of rejected executors. */
  private record Series(String reason, String profile) {}

  /** Registers everything that does not need the caches. */
  public OperatorMetrics(PrometheusRegistry registry, String version) {
    reconcileDuration =
        Histogram.builder()
            .name("numaspark_reconcile_duration_seconds")
            .help("Time that one reconciliation took.")
            .unit(Unit.SECONDS)
            .labelNames("controller")
            .classicUpperBounds(0.005, 0.02, 0.1, 0.5, 1, 5, 30)
            .classicOnly()
            .register(registry);
    reconcileErrors =
        Counter.builder()
            .name("numaspark_reconcile_errors_total")
            .help("Reconciliations that ended in an exception and are tried again.")
            .labelNames("controller")
            .register(registry);
    reconcilePending =
        Gauge.builder()
            .name("numaspark_reconcile_pending")
            .help("Reconciliations that run or wait for a worker.")
            .labelNames("controller")
            .register(registry);
    rejectedExecutors =
        Counter.builder()
            .name("numaspark_rejected_executors_total")
            .help(
                "Executors of applications with a nodeProfile that a kubelet refused, by its reason.")
            .labelNames("reason", "profile")
            .register(registry);
    for (String controller :
        List.of(PROFILE, SLOTS, AGENT, APPLICATION, SCHEDULE, TRIAL, FOREIGN)) {
      reconcileDuration.initLabelValues(controller);
      reconcileErrors.initLabelValues(controller);
      reconcilePending.initLabelValues(controller);
    }
    Info.builder()
        .name("numaspark_build_info")
        .help("Version of the operator.")
        .labelNames("version")
        .register(registry)
        .addLabelValues(version);
  }

  /**
   * Registers the numbers of objects, which are counted from the caches at every scrape.
   *
   * @param planned executor slots of empty nodes, by profile
   * @param slots what was counted on the nodes, by profile
   */
  public void registerObjects(
      PrometheusRegistry registry,
      Supplier<Stream<SparkApplication>> applications,
      Supplier<Map<String, Integer>> planned,
      Supplier<Map<String, ProfileSlots>> slots) {
    gauge(
        registry,
        "numaspark_applications",
        "Applications that exist, by status.applicationState.state; WAITING for those that wait for a profile or slots.",
        "state",
        () -> byState(applications.get()));
    GaugeWithCallback.builder()
        .name("numaspark_executors")
        .help(
            "Running executors of applications with a nodeProfile, by verdict (True, False, Unknown) and its reason.")
        .labelNames("pinned", "reason")
        .callback(
            callback ->
                byPinning(applications.get())
                    .forEach((key, count) -> callback.call(count, key.get(0), key.get(1))))
        .register(registry);
    gauge(
        registry,
        "numaspark_slots",
        "Executor slots on all nodes of the profile when they are empty.",
        "profile",
        () -> planned(planned.get()));
    gauge(
        registry,
        "numaspark_slots_used",
        "Slots that pods bound to these nodes request.",
        "profile",
        () -> sums(planned.get(), slots.get(), ProfileSlots::used));
    gauge(
        registry,
        "numaspark_slots_free",
        "Slots that the scheduler can give away.",
        "profile",
        () -> sums(planned.get(), slots.get(), ProfileSlots::free));
    gauge(
        registry,
        "numaspark_slots_withheld",
        "Free slots that are withheld after rejections (docs/slots.md).",
        "profile",
        () -> sums(planned.get(), slots.get(), ProfileSlots::withheld));
    gauge(
        registry,
        "numaspark_slots_lost",
        "Slots that other pods than the profile's executors cost (docs/slots.md).",
        "profile",
        () -> sums(planned.get(), slots.get(), ProfileSlots::lost));
  }

  private static void gauge(
      PrometheusRegistry registry,
      String name,
      String help,
      String label,
      Supplier<? extends Map<String, ? extends Number>> values) {
    Consumer<GaugeWithCallback.Callback> callback =
        gauge -> values.get().forEach((value, count) -> gauge.call(count.doubleValue(), value));
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(label)
        .callback(callback)
        .register(registry);
  }

  private static Map<String, Integer> byState(Stream<SparkApplication> applications) {
    Map<String, Integer> counts = new TreeMap<>();
    counts.put(WAITING, 0);
    Arrays.stream(State.values())
        .filter(state -> state != State.PENDING && state != State.RESUMING)
        .forEach(state -> counts.put(state.name(), 0));
    applications.map(OperatorMetrics::state).forEach(state -> counts.merge(state, 1, Integer::sum));
    return counts;
  }

  /** An application that was not looked at yet counts as waiting. */
  private static String state(SparkApplication application) {
    State state = SparkApplicationStatus.stateOf(application.getStatus());
    return state == null || SparkApplicationStatus.waits(application.getStatus())
        ? WAITING
        : state.name();
  }

  private static Map<List<String>, Integer> byPinning(Stream<SparkApplication> applications) {
    Map<List<String>, Integer> counts =
        applications
            .filter(application -> application.getSpec().nodeProfile() != null)
            .map(SparkApplication::getStatus)
            .filter(Objects::nonNull)
            .flatMap(status -> RunningSummary.of(status).reasons().stream())
            .collect(
                Collectors.toMap(
                    count -> List.of(count.pinned().name(), count.reason()),
                    ReasonCount::executors,
                    Integer::sum));
    counts.putIfAbsent(List.of("True", ExecutorReason.PINNED.displayName()), 0);
    return counts;
  }

  /**
   * Alerts on a rate need the series of a profile before its first rejection; when the profile is
   * gone, they go.
   */
  private Map<String, Integer> planned(Map<String, Integer> planned) {
    planned
        .keySet()
        .forEach(profile -> rejectedExecutors.initLabelValues("TopologyAffinityError", profile));
    rejected.removeIf(
        series -> {
          boolean gone = !planned.containsKey(series.profile());
          if (gone) {
            rejectedExecutors.remove(series.reason(), series.profile());
          }
          return gone;
        });
    planned.keySet().forEach(profile -> rejected.add(new Series("TopologyAffinityError", profile)));
    return planned;
  }

  /** A profile without counted nodes has zeros, so that its series does not come and go. */
  private static Map<String, Long> sums(
      Map<String, Integer> planned,
      Map<String, ProfileSlots> slots,
      ToLongFunction<ProfileSlots> of) {
    Map<String, Long> sums = new TreeMap<>();
    planned.keySet().forEach(profile -> sums.put(profile, 0L));
    slots.forEach((profile, sum) -> sums.put(profile, of.applyAsLong(sum)));
    return sums;
  }

  /**
   * Counts a rejected executor.
   *
   * @param reason the kubelet's; that of a missing slot names the profile's resource, and is given
   *     without it, as are the names of resources that somebody else publishes
   */
  public void countRejection(String reason, String profile) {
    String kind =
        reason.startsWith(OUT_OF_SLOTS)
            ? "OutOfSlots"
            : REASONS.contains(reason) ? reason : "OutOfOther";
    rejected.add(new Series(kind, profile));
    rejectedExecutors.labelValues(kind, profile).inc();
  }

  @Override
  public <T> T timeControllerExecution(ControllerExecution<T> execution) throws Exception {
    long start = System.nanoTime();
    reconciling.put(Thread.currentThread(), start);
    try {
      return execution.execute();
    } finally {
      reconciling.remove(Thread.currentThread());
      reconcileDuration
          .labelValues(execution.controllerName())
          .observe((System.nanoTime() - start) / 1e9);
    }
  }

  /** How long the oldest reconciliation has been running; zero if there is none. */
  public Duration longestReconciliation() {
    long now = System.nanoTime();
    return reconciling.values().stream()
        .map(start -> Duration.ofNanos(now - start))
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  @Override
  public void reconcileCustomResource(
      HasMetadata resource, RetryInfo retry, Map<String, Object> metadata) {
    pending(metadata).inc();
  }

  /** The framework tells the start only of those whose object still exists, but the end of all. */
  @Override
  public void reconciliationExecutionFinished(HasMetadata resource, Map<String, Object> metadata) {
    pending(metadata).dec();
  }

  private GaugeDataPoint pending(Map<String, Object> metadata) {
    return reconcilePending.labelValues(String.valueOf(metadata.get(Constants.CONTROLLER_NAME)));
  }

  /**
   * Counts what is tried again: exceptions of a reconciler, and status updates that the API server
   * refused.
   */
  @Override
  public void failedReconciliation(
      HasMetadata resource, Exception exception, Map<String, Object> metadata) {
    reconcileErrors.labelValues(String.valueOf(metadata.get(Constants.CONTROLLER_NAME))).inc();
  }
}
