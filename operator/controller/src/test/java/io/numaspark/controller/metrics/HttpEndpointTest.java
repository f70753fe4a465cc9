package io.numaspark.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.controller.fixture.EmptyFleet;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpEndpointTest {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private List<String> toRestart = List.of();
  private List<String> notReady = List.of();
  private int port;
  private int probePort;
  private HttpEndpoint endpoint;
  private ProbeEndpoint probes;

  @BeforeEach
  void start() throws IOException {
    port = freePort();
    endpoint = new HttpEndpoint(port, registry, new NodePages(new EmptyFleet()));
    probePort = freePort();
    probes = new ProbeEndpoint(probePort, () -> toRestart, () -> notReady);
  }

  @AfterEach
  void stop() {
    endpoint.close();
    probes.close();
  }

  @Test
  void probesSayWhatIsWrong() throws Exception {
    assertThat(probe("/livez").statusCode()).isEqualTo(200);
    assertThat(probe("/readyz").statusCode()).isEqualTo(200);
    notReady = List.of("the operator is starting");
    assertThat(probe("/livez").statusCode()).isEqualTo(200);
    assertThat(probe("/readyz").statusCode()).isEqualTo(503);
    assertThat(probe("/readyz").body()).isEqualTo("the operator is starting\n");
    toRestart = List.of("a reconciliation hangs for 301 s");
    assertThat(probe("/livez").statusCode()).isEqualTo(503);
    assertThat(probe("/livez").body()).isEqualTo("a reconciliation hangs for 301 s\n");
  }

  @Test
  void whatEachPortServesTheOtherDoesNot() throws Exception {
    assertThat(get(port, "/livez").statusCode()).isEqualTo(404);
    assertThat(probe("/metrics").statusCode()).isEqualTo(404);
  }

  @Test
  void metricsAreServed() throws Exception {
    new OperatorMetrics(registry, "1.2.3");
    HttpResponse<String> metrics = get(port, "/metrics");
    assertThat(metrics.body()).contains("numaspark_build_info{version=\"1.2.3\"} 1");
    assertThat(metrics.headers().firstValue("content-type").orElseThrow()).startsWith("text/plain");
    assertThat(get(port, "/metrics?name%5B%5D=numaspark_build_info").body())
        .contains("numaspark_build_info")
        .doesNotContain("numaspark_reconcile");
  }

  @Test
  void metricsAreCompressedForThoseWhoAsk() throws Exception {
    new OperatorMetrics(registry, "1.2.3");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
            .header("Accept-Encoding", "gzip")
            .build();
    byte[] body = HttpClient.newHttpClient().send(request, BodyHandlers.ofByteArray()).body();
    assertThat(
            new String(
                new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes(),
                StandardCharsets.UTF_8))
        .contains("numaspark_build_info");
  }

  @Test
  void aQueryThatCannotBeReadIsRefused() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket
          .getOutputStream()
          .write("GET /metrics?name[]=%zz HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 400 ");
    }
  }

  @Test
  void aTakenPortIsAnError() {
    assertThatThrownBy(() -> new HttpEndpoint(port, registry, new NodePages(new EmptyFleet())))
        .isInstanceOf(BindException.class);
    assertThatThrownBy(() -> new ProbeEndpoint(port, List::of, List::of))
        .isInstanceOf(BindException.class);
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private HttpResponse<String> probe(String path) throws Exception {
    return get(probePort, path);
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            BodyHandlers.ofString());
  }
}
