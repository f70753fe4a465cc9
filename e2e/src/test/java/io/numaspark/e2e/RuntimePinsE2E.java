package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node whose kubelet pins nothing: the container runtime does, and nothing that ends, hangs or
 * starts anew takes executors' CPUs from them or gives them to others.
 */
@Order(30)
@Tag("runtime-faults")
class RuntimePinsE2E {
  private static final String NAME = "runtime-pins";
  private static final String FOREIGN = "beside-runtime-pins";
  private static final Duration START = Duration.ofMinutes(12);
  private static final String TOPOLOGY = "sparknodetopologies.numaspark.io";

  /** Prints container id and cpuset of all containers of pods, but not of sandboxes. */
  private static final String CPUSETS =
      """
      for c in $(ctr -n k8s.io containers ls -q 'labels."io.cri-containerd.kind"==container'); do
        f=$(find /sys/fs/cgroup/kubepods.slice -type d -name "cri-containerd-$c.scope")
        [ -z "$f" ] || echo "$c $(cat $f/cpuset.cpus) $(cat $f/cpuset.cpus.effective) $(cat $f/cpuset.mems.effective)"
      done
      """;

  @BeforeEach
  void applyProfile() {
    Applications.applyProfile();
    awaitPinner("True");
  }

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Lab.delete("pod", FOREIGN);
    Lab.kubectl("wait", "--for=delete", "pod", "-l", Applications.executors(NAME), "--timeout=300s")
        .orFail();
  }

  private static void awaitPinner(String status) {
    Lab.awaitObject(
        TOPOLOGY,
        NodeTools.NODE,
        START,
        node -> Lab.condition(node, "PinnerConnected").path("status").asText().equals(status));
  }

  @Test
  void executorsStayPinnedWhateverStartsAnew() {
    Lab.apply(
            Applications.pinned(
                NAME, Applications.SPARK, Applications.MAIN_CLASS, 2, "[\"12\", \"1800\"]"))
        .orFail();
    Lab.awaitObject(
        "sparkapplications.numaspark.io",
        NAME,
        START,
        app -> app.at("/status/executorCounts/pinned").asInt() == 2);
    Map<String, String> pinned = executors();
    assertThat(pinned).hasSize(2);
    assertNobodyElseIsOnSlots();

    // A pod of somebody else comes, and stays off the slots.
    Lab.apply(foreignPod()).orFail();
    Lab.awaitObject(
        "pod", FOREIGN, START, pod -> pod.at("/status/phase").asText().equals("Running"));
    assertThat(
            Lab.kubectl("exec", FOREIGN, "--", "grep", "Cpus_allowed_list", "/proc/self/status")
                .orFail()
                .out()
                .replaceAll("\\s+", " "))
        .contains("Cpus_allowed_list: " + shared());

    NodeTools.run("pkill -KILL numaspark-pinne");
    awaitSame(pinned);
    NodeTools.run("systemctl restart containerd");
    awaitSame(pinned);
    NodeTools.run("systemctl restart kubelet");
    awaitSame(pinned);
    NodeTools.run("systemctl daemon-reload");
    awaitSame(pinned);
    awaitPinner("True");
    assertNobodyElseIsOnSlots();
    Lab.awaitObject(
        "sparkapplications.numaspark.io",
        NAME,
        START,
        app -> app.at("/status/executorCounts/pinned").asInt() == 2);

    // The profile goes in the middle of the application: nothing is left of the pins.
    Lab.delete("sparknodeprofiles.numaspark.io", "dual-socket");
    String all =
        "0-" + (NodeTools.numactl().values().stream().mapToInt(n -> n.cpus().size()).sum() - 1);
    await("all containers to have all CPUs again")
        .atMost(START)
        .untilAsserted(
            () ->
                assertThat(cpusets().values())
                    .allSatisfy(cpus -> assertThat(cpus.split(" ")[1]).isEqualTo(all)));
    await("the pinner to go")
        .atMost(START)
        .until(() -> Lab.get(TOPOLOGY, NodeTools.NODE).at("/spec/pins").isMissingNode());
  }

  private static void awaitSame(Map<String, String> pinned) {
    await("executors to have their CPUs still")
        .pollInterval(Duration.ofSeconds(2))
        .during(Duration.ofSeconds(10))
        .atMost(START)
        .untilAsserted(() -> assertThat(executors()).isEqualTo(pinned));
  }

  /** Kernel's CPUs and NUMA nodes of each executor, by pod. */
  private static Map<String, String> executors() {
    Map<String, String> cpusets = cpusets();
    Map<String, String> executors = new TreeMap<>();
    for (JsonNode pod : Lab.list("pod", Applications.executors(NAME))) {
      String id =
          pod.at("/status/containerStatuses/0/containerID").asText().replaceFirst(".*/", "");
      String found = cpusets.get(id);
      if (found != null) {
        executors.put(pod.at("/metadata/name").asText(), found);
      }
    }
    return executors;
  }

  /** cpuset.cpus, cpuset.cpus.effective and cpuset.mems.effective by container. */
  private static Map<String, String> cpusets() {
    Map<String, String> cpusets = new TreeMap<>();
    NodeTools.run(CPUSETS)
        .lines()
        .map(line -> line.split(" ", 2))
        .filter(words -> words.length == 2)
        .forEach(words -> cpusets.put(words[0], words[1]));
    return cpusets;
  }

  private static void assertNobodyElseIsOnSlots() {
    CpuSet slots =
        CpuSet.parse(Lab.get(TOPOLOGY, NodeTools.NODE).at("/status/allocatableCpus").asText());
    Map<String, String> executors = executors();
    cpusets()
        .forEach(
            (id, cpus) -> {
              CpuSet effective = CpuSet.parse(cpus.split(" ")[1]);
              if (!executors.containsValue(cpus)) {
                assertThat(effective.intersects(slots)).as("%s on %s", id, cpus).isFalse();
              }
            });
  }

  private static String shared() {
    return Lab.get(TOPOLOGY, NodeTools.NODE).at("/spec/pins/sharedCpus").asText();
  }

  private static String foreignPod() {
    return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          nodeName: numa-0
          tolerations: [{key: numaspark.io/pinned, operator: Exists}]
          automountServiceAccountToken: false
          containers:
            - name: main
              image: numaspark/busybox:1
              imagePullPolicy: Never
              command: [sleep, "3600"]
        """
        .formatted(FOREIGN);
  }
}
