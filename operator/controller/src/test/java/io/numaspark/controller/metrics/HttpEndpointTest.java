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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpEndpointTest {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private boolean healthy = true;
  private boolean ready = true;
  private int port;
  private HttpEndpoint endpoint;

  @BeforeEach
  void start() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    endpoint = new HttpEndpoint(port, registry, () -> healthy, () -> ready);
  }

  @AfterEach
  void stop() {
    endpoint.close();
  }

  @ParameterizedTest(name = "healthy {0}, ready {1}")
  @CsvSource({"true, true, 200, 200", "true, false, 200, 503", "false, true, 503, 503"})
  void probes(boolean isHealthy, boolean isReady, int livez, int readyz) throws Exception {
    healthy = isHealthy;
    ready = isReady;
    assertThat(get("/livez").statusCode()).isEqualTo(livez);
    assertThat(get("/readyz").statusCode()).isEqualTo(readyz);
  }

  @Test
  void metricsAreServed() throws Exception {
    new OperatorMetrics(registry, "1.2.3");
    assertThat(get("/metrics").body()).contains("numaspark_build_info{version=\"1.2.3\"} 1");
  }

  @Test
  void aTakenPortIsAnError() {
    assertThatThrownBy(() -> new HttpEndpoint(port, registry, () -> true, () -> true))
        .isInstanceOf(BindException.class);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
