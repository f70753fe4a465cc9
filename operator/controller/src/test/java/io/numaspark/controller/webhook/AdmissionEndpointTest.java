package io.numaspark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.numaspark.controller.certificate.MemoryCluster;
import io.numaspark.controller.certificate.SelfSignedCertificates;
import io.numaspark.controller.certificate.ServingKeys;
import io.numaspark.controller.fixture.FakeClock;
import io.numaspark.controller.fixture.LoggedLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real TLS on the loopback interface, with certificates as in a cluster. */
class AdmissionEndpointTest {
  private static final Duration A_MINUTE = Duration.ofSeconds(61);
  private static final int LARGEST = 8 << 20;

  private final MemoryCluster cluster = new MemoryCluster();
  private final FakeClock clock = new FakeClock(Instant.now());
  private final ServingKeys keys = new ServingKeys(clock);
  private final SelfSignedCertificates certificates =
      new SelfSignedCertificates(cluster, cluster.configurations(), "localhost", keys, clock);
  private final LoggedLines log = new LoggedLines();
  private AdmissionEndpoint endpoint;

  @BeforeEach
  void configure() {
    cluster.configure();
  }

  @AfterEach
  void close() {
    if (endpoint != null) {
      endpoint.close();
    }
    log.close();
  }

  private void serve(Function<byte[], byte[]> review) throws IOException {
    endpoint = new AdmissionEndpoint(0, keys, review);
  }

  private Caller caller() throws Exception {
    return Caller.trusting(cluster.caBundle(), endpoint.port());
  }

  /** The next look finds the Secret without a value, and makes it again. */
  private void renewAfterLosing(String value) {
    Map<String, String> data = new HashMap<>(cluster.read().orElseThrow().getData());
    data.remove(value);
    cluster.put(data);
    clock.advance(A_MINUTE);
    assertThat(certificates.look()).isTrue();
  }

  private static byte[] length(byte[] body) {
    return String.valueOf(body.length).getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void aReviewIsAnswered() throws Exception {
    certificates.look();
    serve(Function.identity());
    HttpResponse<String> answer = caller().review("{\"kind\": \"AdmissionReview\"}");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(answer.body()).isEqualTo("{\"kind\": \"AdmissionReview\"}");
    assertThat(endpoint.reasonsNotReady()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /, 404",
    "POST, /mutate/, 404",
    "POST, /mutatesomething, 404",
    "GET, /metrics, 404",
    "GET, /mutate, 405",
    "HEAD, /mutate, 405",
    "PUT, /mutate, 405",
    "DELETE, /mutate, 405"
  })
  void otherRequestsAreRefused(String method, String path, int status) throws Exception {
    certificates.look();
    serve(Function.identity());
    HttpResponse<String> answer = caller().send(method, path, BodyPublishers.noBody());
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Allow").isPresent()).isEqualTo(status == 405);
  }

  @Test
  void aBodyOfEightMebibytesIsTheLargest() throws Exception {
    certificates.look();
    serve(AdmissionEndpointTest::length);
    byte[] largest = new byte[LARGEST];
    assertThat(caller().send("POST", "/mutate", BodyPublishers.ofByteArray(largest)).body())
        .isEqualTo(String.valueOf(LARGEST));
    HttpResponse<String> chunks =
        caller()
            .send(
                "POST",
                "/mutate",
                BodyPublishers.ofInputStream(
                    () -> new ByteArrayInputStream(new byte[LARGEST + 1])));
    assertThat(chunks.statusCode()).isEqualTo(413);
    assertThat(chunks.body()).isEqualTo("a review may have 8388608 bytes\n");
    assertThat(raw("POST /mutate HTTP/1.1\r\nHost: a\r\nContent-Length: 8388609\r\n\r\n"))
        .startsWith("HTTP/1.1 413 ");
  }

  @Test
  void aBodyThatEndsTooEarlyIsNoReview() throws Exception {
    certificates.look();
    AtomicInteger reviews = new AtomicInteger();
    serve(
        body -> {
          reviews.incrementAndGet();
          return body;
        });
    try (SSLSocket socket = connect()) {
      write(socket, "POST /mutate HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
      socket.shutdownOutput();
      read(socket);
    }
    assertThat(reviews).hasValue(0);
  }

  @Test
  void aFaultIsAnAnswerAndLoggedOnce() throws Exception {
    certificates.look();
    int said = log.lines().size();
    serve(
        body -> {
          throw new IllegalStateException("inner " + new String(body, StandardCharsets.UTF_8));
        });
    for (int i = 0; i < 5; i++) {
      HttpResponse<String> answer = caller().review("review " + i);
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body())
          .isEqualTo("this review could not be answered; the log of the webhook says why\n");
    }
    assertThat(log.lines().subList(said, log.lines().size()).stream())
        .filteredOn(line -> !line.startsWith("DEBUG"))
        .singleElement()
        .asString()
        .startsWith("ERROR A review could not be answered; the same fault is not logged again")
        .contains("inner review 0");
  }

  @Test
  void withoutAKeyAHandshakeFailsAndWithOneItDoesNot() throws Exception {
    serve(Function.identity());
    assertThat(endpoint.reasonsNotReady())
        .containsExactly("the webhook has no certificate: the Secret was not read yet");
    MemoryCluster other = new MemoryCluster();
    other.configure();
    new SelfSignedCertificates(
            other, other.configurations(), "localhost", new ServingKeys(clock), clock)
        .look();
    Caller early = Caller.trusting(other.caBundle(), endpoint.port());
    assertThatThrownBy(() -> early.review("{}")).isInstanceOf(SSLException.class);
    certificates.look();
    assertThat(endpoint.reasonsNotReady()).isEmpty();
    assertThat(caller().review("{}").statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> early.review("{}"))
        .as("one that trusts another authority")
        .isInstanceOf(SSLException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void bothVersionsOfTlsAreServed(String version) throws Exception {
    certificates.look();
    serve(Function.identity());
    try (SSLSocket socket = connect()) {
      socket.setEnabledProtocols(new String[] {version});
      socket.startHandshake();
      assertThat(socket.getSession().getProtocol()).isEqualTo(version);
      assertThat(socket.getSession().getCipherSuite()).contains("CHACHA20_POLY1305");
    }
  }

  @ParameterizedTest
  @CsvSource({"0303, true", "0302, false", "0301, false", "0300, false"})
  void olderVersionsOfTlsAreRefused(String version, boolean isServed) throws Exception {
    certificates.look();
    serve(Function.identity());
    // A ClientHello without a session, with ciphers of new and old versions, without compression.
    String hello = version + "00".repeat(32) + "00" + "0006c02bc009002f" + "0100";
    String handshake = "010000%02x".formatted(hello.length() / 2) + hello;
    String flight = "16%s00%02x".formatted("0301", handshake.length() / 2) + handshake;
    try (Socket socket = new Socket("localhost", endpoint.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(HexFormat.of().parseHex(flight));
      // 22 is a handshake, 21 an alert; without either the connection was closed.
      assertThat(socket.getInputStream().read() == 22).isEqualTo(isServed);
    }
  }

  @Test
  void clientsWithTheOldBundleGoOnAfterTheAuthorityWasRenewed() throws Exception {
    certificates.look();
    serve(Function.identity());
    String old = cluster.caBundle();
    renewAfterLosing("ca.key");
    assertThat(cluster.caBundle()).isNotEqualTo(old);
    assertThat(Caller.trusting(old, endpoint.port()).review("{}").statusCode()).isEqualTo(200);
    assertThat(caller().review("{}").statusCode()).isEqualTo(200);
    // The new authority signs, and the bundle has reached the API servers.
    renewAfterLosing("tls.key");
    assertThat(caller().review("{}").statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> Caller.trusting(old, endpoint.port()).review("{}"))
        .isInstanceOf(SSLException.class);
  }

  @Test
  void everythingIsRenewedUnderTraffic() throws Exception {
    certificates.look();
    serve(Function.identity());
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger answers = new AtomicInteger();
    Set<Certificate> seen = ConcurrentHashMap.newKeySet();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    Callable<Void> newConnections =
        () -> {
          while (!ended.get()) {
            HttpResponse<String> answer = caller().review("{}");
            assertThat(answer.statusCode()).isEqualTo(200);
            seen.add(answer.sslSession().orElseThrow().getPeerCertificates()[0]);
            answers.incrementAndGet();
          }
          return null;
        };
    Caller keptOpen = caller();
    Callable<Void> oneConnection =
        () -> {
          while (!ended.get()) {
            assertThat(keptOpen.review("{}").statusCode()).isEqualTo(200);
          }
          return null;
        };
    List<Future<Void>> traffic = new ArrayList<>();
    traffic.add(threads.submit(newConnections));
    traffic.add(threads.submit(newConnections));
    traffic.add(threads.submit(oneConnection));
    for (String lost : List.of("tls.crt", "ca.key", "tls.key", "tls.key", "ca.key", "tls.crt")) {
      int before = answers.get();
      // All calls that began with an older bundle have ended.
      await().until(() -> answers.get() > before + 5 || traffic.stream().anyMatch(Future::isDone));
      renewAfterLosing(lost);
    }
    int before = answers.get();
    await().until(() -> answers.get() > before + 5 || traffic.stream().anyMatch(Future::isDone));
    ended.set(true);
    for (Future<Void> each : traffic) {
      each.get();
    }
    threads.shutdown();
    assertThat(seen).as("certificates").hasSize(5);
  }

  @Test
  void requestsThatHaveBegunAreAnsweredAtTheEnd() throws Exception {
    certificates.look();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    serve(
        body -> {
          begun.countDown();
          await().until(() -> mayEnd.getCount() == 0);
          return body;
        });
    Caller caller = caller();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    Future<HttpResponse<String>> answer = threads.submit(() -> caller.review("late"));
    begun.await();
    Future<?> closed = threads.submit(endpoint::close);
    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> new Socket("localhost", endpoint.port()).close())
                    .isInstanceOf(ConnectException.class));
    assertThat(closed.isDone()).isFalse();
    mayEnd.countDown();
    assertThat(answer.get().body()).isEqualTo("late");
    closed.get();
    threads.shutdown();
  }

  @Test
  void theEndComesAtOnceIfNothingRuns() throws Exception {
    certificates.look();
    serve(Function.identity());
    caller().review("{}");
    long start = System.nanoTime();
    endpoint.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void theEndDoesNotWaitForARequestThatHangs() throws Exception {
    certificates.look();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    serve(
        body -> {
          begun.countDown();
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return body;
        });
    Caller caller = caller();
    ExecutorService threads = Executors.newFixedThreadPool(1);
    Future<HttpResponse<String>> answer = threads.submit(() -> caller.review("{}"));
    begun.await();
    long start = System.nanoTime();
    endpoint.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
    assertThatThrownBy(answer::get).hasCauseInstanceOf(IOException.class);
    threads.shutdown();
  }

  private SSLSocket connect() throws Exception {
    SSLSocket socket =
        (SSLSocket) caller().tls().getSocketFactory().createSocket("localhost", endpoint.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private String raw(String request) throws Exception {
    try (SSLSocket socket = connect()) {
      write(socket, request);
      return read(socket);
    }
  }

  private static void write(SSLSocket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  private static String read(SSLSocket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
