package io.numaspark.render.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotRequestTest {
  @ParameterizedTest
  @CsvSource({"4, 4", "3500m, 4", "1, 1", "-1, 0", "0, 0", "1e999999999, 1048576"})
  void cpusAreWholeAndBounded(String cpu, int expected) {
    Pod pod = pod("{requests: {cpu: '%s', slots.numaspark.io/a: 1}}".formatted(cpu));
    assertThat(SlotRequest.cpus(SlotRequest.of(pod).orElseThrow().container())).isEqualTo(expected);
  }

  @Test
  void aPodWithoutSlotsHasNone() {
    assertThat(SlotRequest.of(pod("{requests: {cpu: 4, example.com/gpu: 1}}"))).isEmpty();
    assertThat(SlotRequest.of(pod("{}"))).isEmpty();
    assertThat(SlotRequest.of(new Pod())).isEmpty();
    assertThat(SlotRequest.cpus(pod("{}").getSpec().getContainers().get(0))).isZero();
  }

  private static Pod pod(String resources) {
    return Serialization.unmarshal(
        """
        kind: Pod
        metadata: {name: p}
        spec: {containers: [{name: c, resources: %s}]}
        """
            .formatted(resources),
        Pod.class);
  }
}
