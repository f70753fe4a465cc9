package io.numaspark.controller.metrics;

import io.numaspark.api.v1alpha1.ExecutorCounters;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.controller.status.KnobReport;
import io.numaspark.controller.status.PinnerStates;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The metrics of what node agents tell.
 *
 * <p>Limit: executors are counted from the statuses of their applications, which list the first 50.
 */
public final class AgentMetrics {
  /** Statuses follow in steps of as many. */
  private static final int NOTEWORTHY_PERCENT = 10;

  private AgentMetrics() {}

  /**
   * Registers what node agents tell, which is counted from the caches at every scrape.
   *
   * @param reports of the agents, by profile
   * @param pinners by profile
   */
  public static void register(
      PrometheusRegistry registry,
      Supplier<Stream<SparkApplication>> applications,
      Supplier<Map<String, KnobReport>> reports,
      Supplier<Map<String, PinnerStates>> pinners) {
    GaugeWithCallback.builder()
        .name("numaspark_agent_nodes")
        .help(
            "Nodes of the profile by whether their agent is reporting, silent (no report for ten minutes) or missing.")
        .labelNames("profile", "state")
        .callback(
            callback ->
                reports
                    .get()
                    .forEach(
                        (profile, report) ->
                            report
                                .agents()
                                .forEach(
                                    (contact, nodes) ->
                                        callback.call(nodes, profile, contact.displayName()))))
        .register(registry);
    GaugeWithCallback.builder()
        .name("numaspark_pinner_nodes")
        .help(
            "Nodes of the profile that the container runtime shall pin, by state of their pinner: Connected, LayoutNotApplied, NotConnected, NoPinner or NoAgent. All but the first have no free slots.")
        .labelNames("profile", "state")
        .callback(
            callback ->
                pinners
                    .get()
                    .forEach(
                        (profile, states) ->
                            states
                                .counts()
                                .forEach(
                                    (state, nodes) ->
                                        callback.call(nodes, profile, state.displayName()))))
        .register(registry);
    GaugeWithCallback.builder()
        .name("numaspark_knob_nodes")
        .help(
            "Nodes of the profile by state of each knob that it wants: Applied, Drifted, Failed, Unsupported; Same or Differs if it is only compared; Unknown if no agent has reported.")
        .labelNames("profile", "knob", "state")
        .callback(
            callback ->
                reports
                    .get()
                    .forEach(
                        (profile, report) ->
                            report
                                .knobs()
                                .forEach(
                                    (knob, states) ->
                                        states.forEach(
                                            (state, nodes) ->
                                                callback.call(nodes, profile, knob, state)))))
        .register(registry);
    GaugeWithCallback.builder()
        .name("numaspark_executors_throttled")
        .help(
            "Running executors that waited for CPU quota in at least 10 % of the periods, as agents report.")
        .callback(
            callback ->
                callback.call(
                    running(applications.get())
                        .filter(
                            executor -> isAtLeast(executor.throttledPercent(), NOTEWORTHY_PERCENT))
                        .count()))
        .register(registry);
    GaugeWithCallback.builder()
        .name("numaspark_executors_remote_memory")
        .help(
            "Running executors with at least 10 % of their memory on other NUMA nodes, as agents report.")
        .callback(
            callback ->
                callback.call(
                    running(applications.get())
                        .map(ExecutorInfo::localMemoryPercent)
                        .filter(local -> local != null && local <= 100 - NOTEWORTHY_PERCENT)
                        .count()))
        .register(registry);
    GaugeWithCallback.builder()
        .name("numaspark_executors_remote_accesses")
        .help(
            "Running executors of whose accesses to memory at least 10 % went to another socket or NUMA node, as agents count (docs/counters.md).")
        .callback(
            callback ->
                callback.call(
                    counted(applications.get())
                        .filter(
                            counters ->
                                isAtLeast(counters.remoteAccessPercent(), NOTEWORTHY_PERCENT))
                        .count()))
        .register(registry);
    GaugeWithCallback.builder()
        .name("numaspark_executors_counted")
        .help("Running executors of which agents count something (docs/counters.md).")
        .callback(callback -> callback.call(counted(applications.get()).count()))
        .register(registry);
  }

  private static Stream<ExecutorCounters> counted(Stream<SparkApplication> applications) {
    return running(applications).map(ExecutorInfo::counters).filter(Objects::nonNull);
  }

  private static boolean isAtLeast(Integer percent, int least) {
    return percent != null && percent >= least;
  }

  private static Stream<ExecutorInfo> running(Stream<SparkApplication> applications) {
    return applications
        .map(SparkApplication::getStatus)
        .filter(Objects::nonNull)
        .map(SparkApplicationStatus::executors)
        .filter(Objects::nonNull)
        .flatMap(List::stream)
        .filter(executor -> "Running".equals(executor.phase()));
  }
}
