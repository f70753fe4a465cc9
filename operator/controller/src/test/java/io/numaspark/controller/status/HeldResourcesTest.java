package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Prices;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeldResourcesTest {
  private static final Pod DRIVER = pod("1", "2Gi", "10:00:00", "11:00:00");

  /** Times of a day; null for one that is not known. */
  private static Pod pod(String cpu, String memory, String start, String end) {
    return new PodBuilder()
        .withNewSpec()
        .addNewContainer()
        .withNewResources()
        .withRequests(Map.of("cpu", new Quantity(cpu), "memory", new Quantity(memory)))
        .endResources()
        .endContainer()
        .endSpec()
        .withNewStatus()
        .withStartTime(time(start))
        .addNewContainerStatus()
        .withNewState()
        .withNewTerminated()
        .withFinishedAt(time(end))
        .endTerminated()
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }

  private static String time(String ofDay) {
    return ofDay == null ? null : "2026-11-25T" + ofDay + "Z";
  }

  @Test
  void executorsHoldTheirCpusUntilTheyEnd() {
    HeldResources held =
        new HeldResources(
            DRIVER,
            List.of(
                pod("4", "8Gi", "10:00:00", "10:30:00"), pod("1500m", "8Gi", "10:15:00", null)));
    // 4 CPUs for half an hour, and 1.5 until the driver ends.
    assertThat(held.executorCpuHours().orElseThrow()).isEqualTo(2 + 1.5 * 0.75, within(1e-9));
  }

  @Test
  void theDriverCostsToo() {
    HeldResources held =
        new HeldResources(DRIVER, List.of(pod("4", "8Gi", "10:00:00", "10:30:00")));
    assertThat(held.cost(new Prices("0.04", "0.005")).orElseThrow())
        .isEqualTo((0.04 + 2 * 0.005) + (4 * 0.04 + 8 * 0.005) / 2, within(1e-9));
  }

  @Test
  void nothingIsGuessed() {
    assertThat(new HeldResources(DRIVER, List.of()).executorCpuHours()).isEmpty();
    assertThat(new HeldResources(DRIVER, List.of()).cost(new Prices("1", "1"))).isEmpty();
    List<Pod> unknownStart = List.of(pod("1", "1Gi", null, "10:30:00"));
    assertThat(new HeldResources(DRIVER, unknownStart).executorCpuHours()).isEmpty();
    List<Pod> backwards = List.of(pod("1", "1Gi", "10:30:00", "10:00:00"));
    assertThat(new HeldResources(DRIVER, backwards).executorCpuHours()).isEmpty();
    Pod lost = pod("1", "1Gi", "10:00:00", null);
    assertThat(new HeldResources(lost, List.of(lost)).executorCpuHours()).isEmpty();
  }
}
