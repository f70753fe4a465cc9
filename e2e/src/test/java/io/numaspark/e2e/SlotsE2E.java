package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What slots are for. In topology reserved-each two executors of two cores fit, one on each NUMA
 * node, and the four CPUs that are left look like room for a third.
 */
@Order(12)
@Tag("reserved-each")
class SlotsE2E {
  private static final String NAME = "three-executors";
  private static final Duration START = Duration.ofMinutes(8);

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Lab.kubectl("wait", "--for=delete", "pod", "-l", Applications.executors(NAME), "--timeout=300s")
        .orFail();
  }

  @Test
  void withoutSlotsTheKubeletRejectsAnExecutor() {
    Lab.apply(
            application(
                "",
                "cores: 4, memory: 768m, memoryOverhead: 384m, coreRequest: \"4\", coreLimit: \"4\""))
        .orFail();
    JsonNode application =
        Lab.awaitObject(
            "sparkapplications.numaspark.io",
            NAME,
            START,
            object -> object.at("/status/executorCounts/rejected").asInt() > 0);
    assertThat(application.at("/status/executors"))
        .anySatisfy(
            executor -> {
              assertThat(executor.path("phase").asText()).isEqualTo("Rejected");
              assertThat(executor.path("reason").asText()).isEqualTo("TopologyAffinityError");
            });
  }

  @Test
  void withSlotsTheThirdExecutorWaitsAndNoneIsRejected() {
    Lab.apply(Lab.demo("profile.yaml")).orFail();
    Lab.awaitObject(
        "sparknodeprofiles.numaspark.io",
        "dual-socket",
        START,
        profile -> profile.at("/status/slots/total").asInt() == 2);
    Lab.apply(application("nodeProfile: dual-socket", "")).orFail();

    await("two executors running, one waiting for a slot")
        .atMost(START)
        .until(
            () ->
                Applications.executorPhases(NAME).equals(List.of("Pending", "Running", "Running")));
    assertThat(Applications.waitingExecutor(NAME).at("/status/conditions/0/message").asText())
        .contains("Insufficient slots.numaspark.io/dual-socket");
    JsonNode application =
        Lab.awaitObject(
            "sparkapplications.numaspark.io",
            NAME,
            START,
            object -> object.at("/status/executorCounts/pinned").asInt() == 2);
    assertThat(application.at("/status/executorCounts/rejected").asInt()).isZero();
    assertThat(Applications.executorPhases(NAME))
        .isEqualTo(List.of("Pending", "Running", "Running"));
    executorsAndSlotsSurviveARestartOfTheKubelet();
  }

  /**
   * A kubelet that knows no device plugin sets extended resources to 0 when it starts
   * (reconcileExtendedResource), and asks for every running pod again whether it fits.
   */
  private static void executorsAndSlotsSurviveARestartOfTheKubelet() {
    List<String> before = Applications.executorUids(NAME);
    Lab.nodeExec("numa-0", "systemctl", "restart", "kubelet").orFail();
    await("kubelet is back")
        .atMost(START)
        .until(
            () -> Lab.condition(Lab.get("node", "numa-0"), "Ready").path("status").asText(),
            "True"::equals);
    await("slots stay what they are and nothing is rejected")
        .atMost(Duration.ofMinutes(3))
        .during(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(
                      Lab.get("node", "numa-0")
                          .at("/status/allocatable/slots.numaspark.io~1dual-socket")
                          .asText())
                  .isEqualTo("2");
              assertThat(Applications.executorPhases(NAME))
                  .isEqualTo(List.of("Pending", "Running", "Running"));
              assertThat(Applications.executorUids(NAME)).isEqualTo(before);
            });
  }

  /**
   * The same executors with and without a profile: without, their resources are written out and no
   * slot is asked for.
   */
  private static String application(String profile, String resources) {
    return Applications.of(
        NAME,
        Applications.MAIN_CLASS,
        Applications.SMALL_DRIVER
            + """

            arguments: ["12", "600"]
            %s
            executor:
              instances: 3
              nodeSelector: {node.example.com/pool: spark-metal}
              tolerations: [{key: numaspark.io/pinned, operator: Exists}]
              env: [{name: SPARK_LAB_JAVA_OPTS, value: "-XX:TieredStopAtLevel=1"}]
              deleteOnTermination: false
            %s
            sparkConf:
              spark.network.timeout: 600s
              spark.executor.heartbeatInterval: 30s
            """
                .formatted(profile, resources.replace(", ", "\n").indent(2)));
  }
}
