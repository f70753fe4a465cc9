package io.numaspark.controller.metrics;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.RunningExecutors;
import io.numaspark.controller.status.KnobReport;
import io.numaspark.controller.status.PinnerStates;
import io.numaspark.controller.status.RunningSummary;
import io.numaspark.controller.status.SystemdStates;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The metrics of what node agents tell. */
public final class AgentMetrics {
  private AgentMetrics() {}

  /**
   * Registers what node agents tell, which is counted from the caches at every scrape.
   *
   * @param reports of the agents, by profile
   * @param pinners by profile
   * @param systemds by profile
   */
  public static void register(
      PrometheusRegistry registry,
      Supplier<Stream<SparkApplication>> applications,
      Supplier<Map<String, KnobReport>> reports,
      Supplier<Map<String, PinnerStates>> pinners,
      Supplier<Map<String, SystemdStates>> systemds) {
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
        .name("numaspark_systemd_nodes")
        .help(
            "Nodes of the profile on which systemd keeps CPUs of containers, by whether it agrees with the kernel: Agrees, or ReloadMovesContainers if its next reload moves containers to other CPUs.")
        .labelNames("profile", "state")
        .callback(
            callback ->
                systemds
                    .get()
                    .forEach(
                        (profile, states) ->
                            states
                                .counts()
                                .forEach((state, nodes) -> callback.call(nodes, profile, state))))
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
        .callback(callback -> callback.call(sum(applications.get(), RunningExecutors::throttled)))
        .register(registry);
    GaugeWithCallback.builder()
        .name("numaspark_executors_remote_memory")
        .help(
            "Running executors with at least 10 % of their memory on other NUMA nodes, as agents report.")
        .callback(
            callback -> callback.call(sum(applications.get(), RunningExecutors::remoteMemory)))
        .register(registry);
    GaugeWithCallback.builder()
        .name("numaspark_executors_remote_accesses")
        .help(
            "Running executors of whose accesses to memory at least 10 % went to another socket or NUMA node, as agents count (docs/counters.md).")
        .callback(
            callback -> callback.call(sum(applications.get(), RunningExecutors::remoteAccesses)))
        .register(registry);
    GaugeWithCallback.builder()
        .name("numaspark_executors_counted")
        .help("Running executors of which agents count something (docs/counters.md).")
        .callback(callback -> callback.call(sum(applications.get(), RunningExecutors::counted)))
        .register(registry);
  }

  private static long sum(
      Stream<SparkApplication> applications, Function<RunningExecutors, Integer> of) {
    return applications
        .map(SparkApplication::getStatus)
        .filter(Objects::nonNull)
        .map(RunningSummary::of)
        .map(of)
        .filter(Objects::nonNull)
        .mapToLong(Integer::longValue)
        .sum();
  }
}
