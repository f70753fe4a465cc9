package io.numaspark.e2e;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.e2e.RuntimeNode.Container;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Who gets which CPUs where the container runtime pins: in a storm of pods, while the pinner is
 * killed or hangs, in a new layout, and at the end. Executors are pods that ask for slots as
 * Spark's do, and start within seconds.
 */
@Order(31)
@Tag("runtime-slots")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RuntimeSlotsE2E {
  private static final String EXECUTOR = "slot-executor";
  private static final String EXECUTORS = "app=" + EXECUTOR;
  private static final String FOREIGN = "beside-slots";
  private static final String ELSEWHERE = "elsewhere";

  /** All slots of the demo's profile. */
  private static final int SLOTS = 3;

  /** Pods of others that come at once. */
  private static final int STORM = 15;

  @BeforeEach
  void applyProfile() {
    Applications.applyProfile();
    RuntimeNode.awaitPinner("True");
    RuntimeNode.awaitFreeSlots(SLOTS);
  }

  @AfterEach
  void cleanUp() {
    Lab.kubectl(
            "delete", "pod", "--selector=app in (" + EXECUTOR + "," + FOREIGN + ")", "--wait=true")
        .orFail();
    Lab.delete(RuntimeNode.TOPOLOGY, ELSEWHERE);
  }

  /**
   * containerd 2.1 has ended before its panic was corrected (issue 13683); 2.4 has the correction.
   */
  @Test
  @Order(1)
  void aRuntimeThatPanicsIsNamed() {
    JsonNode topology = RuntimeNode.topology();
    String version = topology.at("/status/pinner/runtimeVersion").asText();
    assertThat(version).isNotEmpty();
    assertThat(Lab.condition(topology, "PinnerConnected").path("reason").asText())
        .as(version)
        .isEqualTo(version.matches("v?2[.]1[.].*") ? "RuntimePanics" : "Connected");
  }

  /** Slots are the scheduler's to give, and the layout is the operator's. */
  @Test
  @Order(1)
  void nobodyTakesSlotsOrWritesLayoutsWhoMayNot() {
    assertThat(dryRun(RuntimeNode.executorPod("honest", EXECUTOR, 1, "1")).exitCode()).isZero();
    for (String pod :
        List.of(
            RuntimeNode.executorPod("thief", EXECUTOR, 1, ""),
            RuntimeNode.executorPod("glutton", EXECUTOR, 2, "1"))) {
      Lab.Output refused = dryRun(pod);
      assertThat(refused.exitCode()).isNotZero();
      assertThat(refused.err())
          .contains("annotation numaspark.io/pin", "slots.numaspark.io/dual-socket");
    }

    // The agent of this node, as the API server knows it by its token. Without a version, kubectl
    // takes the newest.
    ObjectNode own = RuntimeNode.topology().deepCopy();
    ((ObjectNode) own.get("metadata")).remove("resourceVersion");
    ObjectNode other = own.deepCopy();
    other.remove("status");
    other.putObject("metadata").put("name", ELSEWHERE);
    Lab.apply(other.toString()).orFail();
    for (ObjectNode topology : List.of(own, other)) {
      ((ObjectNode) topology.at("/spec/pins")).put("sharedCpus", "0");
      Lab.Output refused = asAgent(topology.toString(), "replace", "-f", "-");
      assertThat(refused.exitCode()).isNotZero();
      assertThat(refused.err()).contains("ValidatingAdmissionPolicy 'numaspark-agent'");
    }
    assertThat(asAgent("", "delete", RuntimeNode.TOPOLOGY, ELSEWHERE).err())
        .contains("cannot delete");
  }

  /** They come at once, and each is off the slots from its start. */
  @Test
  @Order(2)
  void aStormOfPodsStaysOffTheSlots() {
    runExecutors(2);
    Map<String, Container> pinned = awaitAllPinned(2);
    List<String> names = IntStream.range(0, STORM).mapToObj(i -> FOREIGN + "-" + i).toList();
    Lab.apply(
            names.stream()
                .map(name -> RuntimeNode.foreignPod(name, FOREIGN))
                .collect(joining("---\n")))
        .orFail();
    for (String name : names) {
      RuntimeNode.awaitRunning(name);
      assertThat(firstCpus(name)).as("%s at its start", name).isEqualTo(RuntimeNode.shared());
    }
    assertThat(RuntimeNode.executors(EXECUTORS)).isEqualTo(pinned);
    RuntimeNode.assertNobodyElseIsOnSlots(EXECUTORS, List.of());
  }

  @Test
  @Order(3)
  void executorsThatStartWhileThePinnerHangsArePinnedLater() {
    NodeTools.run("pkill -STOP " + RuntimeNode.PINNER);
    try {
      runExecutors(SLOTS);
      runForeignPods(2);
      for (String pod : executorNames(SLOTS)) {
        RuntimeNode.awaitRunning(pod);
      }
      await().pollDelay(Duration.ofSeconds(10)).atMost(RuntimeNode.START).until(() -> true);
    } finally {
      NodeTools.run("pkill -CONT " + RuntimeNode.PINNER);
    }
    awaitAllPinned(SLOTS);
    RuntimeNode.awaitNobodyElseIsOnSlots(EXECUTORS, List.of());
  }

  /** The runtime creates them without a plugin, or with a new one. */
  @Test
  @Order(4)
  void executorsThatStartWhileThePinnerIsKilledArePinnedAtLast() {
    for (String pod : executorNames(SLOTS)) {
      Lab.apply(
              RuntimeNode.executorPod(pod, EXECUTOR, 1, "1")
                  + "---\n"
                  + RuntimeNode.foreignPod(pod.replace(EXECUTOR, FOREIGN), FOREIGN))
          .orFail();
      Lab.awaitObject(
          "pod", pod, RuntimeNode.START, found -> !found.at("/spec/nodeName").asText().isEmpty());
      NodeTools.run("pkill -KILL " + RuntimeNode.PINNER + " || true");
    }
    for (String pod : executorNames(SLOTS)) {
      RuntimeNode.awaitRunning(pod);
    }
    RuntimeNode.awaitPinner("True");
    awaitAllPinned(SLOTS);
    RuntimeNode.awaitNobodyElseIsOnSlots(EXECUTORS, List.of());
    assertThat(restarts(executorNames(SLOTS))).containsOnly(0);
  }

  /** What runs keeps its CPUs for itself, also those that the new layout gives to others. */
  @Test
  @Order(5)
  void aNewLayoutLeavesRunningExecutorsTheirCpus() {
    runForeignPods(1);
    runExecutors(SLOTS);
    Map<String, Container> before = awaitAllPinned(SLOTS);
    List<CpuSet> held = before.values().stream().map(Container::set).toList();

    applyLayout("sharedCores: 0", "sharedCores: 1");
    assertThat(CpuSet.parse(RuntimeNode.shared()).intersects(CpuSet.unionOf(held)))
        .as("the new layout shares CPUs that executors hold")
        .isTrue();
    RuntimeNode.awaitNobodyElseIsOnSlots(EXECUTORS, held);
    assertThat(RuntimeNode.executors(EXECUTORS)).isEqualTo(before);
    assertThat(RuntimeNode.served()).containsAll(before.keySet());
    // Nor does one that comes now get onto them.
    Lab.apply(RuntimeNode.foreignPod(FOREIGN + "-later", FOREIGN)).orFail();
    RuntimeNode.awaitRunning(FOREIGN + "-later");
    assertThat(CpuSet.parse(firstCpus(FOREIGN + "-later")).intersects(CpuSet.unionOf(held)))
        .isFalse();

    // Those of the second NUMA node end: the new slot there is free, and its rest is shared.
    List<String> staying = new ArrayList<>();
    before.forEach(
        (pod, container) -> {
          if (container.memoryNodes().equals("1")) {
            Lab.delete("pod", pod);
          } else {
            staying.add(pod);
          }
        });
    assertThat(staying).hasSize(1);
    RuntimeNode.awaitFreeSlots(1);
    Lab.apply(RuntimeNode.executorPod(EXECUTOR + "-new", EXECUTOR, 1, "1")).orFail();
    RuntimeNode.awaitRunning(EXECUTOR + "-new");
    Map<String, Container> after = awaitAllPinned(2);
    assertThat(RuntimeNode.slots()).contains(after.get(EXECUTOR + "-new").set());
    assertThat(after.get(staying.get(0))).isEqualTo(before.get(staying.get(0)));
    await("the others to have all that is shared")
        .atMost(RuntimeNode.START)
        .untilAsserted(
            () -> {
              Set<String> ids = Set.copyOf(RuntimeNode.idsOfExecutors(EXECUTORS).values());
              Map<String, Container> others = new TreeMap<>(RuntimeNode.containers());
              others.keySet().removeAll(ids);
              assertThat(others.values())
                  .isNotEmpty()
                  .allSatisfy(
                      container -> assertThat(container.cpus()).isEqualTo(RuntimeNode.shared()));
            });

    // Smaller slots: each executor holds several now.
    applyLayout("preferred: 2", "min: 1\n      preferred: 1");
    List<CpuSet> kept = after.values().stream().map(Container::set).toList();
    RuntimeNode.awaitNobodyElseIsOnSlots(EXECUTORS, kept);
    assertThat(RuntimeNode.executors(EXECUTORS)).isEqualTo(after);
    Lab.apply(RuntimeNode.executorPod(EXECUTOR + "-small", EXECUTOR, 1, "1")).orFail();
    RuntimeNode.awaitRunning(EXECUTOR + "-small");
    Map<String, Container> atLast = awaitAllPinned(SLOTS);
    assertThat(atLast.get(EXECUTOR + "-small").set().size()).isEqualTo(2);
    RuntimeNode.awaitNobodyElseIsOnSlots(EXECUTORS, kept);
  }

  /** Without deleting the profile before. */
  @Test
  @Order(6)
  void uninstallingGivesAllCpusBackWhileExecutorsRun() {
    runForeignPods(1);
    runExecutors(2);
    Map<String, Container> before = awaitAllPinned(2);
    try {
      Lab.helm("uninstall", "numaspark").orFail();
      RuntimeNode.awaitAllForAll();
      Releases.awaitNothingOf("numaspark");
      RuntimeNode.awaitAllForAll();
      assertThat(RuntimeNode.executors(EXECUTORS))
          .hasSize(2)
          .allSatisfy((pod, now) -> assertThat(now.pid()).isEqualTo(before.get(pod).pid()));
    } finally {
      Lab.run(List.of(Lab.REPOSITORY.resolve("lab/install.sh").toString()), "").orFail();
    }
    // It takes over what runs: they started without it.
    RuntimeNode.awaitPinner("True");
    awaitAllPinned(2);
    RuntimeNode.awaitNobodyElseIsOnSlots(EXECUTORS, List.of());
  }

  private static Lab.Output dryRun(String pod) {
    return Lab.kubectlWith(pod, "create", "--dry-run=server", "-f", "-");
  }

  private static Lab.Output asAgent(String input, String... arguments) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "kubectl",
                "--as=system:serviceaccount:numaspark-agent:numaspark-agent",
                "--as-user-extra=authentication.kubernetes.io/node-name=" + NodeTools.NODE));
    words.addAll(List.of(arguments));
    return Lab.run(words, input);
  }

  /** A profile that differs from the demo's, until the pinner works by it. */
  private static void applyLayout(String demo, String instead) {
    String before = RuntimeNode.topology().at("/spec/pins/generation").asText();
    assertThat(Lab.demo("profile.yaml")).contains(demo);
    Lab.apply(Lab.demo("profile.yaml").replace(demo, instead)).orFail();
    RuntimeNode.awaitTopology(
        node -> {
          JsonNode wanted = node.at("/spec/pins/generation");
          return !wanted.asText().equals(before)
              && node.at("/status/pinner/generation").equals(wanted)
              && Lab.condition(node, "PinnerConnected").path("status").asText().equals("True");
        });
  }

  private static List<String> executorNames(int count) {
    return IntStream.range(0, count).mapToObj(i -> EXECUTOR + "-" + i).toList();
  }

  private static void runExecutors(int count) {
    Lab.apply(
            executorNames(count).stream()
                .map(name -> RuntimeNode.executorPod(name, EXECUTOR, 1, "1"))
                .collect(joining("---\n")))
        .orFail();
  }

  private static void runForeignPods(int count) {
    for (int i = 0; i < count; i++) {
      Lab.apply(RuntimeNode.foreignPod(FOREIGN + "-" + i, FOREIGN)).orFail();
      RuntimeNode.awaitRunning(FOREIGN + "-" + i);
    }
  }

  /** So many executors run, the pinner says that each has CPUs of its own, and the kernel too. */
  private static Map<String, Container> awaitAllPinned(int count) {
    return await(count + " pinned executors")
        .atMost(RuntimeNode.START)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> RuntimeNode.executors(EXECUTORS),
            executors ->
                executors.size() == count
                    && RuntimeNode.served().containsAll(executors.keySet())
                    && executors.values().stream()
                        .noneMatch(executor -> executor.cpus().equals(RuntimeNode.shared())));
  }

  private static String firstCpus(String pod) {
    return Lab.kubectl("logs", pod)
        .orFail()
        .out()
        .lines()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElseThrow();
  }

  private static List<Integer> restarts(List<String> pods) {
    return pods.stream()
        .map(pod -> Lab.get("pod", pod).at("/status/containerStatuses/0/restartCount").asInt())
        .toList();
  }
}
