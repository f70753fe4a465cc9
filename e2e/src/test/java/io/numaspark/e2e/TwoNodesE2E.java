package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * One profile over two unequal machines: each has the slots of its own size, an application uses
 * both, and it survives that one of them is gone from one moment to the next.
 */
@Order(41)
@Tag("two-nodes")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TwoNodesE2E {
  private static final String APPLICATION = "sparkapplications.numaspark.io";
  private static final String PROFILES = "sparknodeprofiles.numaspark.io";
  private static final String PROFILE = "both-nodes";
  private static final String NAME = "two-nodes";
  private static final String LARGE = "numa-0";
  private static final String SMALL = "numa-1";
  private static final Duration START = Duration.ofMinutes(12);

  /** Waves of tasks until the test says that it is enough; each prints who ran its tasks. */
  private static final PythonJob JOB =
      new PythonJob(
          NAME,
          """
          import os
          from pyspark.sql import SparkSession
          spark = SparkSession.builder.getOrCreate()
          system = "java_method('java.lang.System', 'getenv', 'SPARK_EXECUTOR_ID')"
          sleep = "java_method('java.lang.Thread', 'sleep', 500L)"
          while not os.path.exists("%s"):
              rows = spark.range(0, 16, 1, 16).selectExpr(system + " as executor", sleep).collect()
              print("WAVE", ",".join(sorted({row.executor for row in rows})), flush=True)
          """
              .formatted(PythonJob.ENOUGH));

  @BeforeEach
  void applyProfile() {
    Lab.delete(PROFILES, "dual-socket");
    Lab.apply(
            Lab.demo("profile.yaml")
                .replace("name: dual-socket", "name: " + PROFILE)
                .replaceAll("(?s)  topology:\\n.*?  executor:", "  executor:"))
        .orFail();
    JOB.apply();
  }

  @AfterEach
  void cleanUp() {
    Lab.delete(APPLICATION, NAME);
    Applications.awaitNoPods(NAME);
  }

  /** The cluster outlives this lab, and a node belongs to the first profile that selects it. */
  @AfterAll
  static void removeProfile() {
    Lab.delete(PROFILES, PROFILE);
  }

  @Test
  @Order(1)
  void eachNodeHasTheSlotsOfItsOwnSize() {
    JsonNode profile =
        Lab.awaitObject(
            PROFILES, PROFILE, START, found -> found.at("/status/slots/total").asInt() == 4);
    assertThat(profile.at("/status/unusableNodes")).isEmpty();
    assertThat(profile.at("/status/nodeClasses")).hasSize(2);
    awaitSlots(Map.of(LARGE, "3", SMALL, "1"));
  }

  @Test
  @Order(2)
  void anApplicationRunsPinnedOnBoth() {
    Lab.apply(
            Applications.pinned(
                    NAME, Applications.SPARK, Applications.MAIN_CLASS, 4, "[\"12\", \"60\"]")
                .replace("nodeProfile: dual-socket", "nodeProfile: " + PROFILE))
        .orFail();
    JsonNode application =
        Lab.awaitObject(
            APPLICATION, NAME, START, app -> app.at("/status/executorCounts/pinned").asInt() == 4);
    Map<String, List<JsonNode>> byNode = executorsByNode(application);
    String status = application.path("status").toPrettyString();
    assertThat(byNode.get(LARGE)).as(status).hasSize(3);
    assertThat(byNode.get(SMALL)).as(status).hasSize(1);
    assertThat(Lab.condition(application, "Pinned").path("status").asText()).isEqualTo("True");
    byNode.forEach(
        (node, executors) ->
            assertThat(executors)
                .as(status)
                .allSatisfy(
                    executor -> {
                      assertThat(executor.path("pinned").asText()).isEqualTo("True");
                      assertThat(kubeletState(node)).contains(executor.path("cpus").asText());
                      assertThat(executor.path("memoryNodes").asText())
                          .isEqualTo(executor.path("numaNode").asText());
                    }));
    Applications.awaitCompleted(NAME, START);
    assertThat(Applications.driverLines(NAME, "EXECUTOR ")).hasSize(4);
  }

  /**
   * The power of one machine fails. Spark misses the executor's heartbeats and deletes its pod; no
   * kubelet carries that out, so the operator does, and Spark requests another. No person does
   * anything.
   */
  @Test
  @Order(3)
  void anApplicationSurvivesTheLossOfANode() {
    Lab.apply(application()).orFail();
    JsonNode before =
        Lab.awaitObject(
            APPLICATION, NAME, START, app -> app.at("/status/executorCounts/pinned").asInt() == 2);
    assertThat(executorsByNode(before).keySet()).containsExactlyInAnyOrder(LARGE, SMALL);
    String lost = executorsByNode(before).get(SMALL).get(0).path("id").asText();
    await("a wave of both").atMost(START).until(() -> ranOn(lost));

    lab("node-power-cut", SMALL);
    JsonNode unreachable =
        awaitExecutor(lost, executor -> executor.path("reason").asText().equals("NodeUnreachable"));
    assertThat(unreachable.path("pinned").asText()).isEqualTo("Unknown");
    assertThat(unreachable.path("message").asText()).contains(SMALL);

    JsonNode after =
        Lab.awaitObject(
            APPLICATION,
            NAME,
            START,
            app ->
                app.at("/status/executorCounts/pinned").asInt() == 2
                    && executorsByNode(app).getOrDefault(LARGE, List.of()).size() == 2);
    assertThat(Lab.state(after)).isEqualTo("RUNNING");
    String replacement =
        executorsByNode(after).get(LARGE).stream()
            .map(executor -> executor.path("id").asText())
            .filter(id -> Integer.parseInt(id) > Integer.parseInt(lost))
            .findFirst()
            .orElseThrow();
    await("a wave of the replacement").atMost(START).until(() -> ranOn(replacement));

    // The machine comes back with an empty disk, under its old name.
    lab("up", "--topology", "two-nodes");
    lab("load-agent");
    awaitSlots(Map.of(LARGE, "3", SMALL, "1"));
    Lab.awaitObject(
        PROFILES, PROFILE, START, found -> found.at("/status/slots/total").asInt() == 4);
    JsonNode gone = awaitExecutor(lost, executor -> executor.path("phase").asText().equals("Gone"));
    assertThat(gone.path("reason").asText()).as(gone.toString()).isEqualTo("NodeUnreachable");

    JOB.end();
    JsonNode completed = Applications.awaitCompleted(NAME, START);
    assertThat(completed.at("/status/executionAttempts").asInt()).isEqualTo(1);
  }

  private static String application() {
    return JOB.manifest(2)
        .replace("nodeProfile: dual-socket", "nodeProfile: " + PROFILE)
        .replace("instances: 2", "instances: 2\n    placement: Spread")
        .replace("spark.network.timeout: 600s", "spark.network.timeout: 120s")
        .replace("heartbeatInterval: 30s", "heartbeatInterval: 10s");
  }

  private static boolean ranOn(String executor) {
    List<String> waves = Applications.driverLines(NAME, "WAVE ");
    return !waves.isEmpty()
        && List.of(waves.get(waves.size() - 1).substring("WAVE ".length()).split(","))
            .contains(executor);
  }

  private static JsonNode awaitExecutor(String id, Predicate<JsonNode> wanted) {
    JsonNode application =
        Lab.awaitObject(
            APPLICATION, NAME, START, app -> executor(app, id).stream().anyMatch(wanted));
    return executor(application, id).get(0);
  }

  private static List<JsonNode> executor(JsonNode application, String id) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode executor : application.at("/status/executors")) {
      if (executor.path("id").asText().equals(id)) {
        found.add(executor);
      }
    }
    return found;
  }

  /** Those that are pinned. */
  private static Map<String, List<JsonNode>> executorsByNode(JsonNode application) {
    Map<String, List<JsonNode>> byNode = new TreeMap<>();
    for (JsonNode executor : application.at("/status/executors")) {
      if (executor.path("pinned").asText().equals("True")) {
        byNode
            .computeIfAbsent(executor.path("node").asText(), node -> new ArrayList<>())
            .add(executor);
      }
    }
    return byNode;
  }

  private static Set<String> kubeletState(String node) {
    Set<String> cpus = new HashSet<>();
    Lab.json(Lab.nodeExec(node, "cat /var/lib/kubelet/cpu_manager_state").orFail().out())
        .path("entries")
        .forEach(pod -> pod.forEach(container -> cpus.add(container.asText())));
    return cpus;
  }

  private static void awaitSlots(Map<String, String> expected) {
    expected.forEach(
        (node, slots) ->
            Lab.awaitObject(
                "node",
                node,
                START,
                found ->
                    found
                        .at("/status/allocatable/slots.numaspark.io~1" + PROFILE)
                        .asText()
                        .equals(slots)));
  }

  private static void lab(String... arguments) {
    List<String> command = new ArrayList<>(List.of(Lab.REPOSITORY.resolve("lab/lab").toString()));
    command.addAll(List.of(arguments));
    Lab.run(command, "").orFail();
  }
}
