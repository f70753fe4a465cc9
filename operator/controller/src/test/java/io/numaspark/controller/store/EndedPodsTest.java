package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndedPodsTest {
  private final EndedPods ended = new EndedPods();

  @Test
  void howADriverEndedIsKeptUntilItIsTold() {
    SparkApplication application = application("null");
    ended.see(application, pod("Running", null));
    assertThat(ended.driver("default", "spark-1")).as("it may go on").isEmpty();

    Pod succeeded = pod("Succeeded", null);
    ended.see(application, succeeded);
    assertThat(ended.driver("default", "spark-1")).contains(succeeded);
    assertThat(ended.driver("other", "spark-1")).isEmpty();
    ended.forget("default", "spark-1");
    assertThat(ended.driver("default", "spark-1")).isEmpty();
  }

  @Test
  void theLastVersionOfADriverThatIsBeingDeletedCounts() {
    SparkApplication application = application("u1");
    ended.see(application, pod("Running", "2026-11-21T08:00:00Z"));
    Pod failed = pod("Failed", "2026-11-21T08:00:00Z");
    ended.see(application, failed);
    assertThat(ended.driver("default", "spark-1")).contains(failed);
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

  @Test
  void aFailureOfAnExecutorIsKeptUntilItIsCounted() {
    SparkApplication application = application("u1");
    Pod first = executor("pi-exec-1", "Failed");
    ended.see(application, executor("pi-exec-1", "Running"));
    ended.see(application, first);
    ended.see(application, first);
    ended.see(application, executor("pi-exec-2", "Running"));
    assertThat(ended.failedExecutors("default", "spark-1")).containsExactly(first);
    assertThat(ended.failedExecutors("other", "spark-1")).isEmpty();

    Pod second = executor("pi-exec-2", "Failed");
    ended.see(application, second);
    ended.counted("default", "spark-1", List.of(first));
    assertThat(ended.failedExecutors("default", "spark-1"))
        .as("seen meanwhile")
        .containsExactly(second);
    ended.counted("default", "spark-1", List.of(second));
    assertThat(ended.size()).isZero();
  }

  private static Pod executor(String name, String phase) {
    return new PodBuilder(pod(phase, null))
        .editMetadata()
        .withName(name)
        .withUid(name)
        .addToLabels("spark-role", "executor")
        .endMetadata()
        .build();
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
