package io.numaspark.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpEndpointTest {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private List<String> toRestart = List.of();
  private List<String> notReady = List.of();
  private int port;
  private HttpEndpoint endpoint;

  @BeforeEach
  void start() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    endpoint = new HttpEndpoint(port, registry, () -> toRestart, () -> notReady, new NodePages());
  }

  @AfterEach
  void stop() {
    endpoint.close();
  }

  @Test
  void probesSayWhatIsWrong() throws Exception {
    assertThat(get("/livez").statusCode()).isEqualTo(200);
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
    notReady = List.of("the operator is starting");
    assertThat(get("/livez").statusCode()).isEqualTo(200);
    assertThat(get("/readyz").statusCode()).isEqualTo(503);
    assertThat(get("/readyz").body()).isEqualTo("the operator is starting\n");
    toRestart = List.of("a reconciliation hangs for 301 s");
    assertThat(get("/livez").statusCode()).isEqualTo(503);
    assertThat(get("/livez").body()).isEqualTo("a reconciliation hangs for 301 s\n");
  }

  @Test
  void metricsAreServed() throws Exception {
    new OperatorMetrics(registry, "1.2.3");
    assertThat(get("/metrics").body()).contains("numaspark_build_info{version=\"1.2.3\"} 1");
  }

  @Test
  void aTakenPortIsAnError() {
    assertThatThrownBy(() -> new HttpEndpoint(port, registry, List::of, List::of, new NodePages()))
        .isInstanceOf(BindException.class);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
