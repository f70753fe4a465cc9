package io.numaspark.render.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.text.Labels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicationIdentityTest {
  private static final String AIRFLOW = "labels: {spark_kubernetes_operator: 'True', dag_id: d}";

  @ParameterizedTest(name = "attempt {1} with {0}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "                                                                   | 1 | pi-driver",
        "                                                                   | 2 | pi-driver-2",
        "podName: own                                                       | 1 | own",
        "podName: own                                                       | 2 | own-2",
        "labels: {spark_kubernetes_operator: 'True', dag_id: d}             | 1 | pi-driver",
        "labels: {spark_kubernetes_operator: 'True', dag_id: d}             | 7 | pi-driver",
        "podName: own, labels: {spark_kubernetes_operator: 'True'}          | 2 | own",
        "labels: {dag_id: d}                                                | 2 | pi-driver-2",
      })
  void theDriverOfEachAttempt(String driver, int attempt, String name) {
    SparkApplication application = application(driver == null ? "" : driver, "");
    assertThat(ApplicationIdentity.of(application, attempt).names().driverPod()).isEqualTo(name);
  }

  @Test
  void aDriverThatExistsKeepsItsNameWhateverTheSpecSays() {
    SparkApplication application =
        application(AIRFLOW, "run: {attempt: 2}, driverInfo: {podName: pi-driver-2}");
    assertThat(ApplicationIdentity.of(application).names().driverPod()).isEqualTo("pi-driver-2");
    assertThat(ApplicationIdentity.of(application, 3).names().driverPod()).isEqualTo("pi-driver");
    assertThat(ApplicationIdentity.of(application, 1).names().driverPod()).isEqualTo("pi-driver");
  }

  /** Two attempts may have drivers of one name, and two applications one after the other. */
  @Test
  void aPodOfAnotherAttemptIsNotOwned() {
    SparkApplication application = application(AIRFLOW, "");
    ApplicationIdentity first = ApplicationIdentity.of(application, 1);
    ApplicationIdentity second = ApplicationIdentity.of(application, 2);
    Pod driver = pod("u", first.names().sparkAppId());
    assertThat(first.owns(driver)).isTrue();
    assertThat(second.owns(driver)).isFalse();
    assertThat(first.owns(pod("other", first.names().sparkAppId()))).isFalse();
    assertThat(first.owns(new PodBuilder().withNewMetadata().endMetadata().build())).isFalse();
  }

  private static Pod pod(String owner, String sparkAppId) {
    return new PodBuilder()
        .withNewMetadata()
        .addToLabels(Labels.SPARK_APP_SELECTOR, sparkAppId)
        .addNewOwnerReference()
        .withUid(owner)
        .endOwnerReference()
        .endMetadata()
        .build();
  }

  private static SparkApplication application(String driver, String status) {
    return Serialization.unmarshal(
        "metadata: {name: pi, namespace: team, uid: u}\nspec: {driver: {%s}}\nstatus: {%s}"
            .formatted(driver, status),
        SparkApplication.class);
  }
}
