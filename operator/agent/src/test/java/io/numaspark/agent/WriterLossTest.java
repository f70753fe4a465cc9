package io.numaspark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.agent.knob.WriterClient;
import io.numaspark.agent.writer.FakeTree;
import io.numaspark.agent.writer.WriterMain;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.api.v1alpha1.WantedKnobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer's process ends in the middle of a request of the reader, and another one starts. */
class WriterLossTest {
  private static final Optional<WantedKnobs> WANTED =
      Optional.of(
          new WantedKnobs(
              "profile",
              WantedKnobs.Scope.Node,
              Map.of("prefetch.l1NextLine", "Disabled", "memory.swappiness", "1"),
              List.of("prefetch.l1NextLine", "memory.swappiness")));

  @TempDir Path directory;
  private final List<Process> processes = new ArrayList<>();
  private FakeTree tree;
  private SortedMap<String, Long> before;
  private Path socket;
  private Knobs knobs;

  @BeforeEach
  void build() throws IOException {
    tree = FakeTree.intel(directory.resolve("machine"), 0x55);
    before = tree.everything();
    socket = directory.resolve("run/writer.sock");
    knobs =
        new Knobs(tree.observer(), Optional.of(new WriterClient(socket, Duration.ofSeconds(30))));
  }

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  private Process launch() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Files.readAllLines(Path.of("src/main/image/jvm.options")).stream()
        .filter(line -> line.startsWith("-") && !line.contains("Archive"))
        .forEach(command::add);
    // Enough for this machine, and not for one of 8192 CPUs.
    command.addAll(List.of("-Xmx6m", "-cp", System.getProperty("java.class.path")));
    command.add(WriterMain.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("NUMASPARK_WRITER_ROOT", tree.root.toString());
    builder.environment().put("NUMASPARK_WRITER_STATE", directory.resolve("state").toString());
    builder.environment().put("NUMASPARK_WRITER_SOCKET", socket.toString());
    builder.redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile());
    Process process = builder.start();
    processes.add(process);
    while (true) {
      try {
        new WriterClient(socket, Duration.ofSeconds(30)).status();
        return process;
      } catch (IOException e) {
        assertThat(process.isAlive()).as(Files.readString(directory.resolve("log"))).isTrue();
        Thread.sleep(20);
      }
    }
  }

  private KnobsCondition look(Duration at) {
    return KnobsCondition.of(WANTED, knobs.look(WANTED, List.of(), Instant.EPOCH.plus(at)))
        .orElseThrow();
  }

  @Test
  void outOfMemoryItIsToldAndTheNextOneGoesOn() throws Exception {
    Process writer = launch();
    assertThat(look(Duration.ZERO).status()).isEqualTo("True");

    tree.text("sys/devices/system/cpu/online", "0-8191");
    KnobsCondition lost = look(Duration.ofMinutes(2));
    assertThat(lost.status()).isEqualTo("Unknown");
    assertThat(lost.reason()).isEqualTo("WriterNotAnswering");
    assertThat(lost.message()).isNotBlank();
    assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(writer.exitValue()).as("as the JVM ends out of memory").isEqualTo(3);
    assertThat(look(Duration.ofMinutes(3)).reason()).isEqualTo("WriterNotAnswering");

    tree.text("sys/devices/system/cpu/online", "0-3");
    launch();
    assertThat(look(Duration.ofMinutes(4)).status()).isEqualTo("True");
    assertThat(new WriterClient(socket, Duration.ofSeconds(30)).restore())
        .extracting(KnobState::state)
        .containsOnly("Restored");
    assertThat(tree.everything()).isEqualTo(before);
  }

  /** Its first step is to keep the originals; here that waits, as on a disk that hangs. */
  @Test
  void killedInTheMiddleOfARequestItIsToldAndTheNextOneGoesOn() throws Exception {
    Process writer = launch();
    Path pipe = directory.resolve("state/originals.json.new");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Thread killer =
        new Thread(
            () -> {
              try {
                Thread.sleep(300);
              } catch (InterruptedException e) {
                // Killed a little earlier.
              }
              writer.destroyForcibly();
            });
    killer.start();
    assertThat(look(Duration.ZERO).reason()).isEqualTo("WriterNotAnswering");
    killer.join();
    assertThat(tree.everything()).isEqualTo(before);

    Files.delete(pipe);
    launch();
    assertThat(look(Duration.ofMinutes(1)).status()).isEqualTo("True");
    new WriterClient(socket, Duration.ofSeconds(30)).restore();
    assertThat(tree.everything()).isEqualTo(before);
  }

  /** The next one knows the originals, and nobody has told it what is wanted now. */
  @Test
  void endedBetweenTwoLooksTheNextOneIsToldWhatIsWanted() throws Exception {
    Process writer = launch();
    assertThat(look(Duration.ZERO).status()).isEqualTo("True");
    SortedMap<String, Long> applied = tree.everything();
    writer.destroyForcibly().waitFor();
    launch();
    tree.text("proc/sys/vm/swappiness", "33\n");

    assertThat(look(Duration.ofMinutes(2)).status()).isEqualTo("True");
    assertThat(tree.everything()).isEqualTo(applied);
    new WriterClient(socket, Duration.ofSeconds(30)).restore();
    assertThat(tree.everything()).isEqualTo(before);
  }
}
