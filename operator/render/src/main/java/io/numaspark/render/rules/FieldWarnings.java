package io.numaspark.render.rules;

import io.numaspark.api.v1alpha1.DynamicAllocation;
import io.numaspark.api.v1alpha1.ExecutorSpec;
import io.numaspark.api.v1alpha1.ExecutorSpec.Sizing;
import io.numaspark.api.v1alpha1.Monitoring;
import io.numaspark.api.v1alpha1.RestartPolicy;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Workload;
import io.numaspark.api.v1alpha1.UiOptions;
import io.numaspark.render.application.DriverUi;
import io.numaspark.render.application.DynamicExecutors;
import io.numaspark.render.application.UiPolicy;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.scheduling.BatchScheduling;
import java.util.ArrayList;
import java.util.List;

/**
 * Fields that an application gives and that do nothing, one sentence each with the field and what
 * to do instead; silence would let people believe in them.
 *
 * <p>Limit: of Spark properties only the master is looked at, pod templates are not.
 */
public final class FieldWarnings {
  private final SparkApplicationSpec spec;
  private final UiPolicy ui;
  private final List<String> warnings = new ArrayList<>();

  private FieldWarnings(SparkApplicationSpec spec, UiPolicy ui) {
    this.spec = spec;
    this.ui = ui;
  }

  public static List<String> of(SparkApplicationSpec spec, UiPolicy ui) {
    FieldWarnings fields = new FieldWarnings(spec, ui);
    fields.checkLegacy();
    fields.checkExecutor();
    fields.checkMaster();
    fields.checkDynamicAllocation();
    fields.checkRestartPolicy();
    fields.checkMonitoring();
    fields.checkUi();
    fields.checkBatchScheduler();
    return List.copyOf(fields.warnings);
  }

  private void checkLegacy() {
    warnIf(
        spec.failureRetries() != null, "failureRetries", "use spec.restartPolicy.onFailureRetries");
    warnIf(
        spec.retryInterval() != null,
        "retryInterval",
        "use spec.restartPolicy.onFailureRetryInterval");
    warnIf(
        spec.pythonVersion() != null,
        "pythonVersion",
        "the image decides which Python runs; choose the image, or set spark.pyspark.python");
    warnIf(
        spec.kerberos() != null,
        "kerberos",
        "give spark.kerberos.principal and spark.kubernetes.kerberos.krb5.configMapName in"
            + " spec.sparkConf and mount the keytab by spec.driver.secrets");
    warnIf(
        spec.nodeProfile() == null
            && spec.workload() != null
            && spec.workload() != Workload.General,
        "workload",
        "it tunes executors of a spec.nodeProfile only");
  }

  private void checkExecutor() {
    ExecutorSpec executor = spec.executor();
    warnIf(
        executor.memoryLimit() != null,
        "executor.memoryLimit",
        "Spark makes an executor's memory limit equal to its request; use"
            + " spec.executor.memoryOverhead");
    if (spec.nodeProfile() == null) {
      return;
    }
    String shape =
        "with spec.nodeProfile an executor's CPUs are whole cores, requested and limited alike";
    warnIf(executor.coreRequest() != null, "executor.coreRequest", shape);
    warnIf(executor.coreLimit() != null, "executor.coreLimit", shape);
    warnIf(
        executor.memoryOverhead() != null && executor.sizing() != Sizing.Exact,
        "executor.memoryOverhead",
        "the profile's shape decides it; use spec.executor.sizing: Exact to keep it");
  }

  /** Spark 4 runs tasks in the driver then (KubernetesClusterManager.isLocal); 3.5 fails. */
  private void checkMaster() {
    String property = "spark.kubernetes.driver.master";
    String master = SparkProperties.orEmpty(spec.sparkConf()).get(property);
    if (master != null && master.startsWith("local")) {
      warnings.add(
          "spec.sparkConf[\""
              + property
              + "\"]: is "
              + master
              + ", so all tasks run in the driver, which is not pinned, and there are no executors;"
              + " remove it for executors of their own");
    }
  }

  private void checkDynamicAllocation() {
    DynamicAllocation dynamic = spec.dynamicAllocation();
    if (dynamic == null) {
      return;
    }
    boolean numbers =
        dynamic.minExecutors() != null
            || dynamic.maxExecutors() != null
            || dynamic.initialExecutors() != null;
    if (!DynamicExecutors.isEnabled(spec)) {
      warnIf(numbers, "dynamicAllocation", "it is not enabled; set enabled: true");
      return;
    }
    boolean moves =
        spec.decommission() != null && !Boolean.FALSE.equals(spec.decommission().shuffleBlocks());
    if (!DynamicExecutors.tracksShuffles(dynamic) && !moves) {
      warnings.add(
          "spec.dynamicAllocation.shuffleTrackingEnabled: is false; without it Spark ends at its"
              + " start unless something else keeps shuffle files; set spec.decommission");
    }
  }

  private void checkRestartPolicy() {
    RestartPolicy policy = spec.restartPolicy();
    if (policy == null) {
      return;
    }
    warnIf(
        policy.recovery() != null,
        "restartPolicy.recovery",
        "a repeated run starts from the beginning; let the application keep its progress itself");
    warnIf(
        policy.onFailureRetries() != null && policy.type() != RestartPolicy.Type.OnFailure,
        "restartPolicy.onFailureRetries",
        "it counts with type: OnFailure only; set the type");
  }

  private void checkMonitoring() {
    Monitoring monitoring = spec.monitoring();
    if (monitoring == null) {
      return;
    }
    boolean exposed =
        Boolean.TRUE.equals(monitoring.exposeDriverMetrics())
            || Boolean.TRUE.equals(monitoring.exposeExecutorMetrics());
    warnIf(
        monitoring.prometheus() != null && !exposed,
        "monitoring.prometheus",
        "neither exposeDriverMetrics nor exposeExecutorMetrics is true; set one");
    warnIf(
        monitoring.metricsProperties() != null && monitoring.metricsPropertiesFile() != null,
        "monitoring.metricsProperties",
        "metricsPropertiesFile is given too and wins; remove one");
    warnIf(
        monitoring.prometheus() != null
            && monitoring.prometheus().configuration() != null
            && monitoring.prometheus().configFile() != null,
        "monitoring.prometheus.configuration",
        "configFile is given too and wins; remove one");
  }

  private void checkUi() {
    UiOptions options = spec.sparkUIOptions();
    if (options == null) {
      return;
    }
    if (!DriverUi.isEnabled(spec)) {
      warnIf(true, "sparkUIOptions", "spark.ui.enabled is false; remove it");
      return;
    }
    warnIf(
        ui.gateway().isPresent() && options.ingressTLS() != null && !options.ingressTLS().isEmpty(),
        "sparkUIOptions.ingressTLS",
        "this operator makes HTTPRoutes, and the Gateway has the certificates; remove it");
    boolean wantsIngress =
        (options.ingressAnnotations() != null && !options.ingressAnnotations().isEmpty())
            || (options.ingressTLS() != null && !options.ingressTLS().isEmpty());
    warnIf(
        wantsIngress && ui.ingressUrlFormat().isEmpty(),
        "sparkUIOptions",
        "ingressAnnotations and ingressTLS need an Ingress, and this operator has no Ingress URL"
            + " format; use spec.driverIngressOptions");
  }

  private void checkBatchScheduler() {
    boolean options = spec.batchSchedulerOptions() != null;
    warnIf(
        options && spec.batchScheduler() == null,
        "batchSchedulerOptions",
        "spec.batchScheduler is missing; name volcano, yunikorn, workload or a scheduler");
    if (!options || spec.batchScheduler() == null) {
      return;
    }
    boolean kubernetes = spec.batchScheduler().equals(BatchScheduling.WORKLOAD);
    boolean yunikorn = spec.batchScheduler().equals(BatchScheduling.YUNIKORN);
    warnIf(
        !kubernetes && spec.batchSchedulerOptions().minMember() != null,
        "batchSchedulerOptions.minMember",
        "the driver creates the executors, so a group that waits for them never starts; use"
            + " spec.batchSchedulerOptions.resources");
    warnIf(
        (kubernetes || yunikorn) && spec.batchSchedulerOptions().resources() != null,
        "batchSchedulerOptions.resources",
        kubernetes
            ? "kube-scheduler counts what each executor requests"
            : "YuniKorn gets the resources of each pod instead");
    warnIf(
        !yunikorn
            && !spec.batchScheduler().equals(BatchScheduling.VOLCANO)
            && spec.batchSchedulerOptions().queue() != null,
        "batchSchedulerOptions.queue",
        kubernetes ? "kube-scheduler has no queues" : "the coscheduling plugin has no queues");
  }

  private void warnIf(boolean condition, String field, String instead) {
    if (condition) {
      warnings.add("spec." + field + ": has no effect: " + instead);
    }
  }
}
