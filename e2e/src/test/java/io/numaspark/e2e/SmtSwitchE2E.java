package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.e2e.Lab.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * `numaspark smt` switches SMT of a real kernel under a real kubelet, although the command and its
 * service on the node are killed. The tests follow each other.
 */
@Order(27)
@Tag("smt")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SmtSwitchE2E {
  private static final String NAME = "without-smt";
  private static final String MARK = "numaspark.io/smt-switch";
  private static final String SERVICE = "numaspark-smt.service";
  private static final String CONTROL = "/sys/devices/system/cpu/smt/control";
  private static final Duration LONG = Duration.ofMinutes(20);

  @BeforeAll
  static void applyProfile() {
    Applications.applyProfile();
    assertThat(control()).isEqualTo("on");
    Lab.awaitObject(
        "sparknodetopologies.numaspark.io",
        NodeTools.NODE,
        LONG,
        object -> Lab.condition(object, "TopologyRead").path("status").asText().equals("True"));
  }

  @AfterAll
  static void switchOn() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    if (!control().equals("on") || !mark().isEmpty()) {
      finish("on");
    }
    Lab.apply(Lab.demo("profile.yaml")).orFail();
  }

  @Test
  @Order(1)
  void showsTheStateAndADryRunChangesNothing() {
    assertThat(Lab.numaspark("", "smt", NodeTools.NODE).orFail().out())
        .contains("SMT:      on", "CPUs:     0-15 (16 of 8 cores)", "Reserved: 0-1");
    assertThat(
            Lab.run(
                    List.of(
                        "kubectl-numaspark",
                        "smt",
                        NodeTools.NODE,
                        "--to=off",
                        "--dry-run",
                        "--force",
                        "--delete-emptydir-data"),
                    "")
                .orFail()
                .out())
        .contains("Nothing was changed");
    assertThat(Lab.numaspark("", "smt", NodeTools.NODE, "--to=on").orFail().out())
        .contains("on already");
    assertThat(node().at("/spec/unschedulable").asBoolean()).isFalse();
    assertThat(mark()).isEmpty();
  }

  @Test
  @Order(2)
  void switchesOffAlthoughCommandAndServiceAreKilled() throws Exception {
    String before = kubelet();
    Path log = newLog();
    Process drained = start("off", log);
    await("the node is cordoned").atMost(LONG).until(() -> !mark().isEmpty() || !drained.isAlive());
    kill(drained);
    assertThat(mark()).as(Files.readString(log)).isNotEmpty();

    Process switched = start("off", log);
    await("the kubelet is stopped")
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> !kubeletState().equals("active") || !switched.isAlive());
    assertThat(switched.isAlive()).as(Files.readString(log)).isTrue();
    kill(switched);
    NodeTools.run("systemctl kill --signal=KILL " + SERVICE);
    assertThat(node().at("/spec/unschedulable").asBoolean()).isTrue();

    // The service on the node works on without anybody.
    await("SMT is off").atMost(LONG).until(() -> control().equals("off"));
    NodeTools.run("systemctl kill --signal=KILL " + SERVICE + " || true");
    await("the kubelet has started again")
        .atMost(LONG)
        .until(() -> kubeletState().equals("active"));
    assertThat(kubelet()).isNotEqualTo(before);

    assertThat(finish("off"))
        .contains("SMT of node numa-0 is off, with 8 CPUs and reservedSystemCPUs 0");
    assertSwitched("off", 8, "0");
    assertThat(NodeTools.run("nproc")).isEqualTo("8");
    assertThat(NodeTools.run("systemctl is-enabled " + SERVICE)).isEqualTo("enabled");
    assertThat(NodeTools.run("grep ^reservedSystemCPUs /etc/kubernetes/kubelet.yaml"))
        .isEqualTo("reservedSystemCPUs: \"0\"");
  }

  @Test
  @Order(3)
  void executorsArePinnedToWholeCoresWithoutSmt() {
    Lab.apply(
            Lab.demo("profile.yaml")
                .replace("threadsPerCore: 2", "threadsPerCore: 1")
                .replace("\n  executor:\n", "\n  smt: {mode: Disabled}\n  executor:\n"))
        .orFail();
    await("slots").atMost(LONG).until(() -> Applications.publishedSlots().matches("[1-9]"));
    Lab.apply(
            Applications.pinned(
                NAME, Applications.SPARK, Applications.MAIN_CLASS, 1, "[\"2\", \"60\"]"))
        .orFail();
    JsonNode application =
        Lab.awaitObject(
            "sparkapplications.numaspark.io",
            NAME,
            LONG,
            app ->
                app.at("/status/executorCounts/pinned").asInt() == 1
                    || app.at("/status/executorCounts/notPinned").asInt() > 0
                    || Lab.state(app).equals("FAILED"));
    assertThat(application.at("/status/executors/0/pinned").asText())
        .as(application.path("status").toPrettyString())
        .isEqualTo("True");
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Applications.awaitNoPods(NAME);
  }

  /** As after a start of the machine: the kernel has all threads, and the kubelet knows half. */
  @Test
  @Order(4)
  void theServiceSwitchesOffBeforeTheKubeletStarts() {
    NodeTools.run("systemctl stop kubelet && echo on > " + CONTROL);
    NodeTools.run("systemctl start --no-block " + SERVICE + " kubelet");
    await("the kubelet runs").atMost(LONG).until(() -> kubeletState().equals("active"));
    assertThat(control()).isEqualTo("off");
    Lab.awaitObject(
        "node",
        NodeTools.NODE,
        LONG,
        node ->
            Lab.condition(node, "Ready").path("status").asText().equals("True")
                && node.at("/status/capacity/cpu").asText().equals("8"));
  }

  @Test
  @Order(5)
  void switchesOnAgainAndLeavesNothing() {
    assertThat(finish("on"))
        .contains("SMT of node numa-0 is on, with 16 CPUs and reservedSystemCPUs 0-1");
    assertSwitched("on", 16, "0-1");
    assertThat(NodeTools.run("nproc")).isEqualTo("16");
    assertThat(
            NodeTools.run(
                "ls -d /var/lib/numaspark/smt /etc/systemd/system/"
                    + SERVICE
                    + " 2> /dev/null || true"))
        .isEmpty();
    await("the namespace of the pods is gone")
        .atMost(LONG)
        .until(
            () ->
                !Lab.kubectl("get", "namespaces", "-o", "name")
                    .orFail()
                    .out()
                    .contains("numaspark-smt"));
    Lab.apply(Lab.demo("profile.yaml")).orFail();
    await("the slots of before")
        .atMost(LONG)
        .until(() -> Applications.publishedSlots().equals("3"));
  }

  private static void assertSwitched(String state, int cpus, String reserved) {
    assertThat(control()).isEqualTo(state);
    JsonNode node = node();
    assertThat(node.at("/status/capacity/cpu").asInt()).isEqualTo(cpus);
    assertThat(node.at("/spec/unschedulable").asBoolean()).isFalse();
    assertThat(mark()).isEmpty();
    JsonNode topology = Lab.get("sparknodetopologies.numaspark.io", NodeTools.NODE);
    assertThat(topology.at("/spec/cpu/smtControl").asText()).isEqualTo(state);
    assertThat(topology.at("/spec/kubelet/reservedCpus").asText()).isEqualTo(reserved);
  }

  private static List<String> command(String state) {
    return List.of(
        "numaspark",
        "smt",
        NodeTools.NODE,
        "--to=" + state,
        "--force",
        "--delete-emptydir-data",
        "--yes");
  }

  private static Path newLog() throws IOException {
    Path log = Files.createTempFile("smt", ".log");
    log.toFile().deleteOnExit();
    return log;
  }

  private static Process start(String state, Path log) throws IOException {
    return new ProcessBuilder(command(state))
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static void kill(Process process) throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    assertThat(process.destroyForcibly().waitFor(30, TimeUnit.SECONDS)).isTrue();
  }

  /** Runs the command to its end, which may take longer than other commands do. */
  private static String finish(String state) {
    try {
      Path log = newLog();
      Process process = start(state, log);
      boolean ended = process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS);
      process.destroyForcibly();
      Output output = new Output(ended ? process.exitValue() : -1, Files.readString(log), "");
      return output.orFail().out();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static JsonNode node() {
    return Lab.get("node", NodeTools.NODE);
  }

  private static String mark() {
    return node().at("/metadata/annotations").path(MARK).asText();
  }

  private static String control() {
    return NodeTools.run("cat " + CONTROL);
  }

  private static String kubeletState() {
    return NodeTools.run("systemctl is-active kubelet || true");
  }

  /** The process of the kubelet. */
  private static String kubelet() {
    return NodeTools.run("systemctl show --property=MainPID --value kubelet");
  }
}
