package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Executors of another size than a slot, and executors that run one task a core. */
@Order(22)
@Tag("sizes")
class SizingE2E {
  private static final String KIND = "sparkapplications.numaspark.io";
  private static final String NAME = "sizing";
  private static final Duration START = Duration.ofMinutes(12);
  private static final int THREADS = 2; // a core

  @BeforeEach
  void applyProfile() {
    Applications.applyProfile();
    awaitSlots();
  }

  @AfterEach
  void cleanUp() {
    Lab.delete(KIND, NAME);
    Applications.awaitNoPods(NAME);
  }

  /** A whole NUMA node has four cores, and a slot has two. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({"half a slot, 1, 2", "a whole NUMA node, 1, 8"})
  void anExecutorOfItsOwnSizeIsPinned(String what, int executors, int cpus) {
    Lab.apply(
            application(executors, 20)
                .replace(
                    "instances: " + executors,
                    "instances: %d\n    sizing: Exact\n    cores: %d\n    memory: 768m\n    memoryOverhead: 384m"
                        .formatted(executors, cpus)))
        .orFail();
    for (JsonNode executor : awaitPinned(executors).at("/status/executors")) {
      assertWholeCoresOfOneNumaNode(executor, cpus);
    }
    assertThat(taskSlots()).containsOnly(String.valueOf(cpus));
    Applications.awaitCompleted(NAME, START);
  }

  @Test
  @Tag("runtime-sizes")
  void isolatedExecutorsRunOneTaskACoreAndHaveAllThreads() {
    Lab.apply(Lab.demo("profile.yaml") + "  smt: {mode: Isolated}\n").orFail();
    Lab.awaitObject(
        "sparknodeprofiles.numaspark.io",
        "dual-socket",
        START,
        profile ->
            profile.at("/status/executor/taskSlots").asInt() == 2
                && profile.at("/status/observedGeneration").asInt()
                    == profile.at("/metadata/generation").asInt());
    awaitSlots();
    Lab.apply(application(2, 20)).orFail();
    for (JsonNode executor : awaitPinned(2).at("/status/executors")) {
      assertWholeCoresOfOneNumaNode(executor, 2 * THREADS);
    }
    assertThat(taskSlots()).containsExactly("2", "2");
    Applications.awaitCompleted(NAME, START);
    // The JVM sees all threads: those of its own work may run there.
    assertThat(Applications.driverLines(NAME, "EXECUTOR ")).hasSize(2);
  }

  private static void assertWholeCoresOfOneNumaNode(JsonNode executor, int cpus) {
    String said = executor.toPrettyString();
    assertThat(executor.path("pinned").asText()).as(said).isEqualTo("True");
    CpuSet own = CpuSet.parse(executor.path("cpus").asText());
    assertThat(own.size()).as(said).isEqualTo(cpus);
    List<List<Integer>> cores = NodeTools.coresByNumaNode().get(executor.path("numaNode").asInt());
    assertThat(
            cores.stream()
                .map(core -> CpuSet.of(core.stream().mapToInt(Integer::intValue)))
                .filter(own::containsAll)
                .mapToInt(CpuSet::size)
                .sum())
        .as(said)
        .isEqualTo(cpus);
    assertThat(executor.path("memoryNodes").asText())
        .as(said)
        .isEqualTo(executor.path("numaNode").asText());
  }

  /** What Spark was told, of each executor. */
  private static List<String> taskSlots() {
    return Lab.list("pods", Applications.executors(NAME)).stream()
        .flatMap(pod -> pod.at("/spec/containers/0/env").valueStream())
        .filter(variable -> variable.path("name").asText().equals("SPARK_EXECUTOR_CORES"))
        .map(variable -> variable.path("value").asText())
        .toList();
  }

  private static JsonNode awaitPinned(int executors) {
    JsonNode application =
        Lab.awaitObject(
            KIND,
            NAME,
            START,
            app ->
                app.at("/status/executorCounts/pinned").asInt() == executors
                    || app.at("/status/executorCounts/notPinned").asInt() > 0
                    || Lab.state(app).equals("FAILED"));
    assertThat(application.at("/status/executorCounts/pinned").asInt())
        .as(application.path("status").toPrettyString())
        .isEqualTo(executors);
    return application;
  }

  private static String application(int executors, int seconds) {
    return Applications.pinned(
        NAME,
        Applications.SPARK,
        Applications.MAIN_CLASS,
        executors,
        "[\"12\", \"%d\"]".formatted(seconds));
  }

  private static void awaitSlots() {
    await("the slots of the node")
        .atMost(START)
        .until(() -> Applications.publishedSlots().equals("3"));
  }
}
