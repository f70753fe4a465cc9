package io.numaspark.render.rules;

import static io.numaspark.render.fixture.Renderings.ordinary;
import static io.numaspark.render.fixture.Renderings.pinned;
import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult.Manifests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldWarningsTest {
  private final ProfileContext profile = context(profile(), node("a", 4));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'failureRetries: 3'                                              | spec.failureRetries: has no effect: use spec.restartPolicy.onFailureRetries
          'retryInterval: 3'                                               | spec.retryInterval: has no effect: use spec.restartPolicy
          'pythonVersion: "3"'                                             | spec.pythonVersion: has no effect: the image decides
          'workload: Streaming'                                            | spec.workload: has no effect: it tunes executors of a spec.nodeProfile
          'executor: {memoryLimit: 2g}'                                    | spec.executor.memoryLimit: has no effect: Spark makes
          'dynamicAllocation: {maxExecutors: 2}'                           | spec.dynamicAllocation: has no effect: it is not enabled
          'dynamicAllocation: {enabled: true, shuffleTrackingEnabled: false}' | spec.dynamicAllocation.shuffleTrackingEnabled: is false
          'restartPolicy: {type: Never, onFailureRetries: 3}'              | spec.restartPolicy.onFailureRetries: has no effect: it counts with type: OnFailure
          'monitoring: {prometheus: {jmxExporterJar: j}}'                  | spec.monitoring.prometheus: has no effect: neither
          'monitoring: {exposeDriverMetrics: true, metricsProperties: a, metricsPropertiesFile: b}' | spec.monitoring.metricsProperties: has no effect: metricsPropertiesFile
          'monitoring: {exposeDriverMetrics: true, prometheus: {jmxExporterJar: j, configFile: a, configuration: b}}' | spec.monitoring.prometheus.configuration: has no effect: configFile
          'sparkUIOptions: {ingressAnnotations: {a: b}}'                   | spec.sparkUIOptions: has no effect: ingressAnnotations and ingressTLS need an Ingress
          'sparkUIOptions: {servicePort: 80}, sparkConf: {spark.ui.enabled: "false"}' | spec.sparkUIOptions: has no effect: spark.ui.enabled is false
          'batchSchedulerOptions: {queue: q}'                              | spec.batchSchedulerOptions: has no effect: spec.batchScheduler is missing
          'batchScheduler: yunikorn, batchSchedulerOptions: {resources: {cpu: 1}}' | spec.batchSchedulerOptions.resources: has no effect: YuniKorn
          'restartPolicy: {type: OnFailure, onFailureRetries: 1, recovery: {storeProfile: s}}' | spec.restartPolicy.recovery: has no effect: a repeated run
          'kerberos: {principal: p}'                                       | spec.kerberos: has no effect: give spark.kerberos.principal
          'sparkConf: {spark.kubernetes.driver.master: "local[4]"}'        | 'spec.sparkConf["spark.kubernetes.driver.master"]: is local[4], so all tasks run in the driver'
          'batchScheduler: workload, batchSchedulerOptions: {queue: q}'    | spec.batchSchedulerOptions.queue: has no effect: kube-scheduler has no queues
          'batchScheduler: workload, batchSchedulerOptions: {resources: {cpu: 1}}' | spec.batchSchedulerOptions.resources: has no effect: kube-scheduler counts
          'batchScheduler: volcano, batchSchedulerOptions: {minMember: 2}' | spec.batchSchedulerOptions.minMember: has no effect: the driver creates
          'batchScheduler: other, batchSchedulerOptions: {queue: q}'       | spec.batchSchedulerOptions.queue: has no effect: the coscheduling plugin
          """)
  void whatHasNoEffectIsSaid(String field, String warning) {
    assertThat(ordinary(field).warnings()).singleElement().asString().startsWith(warning);
  }

  @ParameterizedTest
  @CsvSource({
    "'coreRequest: 1', spec.executor.coreRequest",
    "'coreLimit: 1200m', spec.executor.coreLimit",
    "'memoryOverhead: 1g', spec.executor.memoryOverhead",
    "'memoryLimit: 4g', spec.executor.memoryLimit"
  })
  void whatTheShapeDecidesIsSaid(String field, String name) {
    Manifests manifests = pinned(profile, "executor: {" + field + "}");
    assertThat(manifests.warnings())
        .singleElement()
        .asString()
        .startsWith(name + ": has no effect");
    assertThat(manifests.sparkConf())
        .containsEntry(
            "spark.kubernetes.executor.limit.cores",
            String.valueOf(manifests.executors().pinned().orElseThrow().cpus().cpus()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "executor: {coreRequest: 1, coreLimit: 2, memoryOverhead: 1g}",
        "dynamicAllocation: {enabled: true, maxExecutors: 3}",
        "restartPolicy: {type: OnFailure, onFailureRetries: 3}",
        "sparkUIOptions: {servicePort: 80}",
        "batchScheduler: volcano, batchSchedulerOptions: {queue: q, resources: {cpu: 1}}",
        "batchScheduler: workload, executor: {instances: 2}, batchSchedulerOptions: {minMember: 2}",
        "workload: General",
        "driver: {memoryLimit: 4g}"
      })
  void whatHasAnEffectIsNotWarnedOf(String field) {
    assertThat(ordinary(field).warnings()).isEmpty();
  }

  @Test
  void anExactSizeKeepsItsOverhead() {
    assertThat(pinned(profile, "executor: {sizing: Exact, memoryOverhead: 1g}").warnings())
        .noneMatch(warning -> warning.contains("memoryOverhead"));
  }
}
