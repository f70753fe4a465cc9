package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A kubelet that rejects an executor because something takes room that the operator does not see:
 * here memory of one NUMA node, of a pod that it may not watch. The free slots are withheld, few
 * pods are wasted, and it heals when the room is there again. The tests follow each other.
 */
@Order(18)
@Tag("tenants")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WithheldSlotsE2E {
  private static final String NAME = "rejected-executors";
  private static final String UNSEEN = "unseen";
  private static final String PROFILE = "sparknodeprofiles.numaspark.io";
  private static final int EXECUTORS = 3;
  private static final Duration LONG = Duration.ofMinutes(10);

  /** While slots are offered again, at most so many executors are on their way to a node. */
  private static final int REJECTED_AT_ONCE = EXECUTORS;

  @BeforeAll
  static void takeMemoryBehindTheOperatorsBack() {
    Releases.finished(Lab.upgradeRelease("--set=foreignPods=false"));
    Applications.applyProfile();
    Lab.awaitObject(
        PROFILE, "dual-socket", LONG, profile -> profile.at("/status/slots/total").asInt() == 3);
    // Nearly all of one NUMA node's 4.8 GB, and no whole CPU that an agent could report.
    Lab.apply(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s}
            spec:
              nodeSelector: {node.example.com/pool: spark-metal}
              tolerations: [{key: numaspark.io/pinned, operator: Exists}]
              terminationGracePeriodSeconds: 0
              automountServiceAccountToken: false
              containers:
                - name: main
                  image: docker.io/numaspark/pause:lab
                  imagePullPolicy: Never
                  resources: {limits: {cpu: 100m, memory: 4200Mi}}
            """
                .formatted(UNSEEN))
        .orFail();
    Lab.awaitObject("pod", UNSEEN, LONG, pod -> phase(pod).equals("Running"));
  }

  @AfterAll
  static void cleanUp() {
    Lab.kubectl("uncordon", NodeTools.NODE).orFail();
    Lab.delete("pod", UNSEEN);
    RowShuffle.delete(NAME);
    Applications.awaitNoPods(NAME);
    Releases.finished(Lab.upgradeRelease());
  }

  @Test
  @Order(1)
  void aRejectionWithholdsTheFreeSlotsAndWastesFewPods() {
    // Its job begins with the executors that have room.
    RowShuffle.apply(
        NAME,
        EXECUTORS,
        Duration.ofMinutes(30),
        "spark.scheduler.minRegisteredResourcesRatio: \"0.1\"\n");
    JsonNode profile =
        Lab.awaitObject(
            PROFILE,
            "dual-socket",
            LONG,
            object ->
                Lab.condition(object, "SlotsWithheld").path("status").asText().equals("True"));
    assertThat(Lab.condition(profile, "SlotsWithheld").path("message").asText())
        .contains("TopologyAffinityError", NodeTools.NODE);
    await("the executors that have room run").atMost(LONG).until(() -> executors("Running") >= 1);

    Duration watched = Duration.ofSeconds(150);
    await().atMost(watched.plusMinutes(1)).pollDelay(watched).until(() -> true);
    // Withheld for 30 s, then 60 s, then 120 s: three offers in this time, a fourth as it ends.
    assertThat(executors("Failed"))
        .as("executors that were created in vain")
        .isPositive()
        .isLessThanOrEqualTo(4 * REJECTED_AT_ONCE);
    assertThat(Lab.state(Lab.get("sparkapplications.numaspark.io", NAME))).isEqualTo("RUNNING");
  }

  @Test
  @Order(2)
  void aRestartOfTheKubeletLeavesExecutorsPagesAndTheWithheldSlots() {
    await("pages of the running executors")
        .atMost(LONG)
        .until(() -> RowShuffle.foldersOfExecutors().size() >= 1);
    List<String> running = runningUids();
    List<String> folders = RowShuffle.foldersOfExecutors();
    Lab.nodeExec(NodeTools.NODE, "systemctl", "restart", "kubelet").orFail();
    Lab.awaitObject(
        "node",
        NodeTools.NODE,
        LONG,
        node -> Lab.condition(node, "Ready").path("status").asText().equals("True"));
    await("what runs stays, and no slot is given that is not there")
        .atMost(Duration.ofMinutes(3))
        .during(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              assertThat(runningUids()).containsAll(running);
              assertThat(RowShuffle.foldersOfExecutors()).containsAll(folders);
              assertThat(Integer.parseInt(Applications.publishedSlots()))
                  .isBetween(running.size(), EXECUTORS);
            });
  }

  @Test
  @Order(3)
  void aDrainTakesExecutorsAndPagesAway() {
    Lab.kubectl(
            "drain",
            NodeTools.NODE,
            "--ignore-daemonsets",
            "--delete-emptydir-data",
            "--force",
            "--pod-selector=numaspark.io/application=" + NAME,
            "--timeout=300s")
        .orFail();
    assertThat(executors("Running")).isZero();
    await("pages of drained executors are deleted")
        .atMost(LONG)
        .pollInterval(Duration.ofSeconds(5))
        .untilAsserted(() -> assertThat(RowShuffle.foldersOfExecutors()).isEmpty());
  }

  @Test
  @Order(4)
  void itHealsWhenTheRoomIsThereAgain() {
    Lab.delete("pod", UNSEEN);
    Lab.kubectl("uncordon", NodeTools.NODE).orFail();
    Lab.awaitObject(
        "sparkapplications.numaspark.io",
        NAME,
        Duration.ofMinutes(15),
        // Those that were drained count as pinned too.
        object ->
            object.at("/status/executorCounts/running").asInt() == EXECUTORS
                && Lab.condition(object, "Pinned").path("status").asText().equals("True"));
    Lab.awaitObject(
        PROFILE,
        "dual-socket",
        LONG,
        object -> Lab.condition(object, "SlotsWithheld").path("status").asText().equals("False"));
    assertThat(Applications.publishedSlots()).isEqualTo("3");
  }

  private static long executors(String phase) {
    return Lab.list("pods", Applications.executors(NAME)).stream()
        .filter(pod -> phase(pod).equals(phase))
        .count();
  }

  private static List<String> runningUids() {
    return Lab.list("pods", Applications.executors(NAME)).stream()
        .filter(pod -> phase(pod).equals("Running"))
        .map(pod -> pod.at("/metadata/uid").asText())
        .toList();
  }

  private static String phase(JsonNode pod) {
    return pod.at("/status/phase").asText();
  }
}
