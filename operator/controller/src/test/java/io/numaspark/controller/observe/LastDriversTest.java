package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;

class LastDriversTest {
  private final LastDrivers ended = new LastDrivers();

  @Test
  void howADriverEndedIsKeptUntilItIsTold() {
    ended.see(pod("driver", "Running", null));
    assertThat(ended.of("default", "spark-1")).as("it may go on").isEmpty();

    Pod succeeded = pod("driver", "Succeeded", null);
    ended.see(succeeded);
    assertThat(ended.of("default", "spark-1")).contains(succeeded);
    assertThat(ended.of("other", "spark-1")).isEmpty();
    ended.forget("default", "spark-1");
    assertThat(ended.of("default", "spark-1")).isEmpty();
  }

  @Test
  void theLastVersionOfADriverThatIsBeingDeletedCounts() {
    ended.see(pod("driver", "Running", "2026-11-21T08:00:00Z"));
    Pod failed = pod("driver", "Failed", "2026-11-21T08:00:00Z");
    ended.see(failed);
    assertThat(ended.of("default", "spark-1")).contains(failed);
  }

  @Test
  void executorsAreNotKept() {
    ended.see(pod("executor", "Failed", null));
    assertThat(ended.of("default", "spark-1")).isEmpty();
  }

  private static Pod pod(String role, String phase, String deleted) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("pi-" + role)
        .withNamespace("default")
        .withDeletionTimestamp(deleted)
        .addToLabels("spark-role", role)
        .addToLabels("spark-app-selector", "spark-1")
        .endMetadata()
        .withNewStatus()
        .withPhase(phase)
        .endStatus()
        .build();
  }
}
