package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Executors that kube-scheduler itself places all or none, on a control plane with the features of
 * lab/controlplanes/gangs.env.
 */
@Order(33)
@Tag("kubernetes-gangs")
class KubernetesGangE2E {
  private static final String KIND = "sparkapplications.numaspark.io";
  private static final String GROUPS = "podgroups.scheduling.k8s.io";
  private static final String FIRST = "kube-gang-first";
  private static final String SECOND = "kube-gang-second";
  private static final Duration LONG = Duration.ofMinutes(12);

  /** Of a node with three slots, so that both do not fit, and one of the second would. */
  private static final int EXECUTORS = 2;

  private static final int SLOTS = 3;

  @BeforeAll
  static void grantPodGroups() {
    Releases.finished(Lab.upgradeRelease("--set=grants.podGroups=true"));
    Applications.applyProfile();
    await("the slots of the node")
        .atMost(LONG)
        .until(() -> Applications.publishedSlots().equals(String.valueOf(SLOTS)));
  }

  @AfterAll
  static void restoreGrants() {
    Releases.finished(Lab.upgradeRelease());
  }

  @AfterEach
  void cleanUp() {
    for (String name : List.of(FIRST, SECOND)) {
      Lab.delete(KIND, name);
      Applications.awaitNoPods(name);
      await("the group of " + name + " goes with its application")
          .atMost(LONG)
          .until(() -> Lab.list(GROUPS, "numaspark.io/application=" + name).isEmpty());
    }
  }

  @Test
  void ofTwoGangsOneRunsWholeWhileTheOtherWaitsWhole() {
    Lab.apply(pinned(FIRST, 60)).orFail();
    await("the first has its slots").atMost(LONG).until(() -> placed(FIRST) == EXECUTORS);
    Lab.apply(pinned(SECOND, 10)).orFail();
    // The driver is no member: it runs, and creates the executors that wait.
    await("the executors of the second")
        .atMost(LONG)
        .until(() -> Applications.executorPhases(SECOND).size() == EXECUTORS);

    // What the scheduler says of them: a scheduler without the feature says nothing.
    Lab.awaitObject(GROUPS, FIRST + "-pg", LONG, group -> scheduled(group).equals("True"));
    Lab.awaitObject(GROUPS, SECOND + "-pg", LONG, group -> scheduled(group).equals("False"));

    int looks = 0;
    while (theSecondWaitsWhole()) {
      looks++;
      await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
    }
    assertThat(looks).as("looks at the second while the first ran").isGreaterThan(5);

    Applications.awaitCompleted(FIRST, LONG);
    JsonNode end = Applications.awaitCompleted(SECOND, LONG);
    assertThat(end.at("/status/executorCounts/rejected").asInt()).isZero();
    assertThat(Applications.driverLines(FIRST, "EXECUTOR ")).hasSize(EXECUTORS);
    assertThat(Applications.driverLines(SECOND, "EXECUTOR ")).hasSize(EXECUTORS);
  }

  /** False once the first has ended: what it has after the look, it also had before. */
  private static boolean theSecondWaitsWhole() {
    List<String> phases = Applications.executorPhases(SECOND);
    long placed = placed(SECOND);
    if (placed(FIRST) < EXECUTORS) {
      return false;
    }
    assertThat(placed).as("executors of the second that have a node, of %s", phases).isZero();
    assertThat(phases).containsExactly("Pending", "Pending");
    return true;
  }

  @ParameterizedTest
  @ValueSource(strings = {Applications.SPARK, Applications.SPARK_4_1, Applications.SPARK_3_5})
  void executorsOfEachSparkJoinTheirGroup(String spark) {
    Lab.apply(ordinary(FIRST, spark, 20)).orFail();
    await("executors").atMost(LONG).until(() -> placed(FIRST) == EXECUTORS);
    assertThat(Lab.list("pods", Applications.executors(FIRST)))
        .extracting(pod -> pod.at("/spec/schedulingGroup/podGroupName").asText())
        .containsOnly(FIRST + "-pg");
    assertThat(Lab.get("pod", FIRST + "-driver").at("/spec/schedulingGroup").isMissingNode())
        .isTrue();
    JsonNode group = Lab.get(GROUPS, FIRST + "-pg");
    assertThat(group.at("/spec/schedulingPolicy/gang/minCount").asInt()).isEqualTo(EXECUTORS);
    Applications.awaitCompleted(FIRST, LONG);
  }

  /** The scheduler counts the members that run already. */
  @Test
  void aLostExecutorIsReplaced() {
    Lab.apply(ordinary(FIRST, Applications.SPARK, 90)).orFail();
    await("executors")
        .atMost(LONG)
        .until(() -> Applications.executorPhases(FIRST).equals(List.of("Running", "Running")));
    List<String> before = Applications.executorUids(FIRST);
    String lost =
        Lab.list("pods", Applications.executors(FIRST)).get(0).at("/metadata/name").asText();
    Lab.kubectl("delete", "pod", lost, "--wait=false").orFail();
    await("another executor")
        .atMost(LONG)
        .until(
            () ->
                Applications.executorPhases(FIRST).equals(List.of("Running", "Running"))
                    && !Applications.executorUids(FIRST).equals(before));
  }

  private static String scheduled(JsonNode group) {
    return Lab.condition(group, "PodGroupScheduled").path("status").asText();
  }

  /** Executors that hold room on a node. */
  private static long placed(String name) {
    return Lab.list("pods", Applications.executors(name)).stream()
        .filter(pod -> !pod.at("/spec/nodeName").asText().isEmpty())
        .filter(pod -> List.of("Pending", "Running").contains(pod.at("/status/phase").asText()))
        .count();
  }

  private static String pinned(String name, int seconds) {
    return Applications.pinned(
            name,
            Applications.SPARK,
            Applications.MAIN_CLASS,
            EXECUTORS,
            "[\"12\", \"%d\"]".formatted(seconds))
        .replace("nodeProfile:", "batchScheduler: workload\n  nodeProfile:");
  }

  /** On the node that is not emulated, which has room for all. */
  private static String ordinary(String name, String spark, int seconds) {
    return Applications.of(
        name,
        spark,
        Applications.MAIN_CLASS,
        Applications.SMALL_DRIVER
            + "\n"
            + Applications.NATIVE_EXECUTOR
            + """
              instances: %d
            batchScheduler: workload
            arguments: ["4", "%d"]
            """
                .formatted(EXECUTORS, seconds)
            + Applications.PATIENT_CONF);
  }
}
