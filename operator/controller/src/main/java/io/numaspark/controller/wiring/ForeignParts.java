package io.numaspark.controller.wiring;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.config.OperatorConfig;
import io.numaspark.controller.metrics.ForeignMetrics;
import io.numaspark.controller.reconcile.ForeignReconciler;
import io.numaspark.controller.status.ForeignExecutors;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.SaidOnce;
import io.numaspark.controller.watch.AgentWatches;
import io.numaspark.controller.watch.ForeignWatches;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that see the executors of others, if there is a webhook.
 *
 * <p>Limit: without the right to watch pods of others there are none of these parts.
 */
record ForeignParts(ForeignWatches watches, PlanStore plans, AgentWatches agents, Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(ForeignParts.class);

  /** Whether executors of others can be seen; if they should and cannot, the log says so. */
  static boolean areWanted(OperatorConfig config) {
    if (config.webhook() && !config.foreignPods()) {
      LOG.warn(
          "Executors that the webhook pins are not watched, because NUMASPARK_FOREIGN_PODS is false: no metric, alert or event shows them;"
              + " set foreignPods=true in the chart");
    }
    return config.webhook() && config.foreignPods();
  }

  static ForeignParts of(
      KubernetesClient podClient, PlanStore plans, AgentWatches agents, Clock clock) {
    return new ForeignParts(new ForeignWatches(podClient), plans, agents, clock);
  }

  /** Adds them to the operator. */
  void register(
      Operator operator, OperatorConfig config, PrometheusRegistry registry, EventRecorder events) {
    operator.register(
        new ForeignReconciler(watches, new SaidOnce(), events, clock),
        settings ->
            ForeignWatches.configure(
                OperatorAssembly.retrying(settings),
                config.lease().map(OperatorConfig.Lease::namespace)));
    ForeignMetrics.register(
        registry,
        () ->
            ForeignExecutors.byPinning(
                watches.executors(), agents.executorReports(clock.instant()), plans::machine),
        () -> ForeignExecutors.notInjected(watches.executors()));
  }
}
