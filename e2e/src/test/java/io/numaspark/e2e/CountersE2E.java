package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The counter of a real node counts what a guest can count, says why it does not count the rest,
 * and has one capability.
 *
 * <p>Limit: the emulated node has no performance counters, so that no event of a processor counts.
 */
@Order(17)
@Tag("counters")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CountersE2E {
  private static final String NAME = "counted";
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final String PARANOID = "/proc/sys/kernel/perf_event_paranoid";

  /** Bit 38 (include/uapi/linux/capability.h). */
  private static final String CAP_PERFMON = "0000004000000000";

  /** As a pattern that is not a part of the command that looks for it. */
  private static final String COUNTER = "^/opt/numaspark/numaspark-[c]ounter";

  private static String paranoidBefore;

  @BeforeAll
  static void installTheCounter() {
    paranoidBefore = NodeTools.run("cat " + PARANOID);
    Lab.enforceStandard("privileged");
    Releases.finished(Lab.upgradeRelease("--set=agent.counters.enabled=true"));
    Applications.applyProfile();
  }

  @AfterAll
  static void removeTheCounter() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Applications.awaitNoPods(NAME);
    NodeTools.run("echo " + paranoidBefore + " > " + PARANOID);
    Releases.finished(Lab.upgradeRelease());
    Lab.enforceStandard("baseline");
  }

  /** Debian's kernel has a stricter setting than that of kernel.org. */
  @Test
  @Order(1)
  void aNodeThatForbidsToCountSaysSo() {
    assertThat(paranoidBefore).isEqualTo("3");
    JsonNode topology = awaitCounters("Forbidden");
    assertThat(counter(topology, "Switches").path("message").asText())
        .contains("kernel.perf_event_paranoid is 3", "set it to 2");
    assertThat(counter(topology, "Pressure").path("state").asText()).isEqualTo("Counted");
    assertThat(Lab.condition(topology, "CountersRead").path("status").asText()).isEqualTo("True");
  }

  @Test
  @Order(2)
  void executorsAreCountedOnceItIsAllowed() {
    NodeTools.run("echo 2 > " + PARANOID);
    Lab.apply(
            Applications.pinned(
                NAME, Applications.SPARK, Applications.MAIN_CLASS, 2, "[\"12\", \"600\"]"))
        .orFail();
    JsonNode topology =
        Lab.awaitObject(
            "sparknodetopologies.numaspark.io",
            NodeTools.NODE,
            LONG,
            object -> counted(object).size() == 2);
    for (JsonNode entry : counted(topology)) {
      assertThat(entry.at("/counts/milliseconds").asLong()).isPositive();
      assertThat(entry.at("/counts/contextSwitches").asLong()).as(entry.toString()).isPositive();
      assertThat(entry.at("/counts/cycles").isMissingNode()).isTrue();
      long before = entry.at("/usage/cpuMilliseconds").asLong();
      long now = cpuMilliseconds(entry.path("containerId").asText());
      assertThat(before).isPositive().isLessThanOrEqualTo(now);
      assertThat(entry.at("/usage/cpuWaitMilliseconds").isIntegralNumber()).isTrue();
    }
    JsonNode instructions = counter(topology, "Instructions");
    assertThat(instructions.path("reason").asText()).isEqualTo("NoPmu");
    assertThat(instructions.path("message").asText()).contains("virtual machine");
    assertThat(counter(topology, "Switches").path("state").asText()).isEqualTo("Counted");

    JsonNode application =
        Lab.awaitObject(
            "sparkapplications.numaspark.io",
            NAME,
            LONG,
            object -> object.at("/status/executors/0/counters/switchesPerSecond").isNumber());
    String pod = application.at("/status/executors/0/pod").asText();
    assertThat(Lab.kubectl("numaspark", "why", pod).orFail().out())
        .contains("Switches between threads each second");
  }

  @Test
  @Order(3)
  void theCounterMayCountAndNothingElse() {
    String process = "/proc/" + NodeTools.run("pgrep -n -f '" + COUNTER + "'");
    assertThat(NodeTools.run("grep Cap " + process + "/status | cut -f2 | sort -u").lines())
        .containsExactly("0000000000000000", CAP_PERFMON);
    assertThat(Lab.nodeExec(NodeTools.NODE, "ls " + process + "/root/var/run/secrets").exitCode())
        .as("token")
        .isNotZero();
    assertThat(Lab.nodeExec(NodeTools.NODE, "ls " + process + "/root/host").exitCode())
        .as("folders of the node")
        .isNotZero();
  }

  /** What is counted ends with its executor. */
  @Test
  @Order(4)
  void nothingIsCountedAfterTheExecutors() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Applications.awaitNoPods(NAME);
    Lab.awaitObject(
        "sparknodetopologies.numaspark.io",
        NodeTools.NODE,
        LONG,
        object -> counted(object).isEmpty());
    String process = NodeTools.run("pgrep -n -f '" + COUNTER + "'");
    assertThat(NodeTools.run("ls -l /proc/" + process + "/fd | grep -c perf_event || true"))
        .isEqualTo("0");
  }

  private static JsonNode awaitCounters(String reason) {
    return Lab.awaitObject(
        "sparknodetopologies.numaspark.io",
        NodeTools.NODE,
        LONG,
        object -> counter(object, "Switches").path("reason").asText().equals(reason));
  }

  private static JsonNode counter(JsonNode topology, String name) {
    for (JsonNode counter : topology.at("/status/counters")) {
      if (counter.path("name").asText().equals(name)) {
        return counter;
      }
    }
    return topology.path("no such counter");
  }

  private static List<JsonNode> counted(JsonNode topology) {
    List<JsonNode> entries = new ArrayList<>();
    for (JsonNode entry : topology.at("/status/exclusive")) {
      if (entry.has("counts") && entry.path("pod").asText().startsWith(NAME)) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** From the container's own file, by a shell. */
  private static long cpuMilliseconds(String container) {
    String file =
        "$(find /sys/fs/cgroup/kubepods.slice -type d -name '*" + container + "*' | head -1)";
    return Long.parseLong(NodeTools.run("sed -n 's/^usage_usec //p' " + file + "/cpu.stat")) / 1000;
  }
}
