package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailedExecutorsTest {
  private final FailedExecutors failed =
      new FailedExecutors(pod -> "Failed".equals(pod.getStatus().getPhase()));

  @Test
  void aFailureIsKeptUntilItIsCounted() {
    Pod first = executor("pi-exec-1", "Failed");
    failed.see(executor("pi-exec-1", "Running"));
    failed.see(first);
    failed.see(first);
    failed.see(executor("pi-exec-2", "Running"));
    assertThat(failed.of("default", "spark-1")).containsExactly(first);
    assertThat(failed.of("other", "spark-1")).isEmpty();

    Pod second = executor("pi-exec-2", "Failed");
    failed.see(second);
    failed.counted("default", "spark-1", List.of(first));
    assertThat(failed.of("default", "spark-1")).as("seen meanwhile").containsExactly(second);
    failed.counted("default", "spark-1", List.of(second));
    assertThat(failed.of("default", "spark-1")).isEmpty();
  }

  private static Pod executor(String name, String phase) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .addToLabels("spark-role", "executor")
        .addToLabels("spark-app-selector", "spark-1")
        .endMetadata()
        .withNewStatus()
        .withPhase(phase)
        .endStatus()
        .build();
  }
}
