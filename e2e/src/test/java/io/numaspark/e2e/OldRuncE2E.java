package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Debian 12's runc and a reload of systemd move executors to CPUs of others: the agent says so
 * before, and the proof says after it which executors, from where to where, and why.
 */
@Order(5)
@Tag("pin-proof")
class OldRuncE2E {
  private static final String KIND = "sparkapplications.numaspark.io";
  private static final String PROFILES = "sparknodeprofiles.numaspark.io";
  private static final String NAME = "old-runc";
  private static final Duration START = Duration.ofMinutes(12);

  @BeforeEach
  void theNodeHasTheRuncOfDebian() {
    Applications.applyProfile();
    NodeTools.run(
        "cp /usr/sbin/runc /run/runc-of-the-lab && install /usr/sbin/runc-of-debian /usr/sbin/runc");
    assertThat(NodeTools.run("runc --version")).startsWith("runc version 1.1.5");
  }

  @AfterEach
  void cleanUp() {
    // Whatever the kubelet sets from here on is right again.
    NodeTools.run("[ ! -e /run/runc-of-the-lab ] || install /run/runc-of-the-lab /usr/sbin/runc");
    Lab.delete(KIND, NAME);
    Applications.awaitNoPods(NAME);
  }

  @Test
  void executorsThatAReloadOfSystemdMovesAreNamedWithTheCause() {
    Lab.apply(
            Applications.pinned(
                NAME, Applications.SPARK, Applications.MAIN_CLASS, 3, "[\"12\", \"1200\"]"))
        .orFail();
    Lab.awaitObject(KIND, NAME, START, app -> app.at("/status/executorCounts/pinned").asInt() == 3);
    NodeTools.run("systemctl daemon-reload");

    JsonNode moved = Lab.awaitObject(KIND, NAME, START, app -> moved(app).size() == 2);
    String status = moved.path("status").toPrettyString();
    assertThat(moved(moved))
        .as(status)
        .allSatisfy(
            executor ->
                assertThat(executor.path("message").asText())
                    .containsPattern(
                        "given it CPUs (8-11|12-15), and the kernel lets it use (0-3|4-7)")
                    .contains("runc before 1.1.6"));
    // The third has kept its CPUs, which are not its own any more.
    assertThat(executors(moved))
        .as(status)
        .filteredOn(executor -> !moved(moved).contains(executor))
        .singleElement()
        .satisfies(
            executor -> assertThat(executor.path("reason").asText()).isEqualTo("CpusNotExclusive"));
    assertThat(Lab.condition(moved, "Pinned").path("reason").asText()).isEqualTo("NotPinned");
  }

  @Test
  void aReloadIsForetoldAndTheCommandOfTheMessagePreventsIt() {
    Lab.apply(
            Applications.pinned(
                NAME, Applications.SPARK, Applications.MAIN_CLASS, 3, "[\"12\", \"1200\"]"))
        .orFail();
    JsonNode profile =
        Lab.awaitObject(
            PROFILES,
            "dual-socket",
            START,
            object -> message(object).contains("moves 2 of the containers"));
    assertThat(message(profile))
        .contains("runc before 1.1.6", "spark-kubernetes-executor of pod default/" + NAME)
        .containsPattern("has CPUs (8-11 and would have 0-3|12-15 and would have 4-7)");

    NodeTools.run(command(profile));
    profile =
        Lab.awaitObject(
            PROFILES,
            "dual-socket",
            START,
            object -> message(object).contains("moves 1 of the containers"));
    NodeTools.run(command(profile));
    Lab.awaitObject(
        PROFILES,
        "dual-socket",
        START,
        object -> Lab.condition(object, "SystemdAgrees").path("status").asText().equals("True"));

    String cpus =
        "cat /sys/fs/cgroup/kubepods.slice/kubepods-pod*.slice/cri-*.scope/cpuset.cpus.effective | sort";
    String before = NodeTools.run(cpus);
    assertThat(before).contains("8-11", "12-15");
    NodeTools.run("systemctl daemon-reload");
    assertThat(NodeTools.run(cpus)).isEqualTo(before);
  }

  private static String message(JsonNode profile) {
    return Lab.condition(profile, "SystemdAgrees").path("message").asText();
  }

  private static String command(JsonNode profile) {
    Matcher command =
        Pattern.compile("systemctl set-property --runtime \\S+ AllowedCPUs=[0-9,-]+")
            .matcher(message(profile));
    assertThat(command.find()).as(message(profile)).isTrue();
    return command.group();
  }

  private static List<JsonNode> moved(JsonNode application) {
    return executors(application).stream()
        .filter(executor -> executor.path("reason").asText().equals("MovedByRunc"))
        .toList();
  }

  private static List<JsonNode> executors(JsonNode application) {
    return new ArrayList<>(
        StreamSupport.stream(application.at("/status/executors").spliterator(), false).toList());
  }
}
