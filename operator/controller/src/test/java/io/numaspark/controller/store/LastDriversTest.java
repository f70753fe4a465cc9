package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import org.junit.jupiter.api.Test;

class LastDriversTest {
  private final LastDrivers ended = new LastDrivers();

  @Test
  void howADriverEndedIsKeptUntilItIsTold() {
    SparkApplication application = application("null");
    ended.see(application, pod("Running", null));
    assertThat(ended.of("default", "spark-1")).as("it may go on").isEmpty();

    Pod succeeded = pod("Succeeded", null);
    ended.see(application, succeeded);
    assertThat(ended.of("default", "spark-1")).contains(succeeded);
    assertThat(ended.of("other", "spark-1")).isEmpty();
    ended.forget("default", "spark-1");
    assertThat(ended.of("default", "spark-1")).isEmpty();
  }

  @Test
  void theLastVersionOfADriverThatIsBeingDeletedCounts() {
    SparkApplication application = application("u1");
    ended.see(application, pod("Running", "2026-11-21T08:00:00Z"));
    Pod failed = pod("Failed", "2026-11-21T08:00:00Z");
    ended.see(application, failed);
    assertThat(ended.of("default", "spark-1")).contains(failed);
  }

  @Test
  void aPodThatOnlySaysThatItIsTheDriverIsNotBelieved() {
    SparkApplication application = application("u1");
    for (int i = 0; i < 100; i++) {
      ended.see(
          application,
          new PodBuilder(pod("Failed", null))
              .editMetadata()
              .withName("stranger-" + i)
              .addToLabels("spark-app-selector", "spark-" + i)
              .endMetadata()
              .build());
    }
    ended.see(
        application,
        new PodBuilder(pod("Failed", null))
            .editMetadata()
            .withOwnerReferences()
            .endMetadata()
            .build());
    ended.see(
        application,
        new PodBuilder(pod("Failed", null)).editMetadata().withUid("u2").endMetadata().build());
    assertThat(ended.size()).isZero();
  }

  private static SparkApplication application(String podUid) {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkApplication
        metadata: {name: pi, namespace: default, uid: 11111111-2222-3333-4444-555555555555}
        status:
          sparkApplicationId: spark-1
          run: {attempt: 1}
          driverInfo: {podName: pi-driver, podUid: %s}
        """
            .formatted(podUid),
        SparkApplication.class);
  }

  private static Pod pod(String phase, String deleted) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("pi-driver")
        .withNamespace("default")
        .withUid("u1")
        .withDeletionTimestamp(deleted)
        .addToLabels("spark-role", "driver")
        .addToLabels("spark-app-selector", "spark-1")
        .addNewOwnerReference()
        .withUid("11111111-2222-3333-4444-555555555555")
        .endOwnerReference()
        .endMetadata()
        .withNewStatus()
        .withPhase(phase)
        .endStatus()
        .build();
  }
}
