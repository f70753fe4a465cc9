package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A trial of executors with and without pins, on real cpusets: each run is proven to be what its
 * arm says, nobody else starts meanwhile, what else is busy there is noticed, and everything is put
 * back.
 *
 * <p>Limit: the budget is for the calibration only, as times of an emulated machine mean nothing.
 */
@Order(40)
@Tag("trials")
class TrialE2E {
  private static final String KIND = "sparktrials.numaspark.io";
  private static final String NAME = "does-it-pay";
  private static final String OTHER = "beside-a-trial";
  private static final String BUSY = "busy-beside-a-trial";
  private static final Duration RUNS = Duration.ofMinutes(40);

  @BeforeEach
  void theProfileAllowsIt() {
    Applications.applyProfile();
    allow("[\"default\"]");
  }

  @AfterEach
  void cleanUp() {
    Lab.delete(KIND, NAME);
    Lab.delete("sparkapplications.numaspark.io", OTHER);
    Lab.delete("pod", BUSY);
    Applications.awaitNoPods(OTHER);
    allow("null");
  }

  private static void allow(String namespaces) {
    Lab.kubectl(
            "patch",
            "sparknodeprofiles.numaspark.io",
            "dual-socket",
            "--type=merge",
            "-p",
            "{\"spec\": {\"trials\": {\"namespaces\": " + namespaces + "}}}")
        .orFail();
  }

  @Test
  void eachRunIsWhatItsArmSaysAndNobodyElseStarts() {
    Lab.apply(trial()).orFail();
    Lab.awaitObject(KIND, NAME, Duration.ofMinutes(3), found -> is(found, "Calibrating"));
    Lab.apply(
            Applications.pinned(
                OTHER, Applications.SPARK, Applications.MAIN_CLASS, 1, "[\"4\", \"600\"]"))
        .orFail();
    JsonNode waits =
        Lab.awaitObject(
            "sparkapplications.numaspark.io",
            OTHER,
            Duration.ofMinutes(2),
            found -> !Lab.condition(found, "Ready").isMissingNode());
    assertThat(Lab.condition(waits, "Ready").path("reason").asText()).isEqualTo("TrialHoldsNodes");

    // Another pod is busy during the last run.
    Lab.awaitObject(KIND, NAME, RUNS, found -> runs(found).size() == 2);
    Lab.apply(busyPod()).orFail();

    JsonNode trial = Lab.awaitObject(KIND, NAME, RUNS, found -> is(found, "Completed"));
    Lab.delete("pod", BUSY);
    String status = trial.path("status").toPrettyString();
    assertThat(trial.at("/status/ending").asText()).as(status).isEqualTo("BUDGET_TOO_SMALL");
    assertThat(runs(trial))
        .as(status)
        .extracting(
            run -> run.path("arm").asText(),
            run -> run.path("outcome").asText(),
            run -> run.path("pinned").asInt() > 0,
            run -> run.path("notPinned").asInt() > 0)
        .containsExactlyInAnyOrder(
            tuple("free", "OK", false, true),
            tuple("same", "OK", false, true),
            tuple("pinned", "OK", true, false));
    // The agent has reported what else ran on the node, and the pods of the executors when they
    // ran.
    assertThat(runs(trial))
        .as(status)
        .allSatisfy(
            run -> {
              assertThat(run.path("seconds").asInt()).isPositive();
              assertThat(run.path("othersCpuPercent").isInt()).isTrue();
              assertThat(run.path("executorCpuHours").asDouble()).isPositive();
            });
    assertThat(runs(trial).get(0).path("disturbed").asBoolean()).as(status).isFalse();
    JsonNode disturbed = runs(trial).get(2);
    assertThat(disturbed.path("disturbed").asBoolean()).as(status).isTrue();
    assertThat(disturbed.path("othersCpuPercent").asInt()).as(status).isGreaterThan(5);
    assertThat(disturbed.path("remark").asText()).startsWith("On node numa-0 others used ");

    Lab.Output text = Lab.run(List.of("kubectl-numaspark", "trial", NAME), "").orFail();
    assertThat(text.out()).contains("The 5 rounds that a verdict needs");
    Lab.Output page = Lab.run(List.of("kubectl-numaspark", "trial", NAME, "-o", "html"), "");
    assertThat(page.orFail().out()).startsWith("<!DOCTYPE html>").contains("SparkTrial default/");

    // The lock is gone, and the profile pins again.
    Lab.awaitObject(
        "sparkapplications.numaspark.io",
        OTHER,
        Duration.ofMinutes(20),
        found -> found.at("/status/executorCounts/pinned").asInt() == 1);
    assertThat(Lab.list("sparkapplications.numaspark.io", "numaspark.io/trial")).isEmpty();
    JsonNode topology = Lab.get("sparknodetopologies.numaspark.io", "numa-0");
    assertThat(topology.at("/status/load").isMissingNode()).isTrue();
  }

  private static boolean is(JsonNode trial, String phase) {
    return trial.at("/status/phase").asText().equals(phase);
  }

  private static List<JsonNode> runs(JsonNode trial) {
    return StreamSupport.stream(trial.at("/status/runs").spliterator(), false).toList();
  }

  /** Four of sixteen CPUs, which no executor has. */
  private static String busyPod() {
    return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          nodeSelector: {kubernetes.io/hostname: numa-0}
          tolerations: [{key: numaspark.io/pinned, operator: Exists}]
          automountServiceAccountToken: false
          terminationGracePeriodSeconds: 0
          containers:
            - name: busy
              image: numaspark/busybox:1
              command: [sh, -c, "for i in 1 2 3; do while :; do :; done & done; while :; do :; done"]
        """
        .formatted(BUSY);
  }

  private static String trial() {
    String application =
        Applications.pinned(
            NAME, Applications.SPARK, Applications.MAIN_CLASS, 2, "[\"4\", \"45\"]");
    return """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkTrial
        metadata: {name: %s}
        spec:
          study: Pinning
          metric: ExecutorTime
          writes: Nothing
          delayPercent: 0
          rounds: 5
          budgetMinutes: 12
          template:
        %s
        """
        .formatted(NAME, application.split("\nspec:\n", 2)[1].indent(2));
  }
}
