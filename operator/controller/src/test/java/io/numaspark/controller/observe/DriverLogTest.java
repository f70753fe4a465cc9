package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.numaspark.controller.fixture.OneAnswer;
import io.numaspark.controller.fixture.Pods;
import io.numaspark.controller.fixture.RawServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverLogTest {
  private static final String LOG = "first\nlast\n";

  private static final String HEAD = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final Duration SHORT = Duration.ofMillis(700);
  private static final Duration LONG = Duration.ofSeconds(20);

  @RegisterExtension final OneAnswer apiServer = new OneAnswer();
  @RegisterExtension final RawServer raw = new RawServer();

  @Test
  void theLogOfTheDriversContainerIsRead() {
    apiServer.is(200, LOG);
    assertThat(log()).isEqualTo(LOG);
    assertThat(apiServer.requests())
        .singleElement()
        .isEqualTo(
            "/api/v1/namespaces/default/pods/pi-driver/log"
                + "?container=spark-kubernetes-driver&tailLines=300&limitBytes=8388608");
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404, 429, 500, 503})
  void aLogThatCannotBeHadIsNotAskedForAgain(int code) {
    apiServer.is(code, "{}");
    assertThat(log()).isEmpty();
    assertThat(apiServer.requests()).hasSize(1);
  }

  @Test
  void ofALongLogTheEndIsKept() {
    apiServer.is(200, "x".repeat(2 << 20) + "\n" + "y".repeat(300_000) + "\nlast\n");
    assertThat(log()).endsWith("last\n").hasSizeLessThan(300_000);
  }

  @Test
  void aLogWithoutLineEndsIsBounded() {
    apiServer.is(200, "x".repeat(5 << 20) + "last");
    assertThat(log()).endsWith("xlast").hasSize(256 << 10);
  }

  @Test
  void aLogThatNeverEndsIsNotReadToTheEnd() {
    raw.does(RawServer.endless(HEAD, "2000\r\n" + "x".repeat(8191) + "\n\r\n", 0));
    assertThat(log(raw.port(), LONG)).startsWith("xxx").hasSizeLessThanOrEqualTo(256 << 10);
    await().atMost(LONG).until(raw::isAlone);
    assertThat(raw.written()).isLessThan(64 << 20);
  }

  @Test
  void aLogThatTricklesHasADeadlineAndIsReadAsFarAsItCame() {
    raw.does(RawServer.endless(HEAD + "5\r\nsaid\n\r\n", "1\r\n.\r\n", 20));
    assertThat(log(raw.port(), SHORT)).startsWith("said\n.");
    await().atMost(LONG).until(raw::isAlone);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\n"})
  void anApiServerThatStallsHasADeadline(String start) {
    raw.does(out -> out.write(start.getBytes(StandardCharsets.US_ASCII)));
    assertThat(log(raw.port(), SHORT)).isEmpty();
    await().atMost(LONG).until(raw::isAlone);
  }

  private String log() {
    return log(apiServer.port(), LONG);
  }

  private static String log(int port, Duration deadline) {
    return new DriverLog(
            new ConfigBuilder(Config.empty()).withMasterUrl("http://127.0.0.1:" + port).build(),
            deadline)
        .apply(Pods.failedDriver(1, "Error"));
  }
}
