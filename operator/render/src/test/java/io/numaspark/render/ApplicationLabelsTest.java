package io.numaspark.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.fixture.Specs;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The application's own labels, by which people find and bill pods, are on its pods. */
class ApplicationLabelsTest {
  private static final String EXECUTOR = "spark.kubernetes.executor.label.";

  @Test
  void bothPodsCarryThem() {
    Manifests manifests = render(Map.of("team", "data"));
    assertThat(manifests.driverPod().getMetadata().getLabels()).containsEntry("team", "data");
    assertThat(manifests.sparkConf()).containsEntry(EXECUTOR + "team", "data");
  }

  @Test
  void theLabelsOfTheSpecWin() {
    Manifests manifests =
        render(
            Map.of("team", "data"), "driver: {labels: {team: d}}, executor: {labels: {team: e}}");
    assertThat(manifests.driverPod().getMetadata().getLabels()).containsEntry("team", "d");
    assertThat(manifests.sparkConf()).containsEntry(EXECUTOR + "team", "e");
  }

  @Test
  void thoseThatFindPodsAreNotTaken() {
    Manifests plain = render(Map.of());
    Manifests manifests =
        render(
            Map.of(
                "spark-role", "executor",
                "spark-app-selector", "other",
                "numaspark.io/attempt", "7",
                "app.kubernetes.io/managed-by", "someone"));
    assertThat(manifests.driverPod().getMetadata().getLabels())
        .isEqualTo(plain.driverPod().getMetadata().getLabels());
    assertThat(manifests.sparkConf()).isEqualTo(plain.sparkConf());
  }

  @Test
  void servicesAndConfigurationStayAsTheyAre() {
    Manifests manifests = render(Map.of("team", "data"));
    assertThat(manifests.driverService().getMetadata().getLabels()).doesNotContainKey("team");
    assertThat(manifests.driverService().getSpec().getSelector()).doesNotContainKey("team");
    assertThat(manifests.configuration().getMetadata().getLabels()).doesNotContainKey("team");
  }

  private static Manifests render(Map<String, String> labels, String... fields) {
    SparkApplication application = Specs.application(fields);
    application.getMetadata().setLabels(labels);
    return (Manifests) new ApplicationRenderer("spark").render(application, Optional.empty());
  }
}
