package io.numaspark.controller.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.numaspark.controller.fixture.FakeClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
  @Test
  void whatMayBeWrittenAgainIsForgotten() {
    FakeClock clock = new FakeClock(Instant.EPOCH);
    try (KubernetesClient nobody = clientOfNoServer();
        EventRecorder events = new EventRecorder(nobody, clock, "operator")) {
      for (int i = 0; i < 100; i++) {
        events.record(pod("early-" + i), false, "Running", "it runs");
      }
      assertThat(events.remembered()).isEqualTo(100);

      clock.advance(Duration.ofMinutes(10).plusSeconds(1));
      events.record(pod("late"), false, "Running", "it runs");
      assertThat(events.remembered()).isEqualTo(1);
    }
  }

  private static Pod pod(String name) {
    return new PodBuilder().withNewMetadata().withName(name).withUid(name).endMetadata().build();
  }

  private static KubernetesClient clientOfNoServer() {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder()
                .withMasterUrl("http://127.0.0.1:1")
                .withRequestRetryBackoffLimit(0)
                .build())
        .build();
  }
}
