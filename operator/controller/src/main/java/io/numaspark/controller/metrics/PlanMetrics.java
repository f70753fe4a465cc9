package io.numaspark.controller.metrics;

import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Layout;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of plans: what they strand, what they find, and how long they take.
 *
 * <p>Limit: a profile that contradicts itself has no plan, and none of these series.
 */
public final class PlanMetrics {
  private final Histogram duration;

  /** A finding on nodes, as labels say it. */
  private record FindingKind(String reason, String severity) implements Comparable<FindingKind> {
    @Override
    public int compareTo(FindingKind other) {
      return (reason + severity).compareTo(other.reason + other.severity);
    }
  }

  /**
   * Registers the metrics.
   *
   * @param plans by profile
   */
  public PlanMetrics(PrometheusRegistry registry, Supplier<Map<String, ProfilePlan>> plans) {
    duration =
        Histogram.builder()
            .name("numaspark_plan_duration_seconds")
            .help(
                "Time that planning a profile took. It is planned again when it, its nodes or their"
                    + " topologies change.")
            .unit(Unit.SECONDS)
            .classicUpperBounds(0.001, 0.005, 0.02, 0.1, 0.5, 2)
            .classicOnly()
            .register(registry);
    perProfile(
        registry,
        "numaspark_stranded_cpus",
        "CPUs of the profile's nodes that are neither reserved nor in a slot.",
        plans,
        layout -> layout.strandedCpus().size());
    perProfile(
        registry,
        "numaspark_stranded_memory_bytes",
        "Allocatable memory of the profile's nodes that no slot takes.",
        plans,
        Layout::strandedMemoryBytes);
    GaugeWithCallback.builder()
        .name("numaspark_findings")
        .help(
            "Nodes of the profile with a finding, by its reason and severity (docs/findings.md)."
                + " Nodes with severity Error take no executors.")
        .labelNames("profile", "reason", "severity")
        .callback(
            callback ->
                plans
                    .get()
                    .forEach(
                        (profile, plan) ->
                            findings(plan)
                                .forEach(
                                    (found, nodes) ->
                                        callback.call(
                                            nodes, profile, found.reason(), found.severity()))))
        .register(registry);
  }

  private static void perProfile(
      PrometheusRegistry registry,
      String name,
      String help,
      Supplier<Map<String, ProfilePlan>> plans,
      ToDoubleFunction<Layout> ofNode) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames("profile")
        .callback(
            callback ->
                plans
                    .get()
                    .forEach(
                        (profile, plan) ->
                            callback.call(
                                plan.layoutByNode().values().stream().mapToDouble(ofNode).sum(),
                                profile)))
        .register(registry);
  }

  private static Map<FindingKind, Integer> findings(ProfilePlan plan) {
    Map<FindingKind, Integer> nodes = new TreeMap<>();
    for (Layout layout : plan.layoutByNode().values()) {
      layout.findings().stream()
          .map(
              finding ->
                  new FindingKind(finding.reason().displayName(), finding.severity().displayName()))
          .distinct()
          .forEach(found -> nodes.merge(found, 1, Integer::sum));
    }
    for (Unusable unusable : plan.unusable()) {
      if (!plan.layoutByNode().containsKey(unusable.node())) {
        nodes.merge(
            new FindingKind(unusable.reason(), Severity.ERROR.displayName()), 1, Integer::sum);
      }
    }
    return nodes;
  }

  /** Runs a planner and notes how long it took. */
  public <T> T timed(Supplier<T> planner) {
    long start = System.nanoTime();
    try {
      return planner.get();
    } finally {
      duration.observe((System.nanoTime() - start) / 1e9);
    }
  }
}
