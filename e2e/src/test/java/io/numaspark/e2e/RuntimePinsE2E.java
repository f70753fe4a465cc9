package io.numaspark.e2e;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
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
  private static final String FOREIGN_LABEL = "app=" + FOREIGN;

  /** Pods of others that come at once. */
  private static final int STORM = 15;

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
    Lab.kubectl("delete", "pod", "--selector=" + FOREIGN_LABEL, "--wait=true").orFail();
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

    podsOfOthersStayOffTheSlots();
    awaitSame(pinned);

    // The pinner hangs: the runtime goes on without it, and what came meanwhile is set right.
    NodeTools.run("pkill -STOP numaspark-pinne");
    Lab.apply(foreignPod("hang")).orFail();
    awaitRunning(FOREIGN + "-hang");
    NodeTools.run("pkill -CONT numaspark-pinne");
    await("the pod that came meanwhile to leave the slots")
        .atMost(START)
        .untilAsserted(RuntimePinsE2E::assertNobodyElseIsOnSlots);
    awaitSame(pinned);

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
    awaitAllCpusForAll();
    await("the pinner to go")
        .atMost(START)
        .until(() -> Lab.get(TOPOLOGY, NodeTools.NODE).at("/spec/pins").isMissingNode());
  }

  @Test
  void uninstallingGivesAllCpusBack() {
    Lab.apply(foreignPod("uninstall")).orFail();
    awaitRunning(FOREIGN + "-uninstall");
    assertNobodyElseIsOnSlots();
    try {
      Lab.run(List.of("helm", "uninstall", "numaspark", "--namespace=numaspark-system"), "")
          .orFail();
      awaitAllCpusForAll();
    } finally {
      Lab.run(List.of(Lab.REPOSITORY.resolve("lab/install.sh").toString()), "").orFail();
    }
  }

  /** They come at once, and each is off the slots from its start. */
  private static void podsOfOthersStayOffTheSlots() {
    List<String> names = IntStream.range(0, STORM).mapToObj(i -> "storm-" + i).toList();
    Lab.apply(names.stream().map(RuntimePinsE2E::foreignPod).collect(joining("---\n"))).orFail();
    for (String name : names) {
      awaitRunning(FOREIGN + "-" + name);
      assertThat(Lab.kubectl("logs", FOREIGN + "-" + name).orFail().out().replaceAll("\\s+", " "))
          .as("CPUs of the first process of %s at its start", name)
          .contains("Cpus_allowed_list: " + shared());
    }
    Lab.kubectl("delete", "pod", "--selector=" + FOREIGN_LABEL, "--wait=true").orFail();
  }

  private static void awaitRunning(String pod) {
    Lab.awaitObject(
        "pod", pod, START, found -> found.at("/status/phase").asText().equals("Running"));
  }

  private static void awaitAllCpusForAll() {
    String all =
        "0-" + (NodeTools.numactl().values().stream().mapToInt(n -> n.cpus().size()).sum() - 1);
    await("all containers to have all CPUs again")
        .atMost(START)
        .untilAsserted(
            () ->
                assertThat(cpusets().values())
                    .isNotEmpty()
                    .allSatisfy(cpus -> assertThat(cpus.split(" ")[1]).isEqualTo(all)));
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

  private static String foreignPod(String name) {
    return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s-%s, labels: {app: %s}}
        spec:
          terminationGracePeriodSeconds: 1
          nodeName: numa-0
          tolerations: [{key: numaspark.io/pinned, operator: Exists}]
          automountServiceAccountToken: false
          containers:
            - name: main
              image: numaspark/busybox:1
              imagePullPolicy: Never
              command: [sh, -c, "grep Cpus_allowed_list /proc/self/status; exec sleep 3600"]
        """
        .formatted(FOREIGN, name, FOREIGN);
  }
}
