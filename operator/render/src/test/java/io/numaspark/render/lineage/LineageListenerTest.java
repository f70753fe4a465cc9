package io.numaspark.render.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.fixture.Renderings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineageListenerTest {
  private static final String FIELD = "openLineage: {url: 'http://marquez.lineage:5000'}";
  private static final String LISTENER = "io.openlineage.spark.agent.OpenLineageSparkListener";

  @Test
  void theListenerComesAfterTheUsersOwn() {
    Manifests manifests =
        Renderings.ordinary(
            FIELD,
            "sparkConf: {spark.extraListeners: a.Mine}",
            "deps: {packages: ['%s']}".formatted("io.openlineage:openlineage-spark_2.13:1.41.0"));
    assertThat(manifests.sparkConf())
        .containsEntry("spark.extraListeners", "a.Mine," + LISTENER)
        .containsEntry("spark.openlineage.transport.type", "http")
        .containsEntry("spark.openlineage.transport.url", "http://marquez.lineage:5000")
        .containsEntry("spark.openlineage.namespace", "default")
        .doesNotContainKey("spark.openlineage.transport.endpoint");
    assertThat(manifests.warnings()).isEmpty();
  }

  @Test
  void theUsersPropertiesWin() {
    Manifests manifests =
        Renderings.ordinary(
            "openLineage: {url: 'https://a', endpoint: /in, namespace: team}",
            "sparkConf: {spark.openlineage.namespace: mine}");
    assertThat(manifests.sparkConf())
        .containsEntry("spark.openlineage.transport.endpoint", "/in")
        .containsEntry("spark.openlineage.namespace", "mine");
  }

  @Test
  void aJarThatNothingBringsIsWarnedOf() {
    assertThat(Renderings.ordinary(FIELD).warnings())
        .singleElement()
        .asString()
        .startsWith("spec.openLineage: Spark does not have the listener")
        .contains("spec.deps.packages");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "openLineage: {}",
        "openLineage: {url: 'ftp://a'}",
        "openLineage: {url: 'http://a/path'}",
        "openLineage: {url: 'http://a', endpoint: 'in'}"
      })
  void whatIsNoAddressIsRefused(String field) {
    assertThat(Renderings.refusal(field)).startsWith("spec.openLineage.");
  }

  @Test
  void anotherTransportContradictsTheField() {
    assertThat(Renderings.refusal(FIELD, "sparkConf: {spark.openlineage.transport.type: kafka}"))
        .isEqualTo(
            "spec.sparkConf[\"spark.openlineage.transport.type\"]: is kafka, but spec.openLineage"
                + " sends by HTTP; remove one of the two");
  }
}
