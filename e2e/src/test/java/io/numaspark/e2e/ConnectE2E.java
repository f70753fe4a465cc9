package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A Spark Connect server with pinned executors, and pyspark's own client outside of the cluster.
 *
 * <p>The tests use one server one after the other, because its executors start slowly on the
 * emulated node.
 */
@Order(31)
@Tag("connect")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConnectE2E {
  private static final String KIND = "sparkconnects.numaspark.io";
  private static final String NAME = "notebooks";
  private static final String QUERY = "SELECT sum(id) FROM range(0, 1000, 1, 8)\n";
  private static final String ANSWER = "[(499500,)]";
  private static final String TOKEN = "open-sesame";
  private static final Duration START = Duration.ofMinutes(12);

  private static final String SERVER =
      """
      apiVersion: numaspark.io/v1alpha1
      kind: SparkConnect
      metadata: {name: notebooks}
      spec:
        sparkVersion: 4.3.0
        image: numaspark/spark:4.3.0
        imagePullPolicy: Never
        nodeProfile: dual-socket
        server: {memory: 800m, coreRequest: 100m, env: [{name: SPARK_LAB_JAVA_OPTS, value: "-XX:TieredStopAtLevel=1"}]}
        executor:
          instances: 2
          env: [{name: SPARK_LAB_JAVA_OPTS, value: "-XX:TieredStopAtLevel=1"}]
        sparkConf:
          spark.kubernetes.driver.requestTimeout: "60000"
          spark.kubernetes.driver.connectionTimeout: "60000"
          spark.network.timeout: 600s
          spark.executor.heartbeatInterval: 30s
      """;

  private static final String IDLE =
      """
        dynamicAllocation: {enabled: true, minExecutors: 0, initialExecutors: 0, maxExecutors: 2}
        idle: {executorSeconds: 20}
      """;

  private static final String AUTHENTICATION =
      "  authentication: {tokenSecret: {name: notebooks-token, key: token}}\n";

  private PortForward forward;

  @BeforeAll
  static void prepare() {
    Applications.applyProfile();
    Lab.kubectl("create", "secret", "generic", "notebooks-token", "--from-literal=token=" + TOKEN)
        .orFail();
  }

  @BeforeEach
  void openPort() throws IOException {
    forward = new PortForward();
  }

  @AfterEach
  void closePort() {
    forward.close();
  }

  @AfterAll
  static void cleanUp() {
    Lab.delete(KIND, NAME);
    Lab.delete("secret", "notebooks-token");
    Applications.awaitNoPods(NAME + "-server");
  }

  @Test
  @Order(1)
  void aQueryOfPysparkRunsOnPinnedExecutors() {
    Lab.apply(SERVER).orFail();
    JsonNode connect = awaitReady(0);
    assertThat(connect.at("/status/server/endpoint").asText())
        .isEqualTo("sc://notebooks-server.default.svc:15002");
    awaitPinned(2);
    assertThat(query("").orFail().out().strip()).isEqualTo(ANSWER);
    assertThat(Lab.get(KIND, NAME).at("/status/executors/running").asInt()).isEqualTo(2);
    assertThat(
            Lab.kubectl(
                    "get", "endpointslices", "-l", "kubernetes.io/service-name=notebooks-server")
                .orFail()
                .out())
        .contains(connect.at("/status/server/podIp").asText());
    assertDistinctPins();
  }

  @Test
  @Order(2)
  void aClientFindsTheServerThatReplacesAKilledOne() throws IOException {
    try (Client client = new Client(forward.url(""))) {
      assertThat(client.ask(QUERY)).isEqualTo(ANSWER);
      Lab.kubectl("delete", "pod", serverPod(), "--grace-period=0", "--force").orFail();
      awaitReady(1);
      forward.renew();
      assertThat(client.ask(QUERY)).isEqualTo(ANSWER);
      assertThat(client.errors()).contains("new session: [NO_ACTIVE_SESSION]");
    }
    assertThat(Lab.kubectl("events", "--for=" + KIND + "/" + NAME).orFail().out())
        .contains("ServerRestarted");
  }

  @Test
  @Order(3)
  void idleExecutorsGiveTheirSlotsBackAndTheNextQueryGetsThemAgain() {
    Lab.apply(SERVER + IDLE).orFail();
    awaitReady(2);
    forward.renew();
    for (int round = 1; round <= 2; round++) {
      awaitNoExecutors();
      assertThat(query("").orFail().out().strip()).isEqualTo(ANSWER);
      assertThat(executors()).as("round %d", round).isNotEmpty();
    }
  }

  /** Cached data does not hold an executor. */
  @Test
  @Order(4)
  void aCachedTableDoesNotHoldAnExecutor() {
    String cache = "CACHE TABLE numbers AS SELECT id FROM range(0, 1000, 1, 2)\n";
    String count = "SELECT count(*) FROM numbers\n";
    assertThat(client(forward.url(""), cache + count).orFail().out()).endsWith("[(1000,)]\n");
    awaitNoExecutors();
  }

  @Test
  @Order(5)
  void aTokenKeepsOthersOut() {
    Lab.apply(SERVER + IDLE + AUTHENTICATION).orFail();
    awaitReady(3);
    forward.renew();
    Lab.Output refused = query("");
    assertThat(refused.exitCode()).isNotZero();
    assertThat(refused.err()).contains("UNAUTHENTICATED");
    assertThat(query("/;token=wrong").exitCode()).isNotZero();
    assertThat(query("/;token=" + TOKEN).orFail().out().strip()).isEqualTo(ANSWER);
    assertThat(
            Lab.kubectl("get", "configmaps,sparkapplications.numaspark.io", "-o", "yaml")
                .orFail()
                .out())
        .doesNotContain(TOKEN);
  }

  private static JsonNode awaitReady(int restarts) {
    return Lab.awaitObject(
        KIND,
        NAME,
        START,
        connect ->
            connect.at("/status/state").asText().equals("Ready")
                && connect
                    .at("/status/observedGeneration")
                    .equals(connect.at("/metadata/generation"))
                && connect.at("/status/server/restarts").asInt() == restarts);
  }

  private static void awaitPinned(int executors) {
    Lab.awaitObject(
        KIND, NAME, START, connect -> connect.at("/status/pinnedExecutors").asInt() == executors);
  }

  private static void awaitNoExecutors() {
    await("all executors to go")
        .atMost(START)
        .pollInterval(Duration.ofSeconds(2))
        .until(() -> executors().isEmpty());
    Lab.awaitObject(
        KIND, NAME, START, connect -> connect.at("/status/executors/running").asInt(-1) == 0);
  }

  private static List<JsonNode> executors() {
    return Lab.list("pods", "numaspark.io/application=notebooks-server,spark-role=executor");
  }

  private static String serverPod() {
    return Lab.get(KIND, NAME).at("/status/server/podName").asText();
  }

  /** By the kernel's word, which the node's agent reports. */
  private static void assertDistinctPins() {
    List<CpuSet> sets = new ArrayList<>();
    for (JsonNode pod : executors()) {
      JsonNode topology =
          Lab.awaitObject(
              "sparknodetopologies.numaspark.io",
              NodeTools.NODE,
              START,
              node -> !entry(node, pod).path("kernelCpus").isMissingNode());
      CpuSet cpus = CpuSet.parse(entry(topology, pod).path("kernelCpus").asText());
      assertThat(NodeTools.numactl().values())
          .as("%s are of one NUMA node", cpus)
          .anyMatch(numa -> new HashSet<>(numa.cpus()).containsAll(cpus.stream().boxed().toList()));
      sets.add(cpus);
      assertThat(Lab.kubectl("numaspark", "why", pod.at("/metadata/name").asText()).orFail().out())
          .contains(" is pinned");
    }
    assertThat(sets).hasSize(2);
    assertThat(sets.get(0).intersects(sets.get(1))).isFalse();
  }

  private static JsonNode entry(JsonNode topology, JsonNode pod) {
    for (JsonNode entry : topology.at("/status/exclusive")) {
      if (entry.path("podUid").equals(pod.at("/metadata/uid"))) {
        return entry;
      }
    }
    return Lab.json("");
  }

  private Lab.Output query(String parameters) {
    return client(forward.url(parameters), QUERY);
  }

  private static Lab.Output client(String url, String queries) {
    return Lab.run(List.of(script(), url), queries);
  }

  private static String script() {
    return Lab.REPOSITORY.resolve("e2e/connect/client.sh").toString();
  }

  /** The server at a port of this machine, through the API server. */
  private static final class PortForward implements AutoCloseable {
    private final int port;
    private Process process;

    PortForward() throws IOException {
      try (ServerSocket free = new ServerSocket(0)) {
        port = free.getLocalPort();
      }
    }

    String url(String parameters) {
      if (process == null || !process.isAlive()) {
        renew();
      }
      return "sc://localhost:" + port + parameters;
    }

    /** After another server has taken the place of the one that it leads to. */
    void renew() {
      close();
      try {
        process =
            new ProcessBuilder(
                    "kubectl", "port-forward", "service/notebooks-server", port + ":15002")
                .redirectErrorStream(true)
                .start();
        BufferedReader out = process.inputReader();
        String line = out.readLine();
        assertThat(line).startsWith("Forwarding from");
        Thread drain = new Thread(() -> out.lines().forEach(ignored -> {}));
        drain.setDaemon(true);
        drain.start();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      if (process != null) {
        process.destroy();
        process = null;
      }
    }
  }

  /** A client that keeps its session from query to query. */
  private static final class Client implements AutoCloseable {
    private final Process process;
    private final Path errors;
    private final BufferedReader answers;
    private final OutputStream queries;

    Client(String url) throws IOException {
      errors = Files.createTempFile("connect", ".err");
      process = new ProcessBuilder(script(), url).redirectError(errors.toFile()).start();
      answers = process.inputReader();
      queries = process.getOutputStream();
    }

    String ask(String query) throws IOException {
      queries.write(query.getBytes(StandardCharsets.UTF_8));
      queries.flush();
      String answer = answers.readLine();
      assertThat(answer).as(errors()).isNotNull();
      return answer;
    }

    String errors() throws IOException {
      return Files.readString(errors);
    }

    @Override
    public void close() throws IOException {
      queries.close();
      try {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      Files.delete(errors);
    }
  }
}
