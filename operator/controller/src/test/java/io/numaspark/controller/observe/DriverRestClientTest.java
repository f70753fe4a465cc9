package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.numaspark.controller.fixture.OneAnswer;
import io.numaspark.controller.fixture.RawServer;
import io.numaspark.controller.observe.DriverRestClient.Driver;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.render.proof.Placement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DriverRestClientTest {
  private static final Map<String, Placement> PLACEMENTS =
      Map.of("1", new Placement("1-2,9-10", "0"), "2", new Placement("6-7,14-15", "1"));
  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
  private static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n\r\n";
  private static final int LARGEST = 64 << 20;
  private static final Duration DEADLINE = Duration.ofMillis(700);

  private static final DriverRestClient PATIENT = new DriverRestClient();
  private static final DriverRestClient HASTY = new DriverRestClient(DEADLINE);

  /** That a deadline is kept at all. */
  private static final long BOUND_SECONDS = 20;

  @RegisterExtension final OneAnswer driver = new OneAnswer();
  @RegisterExtension final RawServer raw = new RawServer();

  @Test
  void aRunningDriverAnswers() throws Exception {
    driver.is(200, executors());
    assertThat(ask("1", "2")).isEqualTo(new Answer(PLACEMENTS));
    assertThat(driver.requests()).containsExactly("/api/v1/applications/spark-1/allexecutors");
  }

  @Test
  void executorsThatNobodyAskedForAreNotKept() throws Exception {
    driver.is(200, executors());
    assertThat(ask("2", "3")).isEqualTo(new Answer(Map.of("2", new Placement("6-7,14-15", "1"))));
    driver.is(200, "[]");
    assertThat(ask("1")).isEqualTo(new Answer(Map.of()));
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 307, 404, 503})
  void anotherStatusIsNoAnswer(int code) throws Exception {
    driver.is(code, "");
    assertThat(ask("1")).isEqualTo(new NoAnswer("the driver's REST API answered " + code));
  }

  @Test
  void nobodyIsSentElsewhere() throws Exception {
    raw.does(
        out ->
            out.write(
                ("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:"
                        + driver.port()
                        + "/secret\r\nContent-Length: 0\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII)));
    assertThat(askRaw()).isEqualTo(new NoAnswer("the driver's REST API answered 302"));
    assertThat(driver.requests()).isEmpty();
  }

  @Test
  void aDriverThatIsGoneDoesNotAnswer() throws Exception {
    driver.stop();
    assertThat(ask("1"))
        .isEqualTo(
            new NoAnswer("the driver's REST API on port " + driver.port() + " did not answer"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "<html>", "{}", "1", "\"\"", "[", "[{\"id\": \"1\"", "[{id: 1}]", "\u0000"})
  void anAnswerThatIsNoListOfExecutorsIsNoAnswer(String body) throws Exception {
    driver.is(200, body);
    assertThat(ask("1"))
        .isEqualTo(new NoAnswer("the driver's REST API answered no list of executors"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1, \"a\", null, [[\"id\"]], {\"id\": null}, {\"id\": {\"id\": \"1\"}}]",
        "[{\"attributes\": [{\"id\": \"1\"}]}, {\"id\": \"2\", \"attributes\": \"x\"}]",
        "[{\"x\": {\"attributes\": {\"NUMASPARK_CPUS_ALLOWED\": \"1\"}}, \"id\": \"3\"}]"
      })
  void whatLooksLikeAnExecutorIsNone(String body) throws Exception {
    driver.is(200, body);
    assertThat(ask("1")).isEqualTo(new Answer(Map.of()));
  }

  static RawServer.Script[] hostileDrivers() {
    return new RawServer.Script[] {
      out -> {}, // never says anything
      out -> out.write("HTTP/1.1 200 OK\r\nA: ".getBytes(StandardCharsets.US_ASCII)),
      out -> out.write((HEAD + "Content-Length: 9\r\n\r\n[").getBytes(StandardCharsets.US_ASCII)),
      RawServer.endless("HTTP/1.1 200 OK\r\n", "A: b\r\n", 20),
      RawServer.endless("", "HTTP/1.1 100 Continue\r\n\r\n", 20),
      RawServer.endless(CHUNKED, "1\r\n \r\n", 20),
      RawServer.endless(HEAD + "Content-Length: 9999\r\n\r\n[", " ", 20),
      RawServer.endless("HTTP/1.1 404 Not Found\r\nContent-Length: 999999\r\n\r\n", " ", 20),
    };
  }

  @ParameterizedTest
  @MethodSource("hostileDrivers")
  void whoStallsOrTricklesHasTheDeadlineAndNothingMore(RawServer.Script script) throws Exception {
    raw.does(script);
    assertThat(askRaw()).isInstanceOf(NoAnswer.class);
    await().atMost(Duration.ofSeconds(BOUND_SECONDS)).until(raw::isAlone);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"id\":\"1\"},",
        "                                                                ",
        "{\"a\":",
        "[",
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      })
  void whoSendsMoreThanExecutorsNeedIsNotListenedTo(String again) throws Exception {
    String chunk = again.repeat(8192 / again.length());
    raw.does(
        RawServer.endless(
            CHUNKED + "1\r\n[\r\n",
            Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n",
            0));
    assertThat(askRaw()).isInstanceOf(NoAnswer.class);
    await().atMost(Duration.ofSeconds(BOUND_SECONDS)).until(raw::isAlone);
    assertThat(raw.written()).isLessThan(LARGEST);
  }

  @Test
  void aLengthThatIsALieTakesNoMemory() throws Exception {
    raw.does(
        out ->
            out.write(
                (HEAD + "Content-Length: 9223372036854775807\r\n\r\n[")
                    .getBytes(StandardCharsets.US_ASCII)));
    assertThat(askRaw()).isInstanceOf(NoAnswer.class);
  }

  @Test
  void stringsAreBoundedAndHaveNoLineEnds() throws Exception {
    driver.is(
        200,
        "[{\"id\": \"1\", \"attributes\": {\"NUMASPARK_CPUS_ALLOWED\": \"0\\n1\\u001b["
            + "x".repeat(60_000)
            + "\"}}]");
    Placement placement = ((Answer) ask("1")).byExecutorId().get("1");
    assertThat(placement.cpus()).startsWith("0 1 [x").hasSize(2048);
    driver.is(200, "[{\"id\": \"1\", \"a\": \"" + "x".repeat(300_000) + "\"}]");
    assertThat(ask("1")).isInstanceOf(NoAnswer.class);
  }

  @ParameterizedTest
  @CsvSource({
    "spark-1, 127.0.0.1, 99999, 'spark.ui.port is 99999, but must be from 1 to 65535'",
    "spark-1, 127.0.0.1, 0, 'spark.ui.port is 0, but must be from 1 to 65535'",
    "spark-1, 999.1.1.1, 4040, the driver pod's status has no IP address",
    "spark-1, ca.fe, 4040, the driver pod's status has no IP address",
    "spark-1, cafe, 4040, the driver pod's status has no IP address",
    "spark-1, evil.example.com, 4040, the driver pod's status has no IP address",
    "spark-1, 10.0.0.1.evil, 4040, the driver pod's status has no IP address",
    "spark-1, '127.0.0.1/x?', 4040, the driver pod's status has no IP address",
    "spark-1, '', 4040, the driver pod's status has no IP address",
    "../../x, 127.0.0.1, 4040, status.sparkApplicationId is not one of the operator's",
    "'a b', 127.0.0.1, 4040, status.sparkApplicationId is not one of the operator's"
  })
  void anAddressThatLeadsElsewhereIsNotAsked(String id, String address, int port, String why)
      throws Exception {
    assertThat(ask(PATIENT, new Driver("default", "pi", id, address, port), "1"))
        .isEqualTo(new NoAnswer(why));
  }

  private ReportedExecutors ask(String... ids) throws Exception {
    return ask(PATIENT, new Driver("default", "pi", "spark-1", "127.0.0.1", driver.port()), ids);
  }

  private ReportedExecutors askRaw() throws Exception {
    return ask(HASTY, new Driver("default", "pi", "spark-1", "127.0.0.1", raw.port()), "1");
  }

  private static ReportedExecutors ask(DriverRestClient client, Driver driver, String... ids)
      throws Exception {
    return client.executors(driver, Set.of(ids)).get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  private static String executors() throws IOException {
    try (InputStream in = DriverRestClientTest.class.getResourceAsStream("/allexecutors.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
