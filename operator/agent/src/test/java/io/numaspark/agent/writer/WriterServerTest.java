package io.numaspark.agent.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.numaspark.agent.knob.KnobSettings;
import io.numaspark.agent.knob.Location;
import io.numaspark.agent.knob.WriterClient;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriterServerTest {

  private static final KnobSettings NEXT_LINE =
      KnobSettings.parse(Map.of("prefetch.l1NextLine", "Disabled"));

  @TempDir Path directory;

  private FakeTree tree;
  private Path socket;
  private WriterServer server;
  private WriterClient client;
  private Thread thread;

  @BeforeEach
  void start() throws IOException {
    tree = FakeTree.intel(directory.resolve("machine"), 0x55);
    socket = directory.resolve("run/writer.sock");
    Files.createDirectories(socket.getParent());
    Files.writeString(socket, "what an earlier run has left");
    KnobWriter writer =
        new KnobWriter(
            new FileMachine(tree.root),
            tree.processor(),
            new OriginalsStore(tree.root.resolve("state")));
    server = new WriterServer(writer, socket, Duration.ofMillis(200));
    client = new WriterClient(socket, Duration.ofSeconds(30));
    thread =
        new Thread(
            () -> {
              try {
                server.run();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    thread.start();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    thread.join();
  }

  private SocketChannel connect() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(socket));
  }

  private String say(byte[] bytes) throws IOException {
    try (SocketChannel channel = connect()) {
      try {
        ByteBuffer out = ByteBuffer.wrap(bytes);
        while (out.hasRemaining()) {
          channel.write(out);
        }
      } catch (IOException e) {
        // The server has heard enough.
      }
      ByteBuffer in = ByteBuffer.allocate(65536);
      while (channel.read(in) > 0) {
        // Until it hangs up.
      }
      return new String(in.array(), 0, in.position(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void servesTheClient() throws IOException {
    assertThat(client.apply(NEXT_LINE, CpuSet.of(1)))
        .singleElement()
        .satisfies(state -> assertThat(state.state()).isEqualTo("Applied"));
    assertThat(tree.get(Location.INTEL_PREFETCH_CONTROL, 3)).isEqualTo(4);
    assertThat(client.status()).hasSize(1);
    assertThat(client.restore())
        .singleElement()
        .satisfies(state -> assertThat(state.state()).isEqualTo("Restored"));
    assertThat(tree.get(Location.INTEL_PREFETCH_CONTROL, 3)).isZero();
    assertThat(client.status()).isEmpty();
  }

  @Test
  void tellsTheClientWhatIsRefused() {
    assertThatIOException()
        .isThrownBy(() -> client.apply(NEXT_LINE, CpuSet.of(64)))
        .withMessage("the writer refuses: cpus: 64 is not on this machine: write some of 0-3");
  }

  @Test
  void isForItsOwnerOnly() throws IOException {
    assertThat(isOpen(socket, PosixFilePermission.OTHERS_WRITE))
        .as("either the socket or its folder keeps others out")
        .isFalse();
  }

  private static boolean isOpen(Path path, PosixFilePermission permission) throws IOException {
    return Files.getPosixFilePermissions(path).contains(permission);
  }

  /** Whoever may write to the folder of the socket may put a link in its place at any time. */
  @Test
  void changesTheModeOfNothingThatALinkNames() throws Exception {
    Path victim = Files.createFile(directory.resolve("victim"));
    Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rw-rw-rw-"));
    Path contested = Files.createDirectory(directory.resolve("contested")).resolve("writer.sock");
    Thread attacker =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                try {
                  Files.deleteIfExists(contested);
                  Files.createSymbolicLink(contested, victim);
                } catch (IOException e) {
                  // The server was faster.
                }
              }
            });
    attacker.start();
    try {
      for (int i = 0; i < 300; i++) {
        try {
          new WriterServer(null, contested, Duration.ofMillis(1)).close();
        } catch (IOException e) {
          // The attacker was faster.
        }
      }
    } finally {
      attacker.interrupt();
      attacker.join();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(victim)))
        .isEqualTo("rw-rw-rw-");
  }

  @Test
  void undoesNothingWhenItCloses() throws IOException {
    client.apply(NEXT_LINE, null);
    server.close();
    assertThat(tree.get(Location.INTEL_PREFETCH_CONTROL, 0)).isEqualTo(4);
    assertThat(socket).doesNotExist();
    assertThatIOException().isThrownBy(client::status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"op\":\"apply\",\"settings\":{\"msr\":\"0x1a4\"}}\n",
        "wrmsr 0x1a4 0xf\n",
        "\n",
        "{\"op\":\"apply\",\"settings\":{\"prefetch.l1NextLine\":\"Disabled\"},\"cpus\":\"0-9\"}\n"
      })
  void refusesAndChangesNothing(String line) throws IOException {
    var before = tree.everything();
    assertThat(say(line.getBytes(StandardCharsets.UTF_8)))
        .startsWith("{\"error\":\"")
        .endsWith("\n");
    assertThat(tree.everything()).isEqualTo(before);
  }

  @Test
  void refusesALineThatIsTooLong() throws IOException {
    assertThat(say(" ".repeat(70_000).getBytes(StandardCharsets.US_ASCII)))
        .contains("longer than 65536 bytes");
    assertThat(client.status()).isEmpty();
  }

  @Test
  void outlivesRandomBytes() throws IOException {
    Random random = new Random(5);
    var before = tree.everything();
    for (int i = 0; i < 300; i++) {
      byte[] bytes = new byte[1 + random.nextInt(200)];
      random.nextBytes(bytes);
      bytes[bytes.length - 1] = '\n';
      assertThat(say(bytes)).startsWith("{\"error\":\"");
    }
    assertThat(tree.everything()).isEqualTo(before);
    assertThat(client.status()).isEmpty();
  }

  @Test
  void dropsAClientThatSaysNothing() throws IOException {
    try (SocketChannel silent = connect();
        SocketChannel half = connect()) {
      half.write(ByteBuffer.wrap("{\"op\":".getBytes(StandardCharsets.US_ASCII)));
      assertThat(client.status()).isEmpty();
      assertThat(silent.read(ByteBuffer.allocate(1))).isNegative();
      assertThat(half.read(ByteBuffer.allocate(1))).isNegative();
    }
  }

  /** Stopped by SIGSTOP it still has a queue, which is full after some questions. */
  @Test
  void theClientDoesNotWaitForAQueueEither() throws IOException {
    Path full = directory.resolve("full.sock");
    try (var listener = java.nio.channels.ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(full), 1);
      for (int i = 0; i < 5; i++) {
        assertThatIOException()
            .isThrownBy(
                () ->
                    assertTimeoutPreemptively(
                        Duration.ofSeconds(30),
                        () -> new WriterClient(full, Duration.ofMillis(50)).status()));
      }
    }
  }

  @Test
  void theClientDoesNotWaitForEver() throws IOException {
    Path mute = directory.resolve("mute.sock");
    try (var listener = java.nio.channels.ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(mute));
      assertThatIOException()
          .isThrownBy(() -> new WriterClient(mute, Duration.ofMillis(100)).status())
          .withMessageContaining("has not replied");
    }
  }
}
