package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A pod of somebody else that holds exclusive CPUs beside a profile's executors: it costs a slot
 * while it runs, the executor without a slot waits instead of being rejected, and gets its slot
 * when the pod goes.
 */
@Order(13)
@Tag("foreign-pods")
class ForeignPodsE2E {
  private static final String NAME = "beside-foreign";
  private static final String FOREIGN = "foreign";
  private static final String FILLER = "filler";
  private static final String FORGED = "forged-executor";
  private static final String SLOTS = "/status/allocatable/slots.numaspark.io~1dual-socket";
  private static final Duration START = Duration.ofMinutes(8);

  @AfterEach
  void cleanUp() {
    Lab.delete("pod", FORGED);
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Lab.delete("pod", FOREIGN);
    Lab.delete("pod", FILLER);
    Lab.kubectl("wait", "--for=delete", "pod", "-l", Applications.executors(NAME), "--timeout=300s")
        .orFail();
  }

  @Test
  void aPodWithExclusiveCpusCostsASlotUntilItGoes() {
    Applications.applyProfile();
    // The kubelet holds the CPUs of executors for a moment after their pods are gone, and would
    // reject a pod that wants them.
    Lab.awaitObject(
        "sparknodetopologies.numaspark.io",
        NodeTools.NODE,
        START,
        topology -> topology.at("/status/exclusive").isEmpty());
    awaitSlots("3");
    runForeignPodOnTheSecondNumaNode();
    awaitSlots("2");
    Lab.awaitObject(
        "sparknodeprofiles.numaspark.io",
        "dual-socket",
        START,
        profile ->
            profile.at("/status/slots/total").asInt() == 3
                && profile.at("/status/slots/lost").asInt() == 1);

    Lab.apply(
            Applications.pinned(
                NAME, Applications.SPARK, Applications.MAIN_CLASS, 3, "[\"12\", \"600\"]"))
        .orFail();
    awaitPhases("Pending", "Running", "Running");
    Lab.awaitObject(
        "pod",
        Applications.waitingExecutor(NAME).at("/metadata/name").asText(),
        START,
        pod ->
            Lab.condition(pod, "PodScheduled")
                .path("message")
                .asText()
                .contains("Insufficient slots.numaspark.io/dual-socket"));
    List<String> executors = Applications.executorUids(NAME);

    Lab.delete("pod", FOREIGN);
    awaitSlots("3");
    awaitPhases("Running", "Running", "Running");
    assertThat(Applications.executorUids(NAME))
        .as("none was rejected and replaced")
        .isEqualTo(executors);
    assertThat(
            Lab.get("sparkapplications.numaspark.io", NAME)
                .at("/status/executorCounts/rejected")
                .asText())
        .isEqualTo("0");
  }

  /** Whoever may create pods may name a node and set any label, and the kubelet rejects the pod. */
  @Test
  @Tag("runtime-pins")
  void aRejectedPodThatOnlyLooksLikeAnExecutorWithholdsNothing() {
    Applications.applyProfile();
    awaitSlots("3");
    Lab.apply(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: %s
              labels:
                spark-role: executor
                spark-app-selector: spark-0123456789abcdef
                numaspark.io/application: forged
                numaspark.io/profile: dual-socket
                app.kubernetes.io/managed-by: numaspark
            spec:
              nodeName: numa-0
              tolerations: [{key: numaspark.io/pinned, operator: Exists}]
              automountServiceAccountToken: false
              containers:
                - name: spark-kubernetes-executor
                  image: docker.io/numaspark/pause:lab
                  imagePullPolicy: Never
                  resources: {limits: {cpu: "999", memory: 64Mi}}
            """
                .formatted(FORGED))
        .orFail();
    Lab.awaitObject("pod", FORGED, START, pod -> pod.at("/status/phase").asText().equals("Failed"));
    await("no slot is withheld")
        .during(Duration.ofSeconds(15))
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> {
              assertThat(Applications.publishedSlots()).isEqualTo("3");
              assertThat(
                      Lab.condition(
                              Lab.get("sparknodeprofiles.numaspark.io", "dual-socket"),
                              "SlotsWithheld")
                          .path("status")
                          .asText())
                  .isNotEqualTo("True");
            });
  }

  private static void awaitSlots(String number) {
    Lab.awaitObject("node", "numa-0", START, node -> node.at(SLOTS).asText().equals(number));
  }

  /**
   * Takes two of its eight CPUs, so that one executor fits there instead of two. 12 CPUs are then
   * free, which is enough for three executors to the scheduler: without slots it would bind a third
   * one, and the kubelet would reject it.
   */
  private static void runForeignPodOnTheSecondNumaNode() {
    runPod(FILLER, 6);
    runPod(FOREIGN, 2);
    Lab.delete("pod", FILLER);
    CpuSet cpus = exclusiveCpus(FOREIGN);
    assertThat(cpus.size()).as("by the kubelet's word").isEqualTo(2);
    assertThat(CpuSet.parse("8-15").containsAll(cpus)).as(cpus.toString()).isTrue();
  }

  /** Whole CPUs in QoS class Guaranteed: the static CPU manager gives them to this pod alone. */
  private static void runPod(String name, int cpus) {
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
                  resources: {limits: {cpu: "%d", memory: 64Mi}}
            """
                .formatted(name, cpus))
        .orFail();
    Lab.awaitObject("pod", name, START, pod -> pod.at("/status/phase").asText().equals("Running"));
  }

  private static CpuSet exclusiveCpus(String pod) {
    String uid = Lab.get("pod", pod).at("/metadata/uid").asText();
    String state = Lab.nodeExec("numa-0", "cat /var/lib/kubelet/cpu_manager_state").orFail().out();
    return CpuSet.parse(Lab.json(state).path("entries").path(uid).path("main").asText());
  }

  private static void awaitPhases(String... phases) {
    await("executors " + List.of(phases))
        .atMost(START)
        .until(() -> Applications.executorPhases(NAME).equals(List.of(phases)));
  }
}
