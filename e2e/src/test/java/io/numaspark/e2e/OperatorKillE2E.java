package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** kill -9 of the operator neither loses nor doubles a driver. */
@Order(5)
@Tag("lifecycle")
class OperatorKillE2E {
  private static final String NAME = "survivor";
  private static final String PODS = "numaspark.io/application=" + NAME + ",spark-role=driver";

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
  }

  @Test
  void oneDriverRunsToItsEndAlthoughTheOperatorIsKilledTwice() {
    Set<String> drivers = new TreeSet<>();
    Lab.apply(Applications.ordinary(NAME, Applications.MAIN_CLASS)).orFail();

    await("driver pod")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> !uids().isEmpty());
    drivers.addAll(uids());
    killOperator();

    Lab.awaitState(NAME, Duration.ofMinutes(5), "RUNNING", "COMPLETED");
    drivers.addAll(uids());
    killOperator();

    JsonNode application = Lab.awaitState(NAME, Duration.ofMinutes(8), "COMPLETED", "FAILED");
    drivers.addAll(uids());
    assertThat(Lab.state(application))
        .as(application.path("status").toPrettyString())
        .isEqualTo("COMPLETED");
    assertThat(drivers).as("driver pods ever seen").hasSize(1);
    assertThat(application.at("/status/driverInfo/podUid").asText())
        .isEqualTo(drivers.iterator().next());
  }

  private static List<String> uids() {
    return Lab.list("pods", PODS).stream().map(pod -> pod.at("/metadata/uid").asText()).toList();
  }

  /** SIGKILL to the operator's JVM, which is a process of this machine because its node is. */
  private static void killOperator() {
    String container =
        operatorPod()
            .at("/status/containerStatuses/0/containerID")
            .asText()
            .replaceFirst(".*//", "");
    assertThat(container).isNotEmpty();
    int restarts = operatorPod().at("/status/containerStatuses/0/restartCount").asInt();
    Lab.nodeExec(
            "native-0", "ctr", "-n", "k8s.io", "tasks", "kill", "--signal", "SIGKILL", container)
        .orFail();
    await("operator restarted")
        .atMost(Duration.ofMinutes(4))
        .until(
            () ->
                operatorPod().at("/status/containerStatuses/0/restartCount").asInt() > restarts
                    && operatorPod().at("/status/containerStatuses/0/ready").asBoolean());
  }

  private static JsonNode operatorPod() {
    return Lab.operatorPods().path(0);
  }
}
