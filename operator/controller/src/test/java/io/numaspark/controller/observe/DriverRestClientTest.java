package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.numaspark.controller.fixture.OneAnswer;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.controller.observe.ReportedExecutors.Placement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverRestClientTest {
  private static final Map<String, Placement> PLACEMENTS =
      Map.of(
          "driver", new Placement(null, null),
          "1", new Placement("1-2,9-10", "0"),
          "2", new Placement("6-7,14-15", "1"));

  private final DriverRestClient client = new DriverRestClient();
  @RegisterExtension final OneAnswer driver = new OneAnswer();

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
  void aRunningDriverAnswers() throws IOException {
    driver.is(200, executors());
    assertThat(ask()).isEqualTo(new Answer(PLACEMENTS));
    assertThat(driver.requests()).containsExactly("/api/v1/applications/spark-1/allexecutors");
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 404, 503})
  void anotherStatusIsNoAnswer(int code) {
    driver.is(code, "");
    assertThat(ask()).isEqualTo(new NoAnswer("the driver's REST API answered " + code));
  }

  @Test
  void aDriverThatIsGoneDoesNotAnswer() {
    driver.stop();
    assertThat(ask())
        .isEqualTo(
            new NoAnswer("the driver's REST API on port " + driver.port() + " did not answer"));
  }

  @Test
  void anAnswerThatIsNoJsonIsNoAnswer() {
    driver.is(200, "<html>");
    assertThat(ask()).isInstanceOf(NoAnswer.class);
  }

  private ReportedExecutors ask() {
    return client.executors("127.0.0.1", driver.port(), "spark-1");
  }

  private static String executors() throws IOException {
    try (InputStream in = DriverRestClientTest.class.getResourceAsStream("/allexecutors.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
