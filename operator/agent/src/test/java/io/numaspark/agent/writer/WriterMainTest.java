package io.numaspark.agent.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.agent.knob.KnobSettings;
import io.numaspark.agent.knob.Location;
import io.numaspark.agent.knob.WriterClient;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer as a process of its own, which gets signals. */
class WriterMainTest {

  private static final KnobSettings WANTED =
      KnobSettings.parse(Map.of("prefetch.l1NextLine", "Disabled", "memory.swappiness", "1"));

  @TempDir Path directory;

  private final List<Process> processes = new ArrayList<>();
  private FakeTree tree;
  private SortedMap<String, Long> before;

  @BeforeEach
  void build() throws IOException {
    tree = FakeTree.intel(directory.resolve("machine"), 0x55);
    before = tree.everything();
  }

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  private Process launch(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                WriterMain.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("NUMASPARK_WRITER_ROOT", tree.root.toString());
    builder.environment().put("NUMASPARK_WRITER_STATE", directory.resolve("state").toString());
    builder.environment().put("NUMASPARK_WRITER_SOCKET", socket().toString());
    builder.redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile());
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private Path socket() {
    return directory.resolve("run/writer.sock");
  }

  private WriterClient client() {
    return new WriterClient(socket(), Duration.ofSeconds(30));
  }

  /** Asks as soon as the process listens. */
  private List<KnobState> untilItListens(Process process) throws Exception {
    while (true) {
      try {
        return client().status();
      } catch (IOException e) {
        assertThat(process.isAlive()).as(Files.readString(directory.resolve("log"))).isTrue();
        Thread.sleep(20);
      }
    }
  }

  @Test
  void putsBackOnSigterm() throws Exception {
    Process process = launch();
    untilItListens(process);
    assertThat(client().apply(WANTED, null)).extracting(KnobState::state).containsOnly("Applied");
    assertThat(tree.get(Location.INTEL_PREFETCH_CONTROL, 2)).isEqualTo(4);
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(tree.everything()).isEqualTo(before);
    assertThat(directory.resolve("state/originals.json")).doesNotExist();
  }

  @Test
  void putsBackAfterSigkill() throws Exception {
    Process process = launch();
    untilItListens(process);
    client().apply(WANTED, null);
    process.destroyForcibly().waitFor();
    assertThat(tree.get(Location.INTEL_PREFETCH_CONTROL, 2)).isEqualTo(4);
    assertThat(directory.resolve("state/originals.json")).exists();
    assertThat(socket()).exists();

    Process next = launch();
    assertThat(untilItListens(next)).extracting(KnobState::state).containsOnly("Observed");
    assertThat(client().restore()).extracting(KnobState::state).containsOnly("Restored");
    assertThat(tree.everything()).isEqualTo(before);
  }

  @Test
  void putsBackOnceAndEnds() throws Exception {
    Process process = launch();
    untilItListens(process);
    client().apply(WANTED, null);
    process.destroyForcibly().waitFor();
    assertThat(launch("restore").waitFor()).isZero();
    assertThat(tree.everything()).isEqualTo(before);
    assertThat(launch("restore").waitFor()).as("nothing to put back").isZero();
    assertThat(launch("wrmsr", "0x1a4").waitFor()).isEqualTo(2);
  }

  @Test
  void waitsForAnotherWriterToEnd() throws Exception {
    Process first = launch();
    untilItListens(first);
    client().apply(WANTED, null);
    Process second = launch("restore");
    first.destroy();
    assertThat(second.waitFor()).isZero();
    assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(tree.everything()).isEqualTo(before);
  }

  @Test
  void saysWhatIsWrongWithItsRoot() throws Exception {
    Files.delete(tree.root.resolve("proc/cpuinfo"));
    assertThat(launch().waitFor()).isEqualTo(1);
    assertThat(Files.readString(directory.resolve("log")))
        .contains("proc/cpuinfo")
        .doesNotContain("\tat ");
  }
}
