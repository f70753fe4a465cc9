package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.controller.fixture.Pods;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.lifecycle.ObservedAttempt.DriverPhase;
import io.numaspark.render.proof.Diagnosis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a driver is, and why it ended when something outside of it ended it. */
class ObservedDriverTest {
  private static final String DRIVER =
      "containerStatuses: [{name: spark-kubernetes-driver, state: ";

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "{phase: Pending}; STARTING",
        "{}; STARTING",
        "{phase: Running}; RUNNING",
        "{phase: Unknown}; UNREACHABLE",
        "{phase: Running, reason: NodeLost}; UNREACHABLE",
        "{phase: Succeeded}; SUCCEEDED",
        "{phase: Failed}; FAILED",
        "{phase: Running, " + DRIVER + "{terminated: {exitCode: 0}}}]}; SUCCEEDED",
        "{phase: Running, " + DRIVER + "{terminated: {exitCode: 3}}}]}; FAILED",
        "{phase: Failed, " + DRIVER + "{terminated: {exitCode: 0}}}]}; SUCCEEDED",
        "{phase: Succeeded, " + DRIVER + "{terminated: {exitCode: 1}}}]}; FAILED",
      })
  void theContainerDecidesAndNotThePod(String status, DriverPhase kind) {
    assertThat(new ObservedDriver(Pods.driver(status)).driverPhase()).isEqualTo(kind);
  }

  @Test
  void aPodThatTheTaintManagerMarkedIsOnANodeThatDoesNotAnswer() {
    Pod driver =
        Pods.driver(
            "{phase: Running, conditions: [{type: DisruptionTarget, status: \"True\", reason:"
                + " DeletionByTaintManager}]}");
    assertThat(new ObservedDriver(driver).driverPhase()).isEqualTo(DriverPhase.RUNNING);
    driver.getMetadata().setDeletionTimestamp("2026-11-21T08:00:00Z");
    assertThat(new ObservedDriver(driver).driverPhase()).isEqualTo(DriverPhase.UNREACHABLE);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "PreemptionByScheduler, Preempted",
    "EvictionByEvictionAPI, Evicted",
    "TerminationByKubelet, Evicted",
    "DeletionByPodGC, NodeLost",
    "SomethingNew, Disrupted"
  })
  void aDisruptionExplainsMoreThanTheExitCode(String disruption, String reason) {
    Pod driver =
        Pods.driver(
            "{phase: Failed, conditions: [{type: DisruptionTarget, status: \"True\", reason: "
                + disruption
                + ", message: so it is}], "
                + DRIVER
                + "{terminated: {exitCode: 143}}}]}");
    assertThat(ended(driver, List.of()))
        .isEqualTo(new Diagnosis(reason, "the driver pod was ended from outside: so it is"));
  }

  @Test
  void aDriverThatSomebodyDeletedSaysSo() {
    Pod driver = Pods.failedDriver(143, "Error");
    driver.getMetadata().setDeletionTimestamp("2026-11-21T08:00:00Z");
    assertThat(ended(driver, List.of()).reason()).isEqualTo("DriverDeleted");
  }

  @Test
  void tooManyExecutorFailuresNameTheMostFrequentOne() {
    Diagnosis diagnosis =
        ended(
            Pods.failedDriver(11, "Error"),
            List.of(
                failed("1", "ExitCode1", "exit code 1"),
                failed("2", "OOMKilled", "first"),
                failed("3", "OOMKilled", "it used more than 4Gi")));
    assertThat(diagnosis)
        .isEqualTo(
            new Diagnosis(
                "TooManyExecutorFailures",
                "the driver exited with code 11 (too many executors failed:"
                    + " spark.executor.maxNumFailures); executor 3 on node-1 ended with OOMKilled: it"
                    + " used more than 4Gi"));
  }

  private static Diagnosis ended(Pod driver, List<ExecutorInfo> executors) {
    return DriverDiagnosis.ofEnded(
        driver, () -> "", Samples.application("pi", "").getSpec(), executors);
  }

  private static ExecutorInfo failed(String id, String reason, String message) {
    return ExecutorInfo.of(id, "pi-exec-" + id, "node-1", "Failed")
        .verdict(Pinned.Unknown, reason, message)
        .build();
  }
}
