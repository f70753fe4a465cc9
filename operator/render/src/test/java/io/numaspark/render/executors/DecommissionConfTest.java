package io.numaspark.render.executors;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.fixture.Renderings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecommissionConfTest {
  private static final String GRACE = "spark.kubernetes.executor.terminationGracePeriodSeconds";

  private static Long grace(Manifests manifests) {
    Pod executor = Renderings.executor(manifests);
    return executor.getSpec().getTerminationGracePeriodSeconds();
  }

  @Test
  void withoutTheFieldNothingOfItIsRendered() {
    Manifests manifests = Renderings.ordinary("");
    assertThat(manifests.sparkConf().keySet()).noneMatch(key -> key.contains("decommission"));
    assertThat(grace(manifests)).isNull();
  }

  @Test
  void blocksMoveAndThePodHasTheTime() {
    Manifests manifests = Renderings.ordinary("decommission: {}");
    assertThat(manifests.sparkConf())
        .containsEntry("spark.decommission.enabled", "true")
        .containsEntry("spark.storage.decommission.enabled", "true")
        .containsEntry("spark.storage.decommission.shuffleBlocks.enabled", "true")
        .containsEntry("spark.storage.decommission.rddBlocks.enabled", "true")
        .containsEntry("spark.executor.decommission.killInterval", "120s")
        .containsEntry("spark.stage.ignoreDecommissionFetchFailure", "true")
        .containsEntry(GRACE, "120s")
        .doesNotContainKey("spark.storage.decommission.fallbackStorage.path");
    assertThat(grace(manifests)).isEqualTo(120);
    assertThat(manifests.warnings()).isEmpty();
  }

  @Test
  void onlyTheTasksEndInPeace() {
    Manifests manifests =
        Renderings.ordinary("decommission: {shuffleBlocks: false, cachedBlocks: false}");
    assertThat(manifests.sparkConf())
        .containsEntry("spark.decommission.enabled", "true")
        .containsEntry("spark.storage.decommission.enabled", "false");
  }

  @Test
  void aLongerTimeOfThePodStays() {
    Manifests manifests =
        Renderings.ordinary(
            "decommission: {graceSeconds: 30, fallbackStorage: 's3a://b/'}",
            "executor: {terminationGracePeriodSeconds: 300}");
    assertThat(manifests.sparkConf())
        .containsEntry(GRACE, "300s")
        .containsEntry("spark.executor.decommission.killInterval", "30s")
        .containsEntry("spark.storage.decommission.fallbackStorage.path", "s3a://b/");
    assertThat(grace(manifests)).isEqualTo(300);
  }

  @Test
  void theUsersPropertiesWin() {
    assertThat(
            Renderings.ordinary(
                    "decommission: {}",
                    "sparkConf: {spark.executor.decommission.killInterval: 60s}")
                .sparkConf())
        .containsEntry("spark.executor.decommission.killInterval", "60s");
  }

  @Test
  void aHookOfTheUsersIsReplacedBySparks() {
    assertThat(Renderings.ordinary("decommission: {}", "executor: {lifecycle: {}}").warnings())
        .singleElement()
        .asString()
        .endsWith("remove it or spec.decommission");
  }

  @Test
  void shuffleFilesThatMoveNeedNoTracking() {
    assertThat(
            Renderings.ordinary(
                    "decommission: {}",
                    "dynamicAllocation: {enabled: true, shuffleTrackingEnabled: false}")
                .warnings())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                          | sparkConf: {spark.decommission.enabled: "false"}         | spec.sparkConf["spark.decommission.enabled"]: is false, but spec.decommission is given
          {}                                          | sparkConf: {spark.storage.decommission.enabled: "false"} | spec.sparkConf["spark.storage.decommission.enabled"]: is false, but
          {}                                          | executor: {terminationGracePeriodSeconds: 30}            | spec.executor.terminationGracePeriodSeconds: is shorter than spec.decommission.graceSeconds; remove it
          {}                                          | executor: {template: {spec: {terminationGracePeriodSeconds: 9}}} | spec.executor.terminationGracePeriodSeconds: is 9, shorter than
          {}                                          | shuffle: {storage: Pages}                                | spec.decommission.shuffleBlocks: moves files, which spec.shuffle.storage: Pages
          {graceSeconds: 9}                           | arguments: []                                            | spec.decommission.graceSeconds: Invalid value: 9
          {fallbackStorage: "s3a://bucket"}           | arguments: []                                            | spec.decommission.fallbackStorage: Invalid value
          {fallbackStorage: "s3a://b/", shuffleBlocks: false} | arguments: []                                    | spec.decommission.fallbackStorage: takes shuffle blocks
          """)
  void contradictions(String decommission, String other, String message) {
    assertThat(Renderings.refusal("decommission: " + decommission, other)).startsWith(message);
  }
}
