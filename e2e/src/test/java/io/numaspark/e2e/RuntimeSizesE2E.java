package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.e2e.RuntimeNode.Container;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Executors larger than a slot, gangs and executors that come and go, where the container runtime
 * pins.
 */
@Order(32)
@Tag("runtime-sizes")
class RuntimeSizesE2E {
  private static final String NAME = "runtime-sizes";
  private static final String EXECUTORS = Applications.executors(NAME);
  private static final String HOLDER = "slot-holder";
  private static final int SLOTS = 3;

  /** CPUs of one NUMA node's two slots. */
  private static final int TWO_SLOTS = 8;

  @BeforeEach
  void applyProfile() {
    Applications.applyProfile();
    RuntimeNode.awaitPinner("True");
    RuntimeNode.awaitFreeSlots(SLOTS);
  }

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Lab.kubectl("delete", "pod", "--selector=app=" + HOLDER, "--wait=true").orFail();
    Applications.awaitNoPods(NAME);
  }

  @Test
  void anExecutorOfTwoSlotsWaitsForThemAndIsPinnedInsideOneNumaNode() {
    for (int i = 0; i < 2; i++) {
      Lab.apply(RuntimeNode.executorPod(HOLDER + "-" + i, HOLDER, 1, "1")).orFail();
      RuntimeNode.awaitRunning(HOLDER + "-" + i);
    }
    RuntimeNode.awaitFreeSlots(1);
    Lab.apply(
            Applications.pinned(
                    NAME, Applications.SPARK, Applications.MAIN_CLASS, 1, "[\"4\", \"600\"]")
                .replace("nodeProfile:", "start: AllOrNothing\n  nodeProfile:")
                .replace(
                    "instances: 1",
                    "instances: 1\n    sizing: Exact\n    cores: 8\n    memory: 768m\n    memoryOverhead: 384m"))
        .orFail();
    Lab.awaitObject(
        "sparkapplications.numaspark.io",
        NAME,
        RuntimeNode.START,
        app -> Lab.condition(app, "Ready").path("reason").asText().equals("WaitingForSlots"));
    assertThat(Lab.list("pods", "numaspark.io/application=" + NAME)).isEmpty();

    Lab.kubectl("delete", "pod", "--selector=app=" + HOLDER, "--wait=true").orFail();
    JsonNode application =
        Lab.awaitObject(
            "sparkapplications.numaspark.io",
            NAME,
            RuntimeNode.START,
            app ->
                app.at("/status/executorCounts/pinned").asInt() == 1
                    || app.at("/status/executorCounts/notPinned").asInt() == 1);
    JsonNode executor = application.at("/status/executors/0");
    assertThat(executor.path("pinned").asText()).as(executor.toString()).isEqualTo("True");
    CpuSet cpus = CpuSet.parse(executor.path("cpus").asText());
    assertThat(cpus.size()).isEqualTo(TWO_SLOTS);
    Container container = RuntimeNode.executors(EXECUTORS).values().iterator().next();
    assertThat(container.set()).isEqualTo(cpus);
    assertThat(container.memoryNodes()).isEqualTo(executor.path("numaNode").asText());
    RuntimeNode.assertNobodyElseIsOnSlots(EXECUTORS, List.of());
  }

  @Test
  void executorsFollowTheWorkAndGiveTheirSlotsBack() {
    Lab.apply(
            Applications.pinned(
                        NAME,
                        Applications.SPARK,
                        "io.numaspark.examples.Waves",
                        1,
                        "[\"2\", \"1\", \"900\"]")
                    .replace(
                        "nodeProfile:",
                        "dynamicAllocation: {enabled: true, initialExecutors: 1, minExecutors: 1, maxExecutors: 2}\n  nodeProfile:")
                + "    spark.dynamicAllocation.executorIdleTimeout: 60s\n")
        .orFail();
    Lab.awaitObject(
        "sparkapplications.numaspark.io",
        NAME,
        RuntimeNode.START,
        app -> app.at("/status/executorCounts/pinned").asInt() == 2);
    RuntimeNode.awaitFreeSlots(1);
    Applications.awaitCompleted(NAME, RuntimeNode.START);
    assertThat(Applications.driverLines(NAME, "BUSY ")).containsExactly("BUSY executors=2");
    assertThat(Applications.driverLines(NAME, "IDLE ")).containsExactly("IDLE executors=1");
    RuntimeNode.awaitFreeSlots(SLOTS);
    await("the scheduler to see them")
        .atMost(Duration.ofMinutes(2))
        .until(() -> Applications.publishedSlots().equals(String.valueOf(SLOTS)));
  }
}
