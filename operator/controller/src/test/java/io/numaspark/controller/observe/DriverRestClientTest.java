package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.sun.net.httpserver.HttpServer;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.controller.observe.ReportedExecutors.Placement;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverRestClientTest {
  private static final Map<String, Placement> PLACEMENTS =
      Map.of(
          "driver", new Placement(null, null),
          "1", new Placement("1-2,9-10", "0"),
          "2", new Placement("6-7,14-15", "1"));

  private final DriverRestClient client = new DriverRestClient();
  private HttpServer driver;
  private int status = 200;
  private String body;
  private String path;

  @BeforeEach
  void serve() throws IOException {
    body = executors();
    driver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    driver.createContext(
        "/",
        exchange -> {
          path = exchange.getRequestURI().getPath();
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    driver.start();
  }

  @AfterEach
  void stop() {
    driver.stop(0);
  }

  @Test
  void placementsAreReadFromSparksAnswer() throws Exception {
    assertThat(DriverRestClient.parse(executors())).isEqualTo(PLACEMENTS);
    assertThat(DriverRestClient.parse("[]")).isEmpty();
  }

  @Test
  void whatIsNoJsonIsAnError() {
    assertThatThrownBy(() -> DriverRestClient.parse("<html>"))
        .isInstanceOf(JsonProcessingException.class);
  }

  @Test
  void aRunningDriverAnswers() {
    assertThat(ask()).isEqualTo(new Answer(PLACEMENTS));
    assertThat(path).isEqualTo("/api/v1/applications/spark-1/allexecutors");
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 404, 503})
  void anotherStatusIsNoAnswer(int code) {
    status = code;
    assertThat(ask()).isEqualTo(new NoAnswer("the driver's REST API answered " + code));
  }

  @Test
  void aDriverThatIsGoneDoesNotAnswer() {
    driver.stop(0);
    assertThat(ask())
        .isEqualTo(
            new NoAnswer(
                "the driver's REST API on port "
                    + driver.getAddress().getPort()
                    + " did not answer"));
  }

  @Test
  void anAnswerThatIsNoJsonIsNoAnswer() {
    body = "<html>";
    assertThat(ask()).isInstanceOf(NoAnswer.class);
  }

  private ReportedExecutors ask() {
    return client.executors("127.0.0.1", driver.getAddress().getPort(), "spark-1");
  }

  private static String executors() throws IOException {
    try (InputStream in = DriverRestClientTest.class.getResourceAsStream("/allexecutors.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
