package io.numaspark.cli.smt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.numaspark.cli.smt.SwitchMark.Stage;
import io.numaspark.cli.text.InputException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests that the command sends, and what it makes of the answers. */
class KubernetesClusterTest {
  private final List<String> requests = new ArrayList<>();
  private int status = 200;
  private String answer = "{}";
  private HttpServer server;
  private KubernetesCluster cluster;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::reply);
    server.start();
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .withRequestRetryBackoffLimit(0)
            .build();
    cluster = new KubernetesCluster(config);
  }

  @AfterEach
  void stop() {
    cluster.close();
    server.stop(0);
  }

  private void reply(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      synchronized (requests) {
        requests.add(
            "%s %s %s"
                .formatted(exchange.getRequestMethod(), exchange.getRequestURI(), body)
                .strip());
      }
      byte[] bytes = answer.getBytes(UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private String last() {
    return requests.get(requests.size() - 1);
  }

  private static Node node() {
    return new NodeBuilder()
        .withNewMetadata()
        .withName("numa-0")
        .withResourceVersion("7")
        .endMetadata()
        .build();
  }

  private static Pod pod() {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("team")
        .withName("p")
        .withUid("u1")
        .endMetadata()
        .build();
  }

  @Test
  void markAndCordonAreOneRequestThatHoldsTheVersion() {
    SwitchMark mark = new SwitchMark(SmtTarget.OFF, Stage.DRAINING, false, "r", "t");
    assertThat(cluster.update(node(), Optional.of(mark), true)).isTrue();
    assertThat(last())
        .startsWith("PATCH /api/v1/nodes/numa-0")
        .contains("\"resourceVersion\":\"7\"", "\"unschedulable\":true", "numaspark.io/smt-switch");
  }

  @Test
  void nullRemovesMarkAndCordon() {
    assertThat(cluster.update(node(), Optional.empty(), false)).isTrue();
    assertThat(last()).contains("\"numaspark.io/smt-switch\":null", "\"unschedulable\":null");
  }

  @Test
  void aConflictIsNoError() {
    status = 409;
    assertThat(cluster.update(node(), Optional.empty(), false)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"200, true", "201, true", "429, false"})
  void aBudgetMayRefuseAnEviction(int code, boolean evicted) {
    status = code;
    assertThat(cluster.evict(pod())).isEqualTo(evicted);
    assertThat(requests)
        .singleElement()
        .asString()
        .startsWith("POST /api/v1/namespaces/team/pods/p/eviction")
        .contains("\"uid\":\"u1\"");
  }

  @Test
  void aMissingRightIsNamed() {
    status = 403;
    assertThatThrownBy(() -> cluster.evict(pod()))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("you may not create pods/eviction in namespace team");
    assertThatThrownBy(() -> cluster.update(node(), Optional.empty(), false))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("you may not patch nodes");
  }

  @Test
  void whatExistsIsNotCreated() {
    status = 409;
    cluster.create(pod());
    cluster.create(HostPod.namespaceOf("numa-0"));
    assertThat(requests).hasSize(2).allSatisfy(request -> assertThat(request).startsWith("POST "));
  }

  @Test
  void podsOfOneNodeAreListed() {
    answer = "{\"kind\": \"PodList\", \"apiVersion\": \"v1\", \"items\": []}";
    assertThat(cluster.pods("numa-0")).isEmpty();
    assertThat(requests.get(0)).contains("/api/v1/pods?fieldSelector=spec.nodeName%3Dnuma-0");
  }
}
