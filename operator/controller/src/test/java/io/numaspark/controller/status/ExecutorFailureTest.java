package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.render.proof.Diagnosis;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutorFailureTest {

  @Test
  void aKilledExecutorIsToldItsLimit() {
    assertThat(ExecutorFailure.of(executor("", 137, "OOMKilled")))
        .isEqualTo(
            new Diagnosis(
                "OOMKilled",
                "it was killed (OOMKilled) because it used more than its memory limit of 4Gi; raise"
                    + " spec.executor.memoryOverhead, or with a profile its"
                    + " spec.executor.memoryOverhead"));
  }

  @ParameterizedTest
  @CsvSource({"52, out of memory", "137, SIGKILL", "143, SIGTERM", "56, heartbeats"})
  void exitCodesAreExplained(int code, String words) {
    Diagnosis failure = ExecutorFailure.of(executor("", code, "Error"));
    assertThat(failure.reason()).isEqualTo("ExitCode" + code);
    assertThat(failure.message()).startsWith("exit code " + code + " (").contains(words);
  }

  /** Spark deletes executors that it no longer needs; that is not a failure. */
  @ParameterizedTest
  @CsvSource({
    "143, Error, false",
    "137, Error, false",
    "137, , false",
    "137, OOMKilled, true",
    "1, Error, true"
  })
  void anExecutorThatWasDeletedFirstHasNotFailed(int code, String reason, boolean failed) {
    String deleted = "  deletionTimestamp: \"2026-11-21T08:00:00Z\"\n";
    assertThat(ExecutorFailure.hasFailed(executor(deleted, code, reason))).isEqualTo(failed);
    assertThat(ExecutorFailure.hasFailed(executor("", code, reason))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"; 5; 5", "1-3; 4; 1-4", "1-3,7; 5; 1-3,5,7", "1,3; 2; 1-3", "x,-,9999999999; 1; 1"})
  void idsAreKeptInRanges(String before, int id, String after) {
    ExecutorIds ids = ExecutorIds.parse(before);
    assertThat(ids.add(id)).isTrue();
    assertThat(ids.add(id)).isFalse();
    assertThat(ids.text()).isEqualTo(after);
  }

  @Test
  void idsStayShort() {
    String odd =
        IntStream.range(0, 5_000)
            .mapToObj(i -> String.valueOf(2 * i + 1))
            .collect(Collectors.joining(","));
    ExecutorIds ids = ExecutorIds.parse(odd);
    assertThat(ids.text().split(",")).hasSize(200);
    assertThat(ids.text()).startsWith("1-").endsWith(",9999");
    assertThat(ExecutorIds.parse(null).text()).isNull();
    assertThat(ids.add(-1)).isFalse();
    assertThat(ids.add(Integer.MAX_VALUE)).isFalse();
  }

  private static Pod executor(String metadata, int exitCode, String reason) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: pi-exec-1
        %sspec:
          nodeName: node-1
          containers: [{name: e, resources: {limits: {memory: 4Gi}}}]
        status:
          phase: Failed
          containerStatuses:
          - {name: sidecar, state: {terminated: {exitCode: 0}}}
          - {name: e, state: {terminated: {exitCode: %d, reason: %s}}}
        """
            .formatted(metadata, exitCode, reason),
        Pod.class);
  }
}
