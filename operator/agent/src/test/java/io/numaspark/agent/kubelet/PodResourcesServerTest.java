package io.numaspark.agent.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.numaspark.agent.kubelet.KubeletException.Reason;
import io.numaspark.planner.topology.CpuSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Asks the kubelet's own gRPC library and message types; the program is built by Go, if there is
 * one, and kept in Go's build cache.
 */
class PodResourcesServerTest {
  private static final Path SOURCES = Path.of("src/test/go/podresources");
  private static final Path PROGRAM = Path.of("target/podresources-server").toAbsolutePath();

  @TempDir static Path directory;
  private static Process server;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    Path log = directory.resolve("go.log");
    assumeTrue(built(log), () -> "Go cannot build " + SOURCES + ": " + read(log));
    server =
        new ProcessBuilder(PROGRAM.toString(), directory.resolve("kubelet.sock").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output = server.inputReader(StandardCharsets.UTF_8);
    assertThat(output.readLine()).isEqualTo("ready");
  }

  private static boolean built(Path log) throws InterruptedException {
    ProcessBuilder build =
        new ProcessBuilder("go", "build", "-o", PROGRAM.toString(), ".")
            .directory(SOURCES.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    build.environment().put("CGO_ENABLED", "0");
    try {
      Process go = build.start();
      return go.waitFor(5, TimeUnit.MINUTES) && go.exitValue() == 0;
    } catch (IOException e) {
      return false; // no Go here
    }
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.destroyForcibly();
    }
  }

  private static PodResourcesClient client(String suffix) {
    return new PodResourcesClient(
        directory.resolve("kubelet.sock" + suffix), Duration.ofSeconds(30));
  }

  @Test
  void lists() throws KubeletException {
    assertThat(client("").list())
        .containsExactly(
            new PodResources("apps", "fraction", "main", CpuSet.EMPTY, CpuSet.of(0, 1)),
            new PodResources(
                "spark",
                "pi-exec-1",
                "spark-kubernetes-executor",
                CpuSet.parse("1-3,129-131"),
                CpuSet.of(0, 1)));
  }

  @Test
  void readsAllocatableCpus() throws KubeletException {
    assertThat(client("").allocatableCpus()).isEqualTo(CpuSet.parse("1-3,129-131"));
  }

  @Test
  void readsAnAnswerOfManyWindows() throws KubeletException {
    List<PodResources> list = client(".many").list();
    assertThat(list).hasSize(4002);
    assertThat(CpuSet.unionOf(list.stream().map(PodResources::cpus).toList()))
        .isEqualTo(CpuSet.parse("1-3,129-131,200-4199"));
  }

  @Test
  void readsTheMessageOfAnError() {
    KubeletException refused =
        catchThrowableOfType(KubeletException.class, () -> client(".refusing").list());
    assertThat(refused)
        .hasMessageContaining("gRPC status 8, rejected by rate limit: 100 %, größer; other");
  }

  @Test
  void tellsThatTheServiceIsNotThere() {
    KubeletException refused =
        catchThrowableOfType(KubeletException.class, () -> client(".bare").list());
    assertThat(refused)
        .hasMessageContaining("gRPC status 12, unknown service v1.PodResourcesLister; the agent");
    assertThat(refused.reason()).isEqualTo(Reason.NotFound);
  }
}
