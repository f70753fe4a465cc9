package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.e2e.RuntimeNode.Container;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node whose kubelet pins nothing: the container runtime does, and nothing that ends, hangs or
 * starts anew takes executors' CPUs from them or gives them to others. What somebody else changes
 * is told, and numaspark goes without a trace while they run.
 */
@Order(30)
@Tag("runtime-faults")
class RuntimePinsE2E {
  private static final String NAME = "runtime-pins";
  private static final String EXECUTORS = Applications.executors(NAME);
  private static final String FOREIGN = "beside-runtime-pins";
  private static final int COUNT = 2;

  /** Within so many seconds after the runtime answers again the pinner knows all executors. */
  private static final int RESTORED = 35;

  /** Ends the runtime, and prints when the next one answers. */
  private static final String KILL_CONTAINERD =
      """
      kill -KILL $(systemctl show --property=MainPID --value containerd)
      sleep 1
      until ctr version > /dev/null 2>&1; do sleep 0.2; done
      date +%s
      """;

  @BeforeEach
  void applyProfile() {
    Applications.applyProfile();
    RuntimeNode.awaitPinner("True");
  }

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Lab.kubectl("delete", "pod", "--selector=app=" + FOREIGN, "--wait=true").orFail();
    Lab.kubectl("wait", "--for=delete", "pod", "-l", EXECUTORS, "--timeout=300s").orFail();
  }

  @Test
  void executorsStayPinnedWhateverStartsAnew() {
    Lab.apply(
            Applications.pinned(
                NAME, Applications.SPARK, Applications.MAIN_CLASS, COUNT, "[\"12\", \"1800\"]"))
        .orFail();
    awaitPinned();
    Map<String, Container> pinned = RuntimeNode.executors(EXECUTORS);
    assertThat(pinned).hasSize(COUNT);
    assertNobodyElseIsOnSlots();

    // The pinner hangs: the runtime goes on without it, and what came meanwhile is set right.
    NodeTools.run("pkill -STOP " + RuntimeNode.PINNER);
    Lab.apply(RuntimeNode.foreignPod(FOREIGN, FOREIGN)).orFail();
    RuntimeNode.awaitRunning(FOREIGN);
    NodeTools.run("pkill -CONT " + RuntimeNode.PINNER);
    RuntimeNode.awaitNobodyElseIsOnSlots(EXECUTORS, List.of());
    awaitSame(pinned);

    NodeTools.run("pkill -KILL " + RuntimeNode.PINNER);
    awaitSame(pinned);
    aKilledRuntimeIsTakenOverAgain();
    awaitSame(pinned);
    NodeTools.run("systemctl restart containerd");
    awaitSame(pinned);
    NodeTools.run("systemctl restart kubelet");
    awaitSame(pinned);
    NodeTools.run("systemctl daemon-reload");
    awaitSame(pinned);
    RuntimeNode.awaitPinner("True");
    assertNobodyElseIsOnSlots();
    awaitPinned();

    whatSomebodyElseSetsIsTold(pinned);
    itGoesWithoutATraceWhileExecutorsRun(pinned);
  }

  /** The state is in the runtime: the pinner reads it there. */
  private static void aKilledRuntimeIsTakenOverAgain() {
    long answers = Long.parseLong(NodeTools.run(KILL_CONTAINERD));
    String taken =
        await("the pinner to know what runs")
            .atMost(RuntimeNode.START)
            .pollInterval(Duration.ofSeconds(1))
            .until(() -> takenOverAfter(answers - RESTORED), line -> !line.isEmpty());
    long seconds = Instant.parse(taken.split(" ", 2)[0]).getEpochSecond() - answers;
    System.out.println("the pinner knew what runs " + seconds + " s after the runtime answered");
    assertThat(seconds).as(taken).isLessThanOrEqualTo(RESTORED);
    RuntimeNode.awaitPinner("True");
    assertThat(RuntimeNode.served()).hasSize(COUNT);
  }

  /** The last line of the pinner's log by which it has taken over what runs; empty if none. */
  private static String takenOverAfter(long time) {
    return Lab.kubectl(
            "logs",
            "--namespace=numaspark-agent",
            "--selector=numaspark.io/agent=pin",
            "--container=pinner",
            "--timestamps",
            "--tail=50",
            "--since-time=" + Instant.ofEpochSecond(time))
        .orFail()
        .out()
        .lines()
        .filter(line -> line.contains(" containers run, "))
        .reduce("", (first, second) -> second);
  }

  /** By hand, behind the runtime's back. */
  private static void whatSomebodyElseSetsIsTold(Map<String, Container> pinned) {
    String pod = pinned.keySet().iterator().next();
    Container executor = pinned.get(pod);
    String file =
        "$(find /sys/fs/cgroup/kubepods.slice -name 'cri-containerd-%s.scope')/cpuset.cpus";
    String path = file.formatted(RuntimeNode.idsOfExecutors(EXECUTORS).get(pod));
    NodeTools.run("echo 0-1 > " + path);
    JsonNode told =
        Lab.awaitObject(
            "sparkapplications.numaspark.io",
            NAME,
            RuntimeNode.START,
            app -> app.at("/status/executorCounts/notPinned").asInt() > 0);
    assertThat(told.at("/status/executors"))
        .anySatisfy(
            entry -> {
              assertThat(entry.path("pod").asText()).isEqualTo(pod);
              assertThat(entry.path("pinned").asText()).isEqualTo("False");
              assertThat(entry.path("reason").asText()).isEqualTo("KernelDisagrees");
              assertThat(entry.path("message").asText()).contains("0-1", executor.own());
            });
    NodeTools.run("echo " + executor.own() + " > " + path);
    awaitPinned();
    awaitSame(pinned);
  }

  /** The profile first, as docs/install.md says: then the chart. The application stays. */
  private static void itGoesWithoutATraceWhileExecutorsRun(Map<String, Container> pinned) {
    Lab.delete("sparknodeprofiles.numaspark.io", "dual-socket");
    RuntimeNode.awaitAllForAll();
    RuntimeNode.awaitTopology(node -> node.at("/spec/pins").isMissingNode());
    Lab.awaitObject("node", NodeTools.NODE, RuntimeNode.START, RuntimePinsE2E::isAsItWas);
    try {
      Lab.helm("uninstall", "numaspark").orFail();
      Releases.awaitNothingOf("numaspark");
      assertThat(isAsItWas(Lab.get("node", NodeTools.NODE))).isTrue();
      assertThat(NodeTools.run("ls -A /run/nri")).isEqualTo("nri.sock");
      assertThat(
              NodeTools.run(
                  "ls -d /var/lib/numaspark /run/numaspark* /etc/nri /opt/nri 2>&1 || true"))
          .doesNotContain("\n/")
          .doesNotStartWith("/");
      assertThat(NodeTools.run("pgrep -l ^numaspark || true")).isEmpty();
      RuntimeNode.awaitAllForAll();
      assertThat(RuntimeNode.executors(EXECUTORS))
          .as("executors go on")
          .hasSize(COUNT)
          .allSatisfy((pod, now) -> assertThat(now.pid()).isEqualTo(pinned.get(pod).pid()));
      assertThat(Applications.executorPhases(NAME)).containsOnly("Running");
    } finally {
      Lab.run(List.of(Lab.REPOSITORY.resolve("lab/install.sh").toString()), "").orFail();
    }
  }

  private static boolean isAsItWas(JsonNode node) {
    return node.at("/metadata/labels/numaspark.io~1agent").isMissingNode()
        && !node.path("status").toString().contains("slots.numaspark.io");
  }

  private static void awaitPinned() {
    Lab.awaitObject(
        "sparkapplications.numaspark.io",
        NAME,
        RuntimeNode.START,
        app -> app.at("/status/executorCounts/pinned").asInt() == COUNT);
  }

  private static void assertNobodyElseIsOnSlots() {
    RuntimeNode.assertNobodyElseIsOnSlots(EXECUTORS, List.of());
  }

  /** The same processes with the same CPUs and NUMA nodes. */
  private static void awaitSame(Map<String, Container> pinned) {
    await("executors to have their CPUs still")
        .pollInterval(Duration.ofSeconds(2))
        .during(Duration.ofSeconds(8))
        .atMost(RuntimeNode.START)
        .untilAsserted(() -> assertThat(RuntimeNode.executors(EXECUTORS)).isEqualTo(pinned));
  }
}
