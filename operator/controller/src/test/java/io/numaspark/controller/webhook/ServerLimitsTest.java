package io.numaspark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients do that hold connections, and how long the API server waits because of it. */
class ServerLimitsTest {
  private static final String HEAD = "POST /mutate HTTP/1.1\r\nHost: a\r\nContent-";
  private static final Map<String, String> HALVES =
      Map.of(
          "head", HEAD,
          "body", HEAD + "Length: 1000\r\n\r\n{",
          "large", HEAD + "Length: 8388608\r\n\r\n{");

  /** Five seconds, how often they are looked at, and a slow machine. */
  private static final Duration CLOSED_WITHIN = Duration.ofSeconds(15);

  private static EndpointProcess endpoint;

  private final List<Socket> sockets = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    endpoint = new EndpointProcess();
  }

  @AfterAll
  static void stop() {
    endpoint.close();
  }

  @AfterEach
  void disconnect() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /** Those who say nothing take no thread, so that nobody waits for them. */
  @Test
  void aHundredConnectionsWithoutAByteKeepNobodyWaiting() throws Exception {
    for (int i = 0; i < 100; i++) {
      connect();
    }
    assertThat(secondsOfAReview()).isLessThan(3);
    assertThat(closed()).isEqualTo(100);
  }

  /** Each has a thread of its own until its time is over. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          half a handshake | -
          half a head      | head
          half a body      | body
          half a large one | large
          """)
  void aHundredHalfRequestsKeepNobodyWaiting(String what, String request) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(20);
    List<CompletableFuture<Void>> begun = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      if (request == null) {
        // A record that says it has 256 bytes, and has one.
        connect().getOutputStream().write(new byte[] {22, 3, 1, 1, 0, 1});
      } else {
        String text = HALVES.get(request);
        begun.add(CompletableFuture.runAsync(() -> beginWithTls(text), threads));
      }
    }
    assertThat(secondsOfAReview()).as(what).isLessThan(3);
    CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new)).join();
    threads.shutdown();
    assertThat(closed()).isEqualTo(sockets.size());
    assertThat(secondsOfAReview()).isLessThan(3);
    assertThat(endpoint.isAlive()).isTrue();
  }

  /** More than there may be: whoever comes then is closed, and later ones are not. */
  @Test
  void afterTooManyConnectionsReviewsAreAnsweredWithinSeconds() throws Exception {
    for (int i = 0; i < ServerLimits.CONNECTIONS + 50; i++) {
      connect();
    }
    long start = System.nanoTime();
    boolean isAnswered = false;
    while (!isAnswered
        && Duration.ofNanos(System.nanoTime() - start).compareTo(CLOSED_WITHIN) < 0) {
      try {
        isAnswered = secondsOfAReview() > 0;
      } catch (IOException e) {
        Thread.sleep(200);
      }
    }
    assertThat(isAnswered).isTrue();
  }

  /** An API server keeps its connections for 90 seconds; more than the time of a request. */
  @Test
  void aConnectionThatIsKeptOpenIsNotClosedAfterSeconds() throws Exception {
    Socket socket = caller().tls().getSocketFactory().createSocket("localhost", endpoint.port());
    sockets.add(socket);
    String review = "POST /mutate HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}";
    socket.setSoTimeout(10_000);
    for (int i = 0; i < 2; i++) {
      Thread.sleep(i * 7000L);
      socket.getOutputStream().write(review.getBytes(StandardCharsets.US_ASCII));
      StringBuilder answer = new StringBuilder();
      while (!answer.toString().endsWith("\r\n\r\n{}")) {
        int next = socket.getInputStream().read();
        assertThat(next).as("after '%s'", answer).isNotNegative();
        answer.append((char) next);
      }
      assertThat(answer.toString()).startsWith("HTTP/1.1 200 ");
    }
  }

  private static Caller caller() throws Exception {
    return Caller.trusting(endpoint.caBundle(), endpoint.port());
  }

  private static double secondsOfAReview() throws Exception {
    Caller caller = caller();
    long start = System.nanoTime();
    assertThat(caller.review("{}").statusCode()).isEqualTo(200);
    return (System.nanoTime() - start) / 1e9;
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("localhost", endpoint.port());
    sockets.add(socket);
    return socket;
  }

  /** One that is closed before it could begin is one less. */
  private void beginWithTls(String text) {
    try {
      Socket socket = caller().tls().getSocketFactory().createSocket("localhost", endpoint.port());
      synchronized (sockets) {
        sockets.add(socket);
      }
      socket.setSoTimeout((int) CLOSED_WITHIN.toMillis());
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    } catch (Exception e) {
      // The endpoint was faster.
    }
  }

  /** How many of the connections the endpoint has closed. */
  private long closed() throws IOException {
    long deadline = System.nanoTime() + CLOSED_WITHIN.toNanos();
    long closed = 0;
    for (Socket socket : sockets) {
      socket.setSoTimeout((int) Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
      closed += isClosed(socket) ? 1 : 0;
    }
    return closed;
  }

  private static boolean isClosed(Socket socket) {
    try {
      while (socket.getInputStream().read() >= 0) {
        continue;
      }
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
