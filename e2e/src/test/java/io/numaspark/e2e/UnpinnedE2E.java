package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What takes a running executor off its CPUs without a word to anybody: the status names each with
 * the CPUs that it was given, those that it has, and the cause. One application lives through all.
 */
@Order(23)
@Tag("unpinned")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UnpinnedE2E {
  private static final String KIND = "sparkapplications.numaspark.io";
  private static final String NAME = "unpinned";
  private static final Duration START = Duration.ofMinutes(12);
  private static final int SLOTS = 3;

  @BeforeAll
  static void threeExecutorsArePinned() {
    Applications.applyProfile();
    await("the slots of the node")
        .atMost(START)
        .until(() -> Applications.publishedSlots().equals(String.valueOf(SLOTS)));
    Lab.apply(
            Applications.pinned(
                NAME, Applications.SPARK, Applications.MAIN_CLASS, SLOTS, "[\"12\", \"3600\"]"))
        .orFail();
    awaitAllPinned();
  }

  @AfterAll
  static void cleanUp() {
    Lab.delete(KIND, NAME);
    Applications.awaitNoPods(NAME);
    forgetWhatWasGiven("");
  }

  /** As an administrator or a tuning daemon does, which knows nothing of the kubelet. */
  @Test
  @Order(1)
  void anotherProgramGivesItOtherCpus() {
    JsonNode executor = executorOn("2-5");
    String scope = scope(executor);
    NodeTools.run("systemctl set-property --runtime " + scope + " AllowedCPUs=0-3");
    JsonNode moved = awaitReason(executor, "KernelDisagrees");
    assertThat(moved.path("message").asText())
        .contains("given it CPUs 2-5", "lets it use 0-3", "AllowedCPUs", "delete the pod");
    NodeTools.run("systemctl set-property --runtime " + scope + " AllowedCPUs=2-5");
    awaitAllPinned();
  }

  /** The kubelet's API names no containers, so the agent cannot tell it from those that share. */
  @Test
  @Order(2)
  void anotherProgramPutsItOnTheSharedCpus() {
    JsonNode executor = executorOn("8-11");
    String scope = scope(executor);
    NodeTools.run("systemctl set-property --runtime " + scope + " AllowedCPUs=0-1,6-7");
    JsonNode shared = awaitReason(executor, "NotRestricted");
    assertThat(shared.path("message").asText()).contains("given it CPUs 8-11", "AllowedCPUs");
    NodeTools.run("systemctl set-property --runtime " + scope + " AllowedCPUs=8-11");
    awaitAllPinned();
  }

  @Test
  @Order(3)
  void oneOfItsCpusGoesOffline() {
    JsonNode executor = executorOn("12-15");
    online(14, 0);
    JsonNode smaller = awaitReason(executor, "CpusOffline");
    assertThat(smaller.path("message").asText())
        .contains("given it CPUs 12-15", "lets it use 12-13,15", "CPUs 14 are offline");
    online(14, 1);
    awaitAllPinned();
    await("the slots of the node")
        .atMost(START)
        .until(() -> Applications.publishedSlots().equals(String.valueOf(SLOTS)));
  }

  /** A static kubelet refuses to resize a container that has CPUs of its own. */
  @Test
  @Order(4)
  void aResizeInPlaceIsRefusedAndChangesNothing() {
    JsonNode executor = executorOn("2-5");
    String pod = executor.path("pod").asText();
    Lab.kubectl(
            "patch",
            "pod",
            pod,
            "--subresource=resize",
            "-p",
            "{\"spec\": {\"containers\": [{\"name\": \"spark-kubernetes-executor\", \"resources\": {\"requests\": {\"cpu\": \"2\"}, \"limits\": {\"cpu\": \"2\"}}}]}}")
        .orFail();
    JsonNode pending =
        Lab.awaitObject(
            "pod", pod, START, found -> !Lab.condition(found, "PodResizePending").isMissingNode());
    assertThat(Lab.condition(pending, "PodResizePending").path("reason").asText())
        .isEqualTo("Infeasible");
    assertThat(kernel(executor, "cpuset.cpus")).isEqualTo(CpuSet.parse("2-5"));
    awaitAllPinned();
  }

  /**
   * Other reserved CPUs contradict the kubelet's state, and it does not start before somebody has
   * removed that. Then it has forgotten what it gave, and gives anew to containers that run.
   */
  @Test
  @Order(5)
  void theKubeletForgetsWhatItGave() {
    JsonNode before = executorOn("2-5");
    reserve("2-3");
    NodeTools.run("systemctl restart kubelet");
    await("the kubelet to refuse its state")
        .atMost(START)
        .until(
            () ->
                NodeTools.run("journalctl -u kubelet -o cat --since=-5min | tail -n 400")
                    .contains("remove policy state file"));
    forgetWhatWasGiven("2-3");
    await("the kubelet to take reserved CPUs from who has them")
        .atMost(START)
        .until(() -> !kernel(before, "cpuset.cpus").intersects(CpuSet.parse("2-3")));
    await("the status to say of each where it is now")
        .atMost(START)
        .untilAsserted(UnpinnedE2E::eachIsWhereItsStatusSays);
  }

  /**
   * Which executor gets which CPUs the kubelet decides by the order in which it sees their pods.
   * One that stays in its NUMA node is as good as before; memory does not follow to another one.
   */
  private static void eachIsWhereItsStatusSays() {
    JsonNode application = Lab.get(KIND, NAME);
    assertThat(application.at("/status/executorCounts/running").asInt()).isEqualTo(SLOTS);
    for (JsonNode executor : application.at("/status/executors")) {
      CpuSet cpus = kernel(executor, "cpuset.cpus");
      int memory = Integer.parseInt(kernel(executor, "cpuset.mems").toString());
      boolean local =
          NodeTools.numactl().get(memory).cpus().containsAll(cpus.stream().boxed().toList());
      String reason = executor.path("reason").asText();
      if (local && reason.equals("Pinned")) {
        assertThat(CpuSet.parse(executor.path("cpus").asText())).isEqualTo(cpus);
      } else {
        assertThat(reason).as(executor.toPrettyString()).isEqualTo("MovedByKubelet");
        assertThat(executor.path("message").asText())
            .contains("moved it to CPUs " + cpus, "cpu_manager_state", "delete the pod");
      }
    }
  }

  private static CpuSet kernel(JsonNode executor, String file) {
    return CpuSet.parse(
        NodeTools.run(
            "cat /sys/fs/cgroup/kubepods.slice/*/%s/%s.effective"
                .formatted(scope(executor), file)));
  }

  private static void online(int cpu, int value) {
    NodeTools.run("echo %d > /sys/devices/system/cpu/cpu%d/online".formatted(value, cpu));
  }

  private static void reserve(String cpus) {
    NodeTools.run(
        "sed -i 's/^reservedSystemCPUs:.*/reservedSystemCPUs: \""
            + cpus
            + "\"/' /etc/kubernetes/kubelet.yaml");
  }

  /** Starts the kubelet without its states; with other reserved CPUs, or with those of the lab. */
  private static void forgetWhatWasGiven(String reserved) {
    NodeTools.run(
        "systemctl stop kubelet; rm -f /var/lib/kubelet/cpu_manager_state /var/lib/kubelet/memory_manager_state");
    reserve(reserved.isEmpty() ? "0,1" : reserved);
    NodeTools.run("systemctl reset-failed kubelet; systemctl start kubelet");
    await("kubelet is back")
        .atMost(START)
        .until(
            () -> Lab.condition(Lab.get("node", NodeTools.NODE), "Ready").path("status").asText(),
            "True"::equals);
  }

  private static void awaitAllPinned() {
    Lab.awaitObject(
        KIND, NAME, START, app -> app.at("/status/executorCounts/pinned").asInt() == SLOTS);
  }

  private static JsonNode executorOn(String cpus) {
    return find(
        Lab.get(KIND, NAME),
        executor -> CpuSet.parse(executor.path("cpus").asText()).equals(CpuSet.parse(cpus)));
  }

  private static JsonNode awaitReason(JsonNode executor, String reason) {
    Predicate<JsonNode> same = found -> found.path("id").equals(executor.path("id"));
    JsonNode application =
        Lab.awaitObject(
            KIND, NAME, START, app -> find(app, same).path("reason").asText().equals(reason));
    JsonNode now = find(application, same);
    assertThat(now.path("pinned").asText()).as(now.toString()).isEqualTo("False");
    return now;
  }

  private static JsonNode find(JsonNode application, Predicate<JsonNode> wanted) {
    return application
        .at("/status/executors")
        .valueStream()
        .filter(wanted)
        .findFirst()
        .orElseThrow(() -> new AssertionError(application.path("status").toPrettyString()));
  }

  /** The unit of systemd that runs its container. */
  private static String scope(JsonNode executor) {
    String id =
        Lab.get("pod", executor.path("pod").asText())
            .at("/status/containerStatuses/0/containerID")
            .asText()
            .replaceFirst(".*/", "");
    return "cri-containerd-" + id + ".scope";
  }
}
