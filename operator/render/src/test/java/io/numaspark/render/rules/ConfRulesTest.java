package io.numaspark.render.rules;

import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static io.numaspark.render.fixture.Specs.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.fixture.Resources;
import io.numaspark.render.rules.ConfRules.Pinning;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spark.app.id                                      | remove it
          spark.master                                      | remove it
          spark.submit.deployMode                           | use spec.mode
          spark.driver.host                                 | remove it
          spark.driver.port                                 | remove it
          spark.driver.blockManager.port                    | remove it
          spark.kubernetes.namespace                        | remove it
          spark.kubernetes.driver.pod.name                  | remove it
          spark.kubernetes.submitInDriver                   | remove it
          spark.kubernetes.resource.type                    | use spec.type
          spark.kubernetes.executor.podNamePrefix           | remove it
          spark.kubernetes.executor.label.numaspark.io/application | remove it
          spark.kubernetes.executor.podTemplateFile         | use spec.executor
          """)
  void whatIdentifiesTheRunIsAlwaysRefused(String key, String remedy) {
    for (Pinning pinning : Pinning.values()) {
      assertRefused(ConfRules.check(Map.of(key, "1"), pinning), key, remedy);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spark.kubernetes.executor.request.cores       | 1    | spec.executor of the SparkNodeProfile
          spark.kubernetes.executor.limit.cores         | 1    | spec.executor of the SparkNodeProfile
          spark.executor.memory                         | 1g   | spec.executor of the SparkNodeProfile
          spark.executor.memoryOverhead                 | 1g   | spec.executor of the SparkNodeProfile
          spark.executor.memoryOverheadFactor           | 0.2  | spec.executor of the SparkNodeProfile
          spark.executor.minMemoryOverhead              | 1g   | spec.executor of the SparkNodeProfile
          spark.executor.pyspark.memory                 | 1g   | Python applications only
          spark.executor.defaultJavaOptions             | -Da=b | use spec.executor.javaOptions
          spark.memory.offHeap.enabled                  | true | spec.executor of the SparkNodeProfile
          spark.memory.offHeap.size                     | 1g   | spec.executor of the SparkNodeProfile
          spark.kubernetes.memoryOverheadFactor         | 0.2  | spec.executor of the SparkNodeProfile
          spark.kubernetes.allocation.pods.allocator    | direct | use spec.executor
          spark.kubernetes.executor.pod.featureSteps    | a.B  | use spec.executor
          spark.kubernetes.executor.pod.excludedFeatureSteps | a.B | remove it
          spark.scheduler.resource.profileMergeConflicts | true | without spec.nodeProfile
          spark.plugins | a.B, org.apache.spark.scheduler.cluster.k8s.ExecutorResizePlugin | remove it from the list
          """)
  void whatWouldUndoPinningIsRefusedWithAProfileOnly(String key, String value, String remedy) {
    assertRefused(ConfRules.check(Map.of(key, value), Pinning.SPLIT), key, remedy);
    assertThat(ConfRules.check(Map.of(key, value), Pinning.NONE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "spark.executor.memoryOverhead, 1g",
    "spark.executor.memoryOverheadFactor, 0.2",
    "spark.executor.minMemoryOverhead, 1g",
    "spark.memory.offHeap.enabled, true",
    "spark.memory.offHeap.size, 1g",
    "spark.kubernetes.memoryOverheadFactor, 0.2"
  })
  void anExactSizeIsTheUsersOwn(String key, String value) {
    assertThat(ConfRules.check(Map.of(key, value), Pinning.EXACT)).isEmpty();
    assertRefused(
        ConfRules.check(Map.of(key, value), Pinning.SPLIT), key, "spec.executor.sizing: Exact");
  }

  @Test
  void otherPluginsAreTheUsers() {
    assertThat(
            ConfRules.check(
                Map.of(
                    "spark.plugins",
                    "org.apache.spark.scheduler.cluster.k8s.ExecutorRollPlugin",
                    "spark.executor.resource.gpu.amount",
                    "1"),
                Pinning.SPLIT))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "spark.executor.instances, 0",
    "spark.executor.instances, -1",
    "spark.executor.instances, many",
    "spark.executor.instances, 1.5",
    "spark.executor.instances, 9999999999",
    "spark.driver.cores, 0",
    "spark.driver.cores, two",
    "spark.driver.memory, lots",
    "spark.driver.memory, -1g",
    "spark.driver.memory, 99999999999999999999g",
    "spark.driver.memoryOverhead, 1.5g",
    "spark.driver.memoryOverheadFactor, much",
    "spark.driver.memoryOverheadFactor, -0.1"
  })
  void valuesThatAreComputedWithMustBeReadable(String key, String value) {
    assertRefused(ConfRules.check(Map.of(key, value), Pinning.NONE), key, "'" + value + "'");
    assertRefused(ConfRules.check(Map.of(key, value), Pinning.SPLIT), key, "'" + value + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.executor.instances",
        "spark.executor.cores",
        "spark.task.cpus",
        "spark.driver.cores",
        "spark.kubernetes.driver.label.team",
        "spark.executor.maxNumFailures",
        "spark.ui.port"
      })
  void everythingElseIsTheUsers(String key) {
    assertThat(ConfRules.check(Map.of(key, "7"), Pinning.SPLIT)).isEmpty();
    Manifests manifests =
        (Manifests)
            new ApplicationRenderer("spark")
                .render(
                    application("nodeProfile: test", "sparkConf: {" + key + ": '7'}"),
                    Optional.of(context(profile(), node("a", 4))));
    assertThat(manifests.sparkConf()).containsEntry(key, "7");
  }

  @Test
  void anOrdinaryApplicationsPythonMemoryIsSparksToRead() {
    assertThat(
            ConfRules.check(
                spec("type: Python", "sparkConf: {spark.executor.pyspark.memory: 1p}"), false))
        .isEmpty();
  }

  @ParameterizedTest(name = "task.cpus {0} on Spark {1}: {2}")
  @CsvSource({
    "0.5, 4.1.4, 'needs Spark 4.3, but spec.sparkVersion is 4.1.4'",
    "0.5, 3.5.9, 'needs Spark 4.3'",
    "0.5, 4.3.0, ",
    "0.5, 4.10.0, ",
    "0.5, 5.0, ",
    "0.5, , ",
    "2,   3.5.9, ",
  })
  void fractionsOfTaskCpusNeedSpark43(String cpus, String version, String message) {
    Optional<Refusal> refusal =
        ConfRules.check(
            spec(
                "sparkConf: {spark.task.cpus: '" + cpus + "'}",
                "sparkVersion: " + (version == null ? "null" : "'" + version + "'")),
            false);
    if (message == null) {
      assertThat(refusal).isEmpty();
    } else {
      assertRefused(refusal, "spark.task.cpus", message);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Python, 2g, ",
    "Python, lots, not a memory size",
    "R, 2g, Python",
    "Java, 2g, Python"
  })
  void memoryOfPythonWorkersIsForPythonOnly(String type, String size, String message) {
    Optional<Refusal> refusal =
        ConfRules.check(
            spec("type: " + type, "sparkConf: {spark.executor.pyspark.memory: " + size + "}"),
            true);
    if (message == null) {
      assertThat(refusal).isEmpty();
    } else {
      assertRefused(refusal, "spark.executor.pyspark.memory", message);
    }
  }

  @Test
  void theFirstKeyInOrderIsNamed() {
    assertRefused(
        ConfRules.check(Map.of("spark.master", "local", "spark.app.id", "x"), Pinning.NONE),
        "spark.app.id",
        "remove");
  }

  @Test
  void theUsersInstancesAreWhatTheRequestSays() {
    Manifests manifests =
        (Manifests)
            new ApplicationRenderer("spark")
                .render(
                    application(
                        "sparkConf: {spark.executor.instances: '7'}", "executor: {instances: 2}"),
                    Optional.empty());
    assertThat(manifests.executors().instances()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Java   | {}                                                                                    | 1408Mi
          Python | {}                                                                                    | 1433Mi
          Java   | {spark.driver.memory: 10g}                                                            | 11264Mi
          Java   | {spark.driver.memory: 10g, spark.driver.memoryOverheadFactor: '0.3'}                  | 13312Mi
          Java   | {spark.driver.memory: 10g, spark.kubernetes.memoryOverheadFactor: '0.2'}              | 12288Mi
          Java   | {spark.driver.memory: 10g, spark.driver.memoryOverhead: 1g}                           | 11264Mi
          """)
  void driverPodIsAsLargeAsSparkMakesIt(String type, String conf, String memory) {
    Manifests manifests =
        (Manifests)
            new ApplicationRenderer("spark")
                .render(
                    Resources.application(
                        """
                        {metadata: {name: a}, spec: {type: %s, image: i, mainClass: M, mainApplicationFile: f, sparkConf: %s}}
                        """
                            .formatted(type, conf)),
                    Optional.empty());
    assertThat(
            manifests
                .driverPod()
                .getSpec()
                .getContainers()
                .get(0)
                .getResources()
                .getLimits()
                .get("memory"))
        .hasToString(memory);
  }

  private static void assertRefused(Optional<Refusal> refusal, String key, String text) {
    assertThat(refusal).isPresent();
    assertThat(refusal.get().reason()).isEqualTo("SparkConfRefused");
    assertThat(refusal.get().message())
        .startsWith("spec.sparkConf[\"" + key + "\"]: ")
        .contains(text);
  }
}
