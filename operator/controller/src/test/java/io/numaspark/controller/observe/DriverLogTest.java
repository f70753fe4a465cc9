package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.numaspark.controller.fixture.Pods;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverLogTest {
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer apiServer;
  private int status = 200;
  private String body = "first\nlast\n";

  @BeforeEach
  void serve() throws IOException {
    apiServer = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    apiServer.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestURI().toString());
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    apiServer.start();
  }

  @AfterEach
  void stop() {
    apiServer.stop(0);
  }

  @Test
  void theLogOfTheDriversContainerIsRead() {
    assertThat(log()).isEqualTo(body);
    assertThat(requests)
        .singleElement()
        .isEqualTo(
            "/api/v1/namespaces/default/pods/pi-driver/log"
                + "?container=spark-kubernetes-driver&tailLines=300");
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404, 429, 500, 503})
  void aLogThatCannotBeHadIsNotAskedForAgain(int code) {
    status = code;
    body = "{}";
    assertThat(log()).isEmpty();
    assertThat(requests).hasSize(1);
  }

  private String log() {
    return new DriverLog(
            new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + apiServer.getAddress().getPort())
                .build())
        .apply(Pods.failedDriver(1, "Error"));
  }
}
