package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Memory policy of a real kernel really changes where a profile says Enforce, and really comes
 * back. The tests follow each other: each starts where the one before has left the node.
 */
@Order(16)
@Tag("knobs")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KnobsE2E {
  /** Bits 1 and 3: to sweep the pages of executors of any user, see decision 20. */
  private static final String CAP_DAC_OVERRIDE_AND_FOWNER = "000000000000000a";

  private static final Duration LONG = Duration.ofMinutes(8);
  private static final String NAMESPACE = "numaspark-agent";

  /** As patterns that are not a part of the command that looks for them. */
  private static final String READER = "^/opt/numaspark/numaspark-[a]gent";

  private static final String WRITER = "^/opt/numaspark/numaspark-[w]riter";
  private static final String BESIDE = "beside-knobs";
  private static final String THP = "/sys/kernel/mm/transparent_hugepage/enabled";
  private static final String SWAPPINESS = "/proc/sys/vm/swappiness";
  private static final String BALANCING = "/proc/sys/kernel/numa_balancing";
  private static final Map<String, String> WANTED =
      Map.of(THP, "always [madvise] never", SWAPPINESS, "1", BALANCING, "1");

  /** As they were before; numa_balancing is off in a machine that was not always busy. */
  private static Map<String, String> before;

  @BeforeAll
  static void installTheWriter() {
    before = knobs();
    assertThat(before).doesNotContainEntry(SWAPPINESS, "1");
    Lab.enforceStandard("privileged");
    Lab.upgradeRelease("--set=agent.enforce=true").orFail();
    Lab.apply(Lab.demo("profile.yaml")).orFail();
  }

  @AfterAll
  static void removeTheWriter() {
    Lab.delete("sparkapplications.numaspark.io", BESIDE);
    Lab.apply(Lab.demo("profile.yaml")).orFail();
    Applications.patchMemory("null");
    Lab.upgradeRelease().orFail();
    Lab.enforceStandard("baseline");
    awaitKnobs(before);
  }

  @Test
  @Order(1)
  void knobsAreSetWhereTheProfileSaysEnforce() {
    Applications.patchMemory(
        "{\"mode\": \"Enforce\", \"transparentHugePages\": \"Madvise\", \"numaBalancing\": \"Enabled\", \"swappiness\": 1}");
    awaitKnobs(WANTED);
    JsonNode topology = awaitTopology(object -> status(object, "KnobsApplied").equals("True"));
    for (JsonNode knob : topology.at("/status/knobs")) {
      assertThat(knob.path("state").asText()).as(knob.toString()).isEqualTo("Applied");
      assertThat(knob.path("actual")).isEqualTo(knob.path("wanted"));
    }
    assertThat(topology.at("/status/knobs")).hasSize(3);
    Lab.awaitObject(
        "sparknodeprofiles.numaspark.io",
        "dual-socket",
        LONG,
        profile -> status(profile, "KnobsApplied").equals("True"));
  }

  @Test
  @Order(2)
  void theReaderCannotWriteAndTheWriterHasNeitherNetworkNorToken() {
    String reader = "/proc/" + processOf(READER);
    assertThat(NodeTools.run("grep Cap " + reader + "/status | cut -f2 | sort -u").lines())
        .as("capabilities of the reader")
        .containsExactly("0000000000000000", CAP_DAC_OVERRIDE_AND_FOWNER);
    assertThat(NodeTools.run("ls " + reader + "/root/host").lines())
        .as("what the reader sees of the node")
        .contains("pod-resources", "cgroup")
        .doesNotContain("sys", "proc", "dev");
    Map<String, String> mounts = mountsOf(reader);
    for (String place : List.of("/", "/sys", "/proc/sys", "/host/pod-resources", "/host/cgroup")) {
      assertThat(mounts.get(place)).as(place + " of the reader").startsWith("ro");
    }

    String writer = "/proc/" + processOf(WRITER);
    assertThat(NodeTools.run("tail -n +3 " + writer + "/net/dev | cut -d: -f1").strip())
        .as("network devices of the writer")
        .isEqualTo("lo");
    assertThat(Lab.nodeExec(NodeTools.NODE, "ls " + writer + "/root/var/run/secrets").exitCode())
        .as("token")
        .isNotZero();
    assertThat(knobs()).isEqualTo(WANTED);
  }

  @Test
  @Order(3)
  void whatSomebodyElseChangesIsToldAndSetAgain() {
    NodeTools.run("echo 33 > " + SWAPPINESS);
    awaitKnobs(WANTED);
  }

  @Test
  @Order(4)
  void anUpgradeLeavesExecutorsAndSetsTheKnobsAgain() {
    Lab.apply(
            Applications.pinned(
                BESIDE, Applications.SPARK, Applications.MAIN_CLASS, 1, "[\"4\", \"600\"]"))
        .orFail();
    await("an executor beside the knobs")
        .atMost(LONG)
        .until(() -> Applications.executorPhases(BESIDE).equals(List.of("Running")));
    List<String> executors = Applications.executorUids(BESIDE);
    String writer = processOf(WRITER);
    Releases.finished(
        Lab.upgradeRelease(
            "--set=agent.enforce=true",
            "--set=agent.memorySpeed=false",
            "--set=podAnnotations.upgraded=yes"));
    await("a new writer")
        .atMost(LONG)
        .until(
            () ->
                !NodeTools.run("pgrep -n -f '" + WRITER + "' || true").isEmpty()
                    && !processOf(WRITER).equals(writer));
    awaitKnobs(WANTED);
    awaitTopology(object -> status(object, "KnobsApplied").equals("True"));
    assertThat(Applications.executorUids(BESIDE)).isEqualTo(executors);
    assertThat(Applications.executorPhases(BESIDE)).containsExactly("Running");
    Lab.delete("sparkapplications.numaspark.io", BESIDE);
    Applications.awaitNoPods(BESIDE);
  }

  @Test
  @Order(5)
  void aWriterOutOfMemoryStillKnowsHowItWas() {
    String writer = processOf(WRITER);
    NodeTools.run("echo 1M > /sys/fs/cgroup$(cut -d: -f3 /proc/" + writer + "/cgroup)/memory.max");
    await("the writer's container starts again").atMost(LONG).until(() -> writerRestarts() > 0);
    assertThat(writerContainer().at("/lastState/terminated/reason").asText())
        .isEqualTo("OOMKilled");
    NodeTools.run("echo 33 > " + SWAPPINESS);
    awaitKnobs(WANTED);
    Applications.patchMemory("{\"mode\": \"Observe\"}");
    awaitKnobs(before);
    awaitTopology(
        object ->
            object.at("/status/knobs").findValuesAsText("state").stream()
                .noneMatch(state -> List.of("Applied", "Drifted", "Failed").contains(state)));
    assertThat(NodeTools.run("ls /var/lib/numaspark")).doesNotContain("originals.json");
    // The label says observe again, so that the privileged writer is gone.
    Lab.awaitObject(
        "node",
        NodeTools.NODE,
        LONG,
        node -> node.at("/metadata/labels/numaspark.io~1agent").asText().equals("observe"));
  }

  @Test
  @Order(6)
  void deletingTheProfilePutsEverythingBack() {
    Applications.patchMemory("{\"mode\": \"Enforce\"}");
    awaitKnobs(WANTED);
    Lab.delete("sparknodeprofiles.numaspark.io", "dual-socket");
    awaitKnobs(before);
    Lab.awaitObject(
        "node",
        NodeTools.NODE,
        LONG,
        node -> node.at("/metadata/labels/numaspark.io~1agent").isMissingNode());
  }

  @Test
  @Order(7)
  void takingTheWriterAwayPutsEverythingBack() {
    Lab.apply(Lab.demo("profile.yaml")).orFail();
    Applications.patchMemory(
        "{\"mode\": \"Enforce\", \"transparentHugePages\": \"Madvise\", \"numaBalancing\": \"Enabled\", \"swappiness\": 1}");
    awaitKnobs(WANTED);
    Lab.upgradeRelease().orFail();
    awaitKnobs(before);
    // A profile that cannot be enforced says what to do.
    Lab.awaitObject(
        "sparknodeprofiles.numaspark.io",
        "dual-socket",
        LONG,
        object ->
            !status(object, "KnobsApplied").equals("True")
                && Lab.condition(object, "KnobsApplied")
                    .path("message")
                    .asText()
                    .contains("agent.enforce"));
  }

  /** The agent's image has no shell to ask, so the node is asked of its processes. */
  private static String processOf(String program) {
    return NodeTools.run("pgrep -n -f '" + program + "'");
  }

  /**
   * Options of the mounts that a process sees, by their place; those of the last if it has more.
   */
  private static Map<String, String> mountsOf(String process) {
    Map<String, String> mounts = new TreeMap<>();
    NodeTools.run("cut -d' ' -f5,6 " + process + "/mountinfo")
        .lines()
        .map(line -> line.split(" "))
        .forEach(words -> mounts.put(words[0], words[1]));
    return mounts;
  }

  private static int writerRestarts() {
    JsonNode writer = writerContainer();
    return writer.path("ready").asBoolean() ? writer.path("restartCount").asInt() : 0;
  }

  /** Status of the writer's container, of the first agent that has one. */
  private static JsonNode writerContainer() {
    JsonNode pods =
        Lab.json(
            Lab.kubectl(
                    "get",
                    "pods",
                    "-n",
                    NAMESPACE,
                    "-l",
                    "numaspark.io/agent=enforce",
                    "-o",
                    "json")
                .orFail()
                .out());
    for (JsonNode container : pods.at("/items/0/status/containerStatuses")) {
      if (container.path("name").asText().equals("writer")) {
        return container;
      }
    }
    return MissingNode.getInstance();
  }

  private static JsonNode awaitTopology(Predicate<JsonNode> wanted) {
    return Lab.awaitObject("sparknodetopologies.numaspark.io", NodeTools.NODE, LONG, wanted);
  }

  private static String status(JsonNode object, String condition) {
    return Lab.condition(object, condition).path("status").asText();
  }

  private static void awaitKnobs(Map<String, String> values) {
    await("knobs of the node")
        .atMost(LONG)
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(() -> assertThat(knobs()).containsAllEntriesOf(values));
  }

  private static Map<String, String> knobs() {
    Map<String, String> values = new TreeMap<>();
    NodeTools.run("grep -H . " + THP + " " + SWAPPINESS + " " + BALANCING)
        .lines()
        .forEach(
            line ->
                values.put(
                    line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1)));
    return values;
  }
}
