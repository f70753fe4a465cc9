package io.numaspark.controller.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.numaspark.controller.http.HttpListener.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What hostile clients do to a listener, and that the next client is answered nevertheless. */
class HttpListenerTest {
  private static final String REQUEST = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int CONNECTIONS = 20;
  private static final int ANSWER = 4 << 20;

  /** Far above what an answer takes, far below the deadlines of the tests that wait for none. */
  private static final Duration BOUND = Duration.ofSeconds(10);

  private final List<Socket> sockets = new ArrayList<>();
  private final ExecutorService workers = Executors.newFixedThreadPool(2);
  private HttpListener listener;
  private int port;

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    if (listener != null) {
      listener.close();
    }
    workers.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "G",
        "GET /a HTTP/1.1\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\n",
        "\r\n",
        "\u0016\u0003\u0001"
      })
  void thoseWhoHoldAllConnectionsAreReplacedByTheNext(String start) throws IOException {
    listen(LONG, LONG, request -> HttpAnswer.text(200, "ok"));
    for (int i = 0; i < 5 * CONNECTIONS; i++) {
      send(connect(), start);
    }
    for (int i = 0; i < 5; i++) {
      assertThat(ask(REQUEST)).startsWith("HTTP/1.1 200 ").endsWith("ok\n");
    }
  }

  @Test
  void whoHoldsMostLosesItAndOthersDoNot() throws IOException {
    listen(LONG, LONG, request -> HttpAnswer.text(200, "ok"));
    Socket kubelet = connect("127.0.0.2");
    send(kubelet, "GET /a HT");
    for (int i = 0; i < 10 * CONNECTIONS; i++) {
      send(connect(), "GET");
    }
    send(kubelet, "TP/1.1\r\n\r\n");
    assertThat(answer(kubelet)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void aRequestThatDoesNotEndIsClosedHoweverOftenAByteComes() throws Exception {
    listen(SHORT, LONG, request -> HttpAnswer.text(200, "ok"));
    Socket trickle = connect();
    send(trickle, "GET /a HTTP/1.1\r\nA: ");
    await()
        .atMost(BOUND)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> isClosedAfter(trickle, "x"));
    assertThat(ask(REQUEST)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void answersThatNobodyReadsAreClosedByTheirDeadline() throws Exception {
    listen(LONG, SHORT, request -> big());
    Socket slow = connect();
    send(slow, REQUEST);
    await().atMost(BOUND).until(() -> isReset(slow));
  }

  @Test
  void answersThatNobodyReadsTakeABoundedMemoryAndKeepNobodyWaiting() throws IOException {
    listen(LONG, LONG, request -> big());
    for (int i = 0; i < CONNECTIONS; i++) {
      send(connect(), REQUEST);
    }
    assertThat(ask(REQUEST)).hasSizeGreaterThan(ANSWER);
    long whole = 0;
    for (Socket socket : sockets.subList(0, CONNECTIONS)) {
      whole += answer(socket).length() > ANSWER ? 1 : 0;
    }
    assertThat(whole).as("answers that were kept").isBetween(1L, 4L);
  }

  @Test
  void aHandlerThatTakesLongHoldsItsOwnThreadOnly() throws Exception {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    listen(
        LONG,
        LONG,
        request -> {
          if (request.path().equals("/slow")) {
            awaitQuietly(mayGoOn);
          }
          return HttpAnswer.text(200, request.path());
        });
    Socket slow = connect();
    send(slow, "GET /slow HTTP/1.1\r\n\r\n");
    assertThat(ask(REQUEST)).endsWith("/a\n");
    mayGoOn.countDown();
    assertThat(answer(slow)).endsWith("/slow\n");
  }

  @Test
  void aHandlerThatFailsIsAnAnswerWithoutAStackTrace() throws IOException {
    listen(
        LONG,
        LONG,
        request -> {
          throw new IllegalStateException("inner");
        });
    assertThat(ask(REQUEST)).startsWith("HTTP/1.1 500 ").doesNotContain("inner", "Exception");
  }

  @ParameterizedTest
  @CsvSource({
    "'POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\n', 413",
    "'GET /a HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n', 413",
    "'GET /a HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 7\r\n\r\n', 413",
    "'POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n', 413",
    "'POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n', 405",
    "'GET http://a/ HTTP/1.1\r\n\r\n', 400",
    "'GET /a\r\n\r\n', 400",
    "'GET  HTTP/1.1\r\n\r\n', 400",
    "' \r\n\r\n', 400",
    "'GET /a HTTP/2\r\n\r\n', 400",
    "'GET /a HTTP/1.1\r\nno header\r\n\r\n', 400",
    "'GET /a HTTP/1.1\r\nA: b\r\n c\r\n\r\n', 400",
    "'GET /a HTTP/1.0\n\n', 200",
    "'GET /a HTTP/1.1\r\nContent-length: 0\r\n\r\nGET /b HTTP/1.1\r\n\r\n', 200"
  })
  void whatIsNoRequestForAPageIsRefused(String request, int status) throws IOException {
    listen(LONG, LONG, any -> HttpAnswer.text(200, any.path()));
    assertThat(ask(request)).startsWith("HTTP/1.1 " + status + " ");
    assertThat(ask(REQUEST)).endsWith("/a\n");
  }

  @Test
  void aHeadAboveTheLimitIsRefused() throws IOException {
    listen(LONG, LONG, request -> HttpAnswer.text(200, "ok"));
    String longest = "GET /" + "a".repeat(1024);
    assertThat(ask(longest.substring(0, 1024))).startsWith("HTTP/1.1 431 ");
    assertThat(ask(REQUEST)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void theThreadEndsWithTheListener() throws IOException {
    listen(LONG, LONG, request -> HttpAnswer.text(200, "ok"));
    send(connect(), "GET");
    listener.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("test-listener-" + port);
  }

  private void listen(Duration request, Duration answer, Function<HttpRequest, HttpAnswer> handler)
      throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    listener =
        new HttpListener(
            "test-listener-" + port,
            port,
            new Limits(CONNECTIONS, 1024, 3L * ANSWER, request, answer),
            workers,
            handler);
  }

  private static HttpAnswer big() {
    return HttpAnswer.text(200, "x".repeat(ANSWER));
  }

  private Socket connect() throws IOException {
    return connect("127.0.0.1");
  }

  private Socket connect(String from) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(16 << 10);
    socket.setSoTimeout((int) BOUND.toMillis());
    socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    return socket;
  }

  /** One that was closed already may be written to in vain. */
  private static void send(Socket socket, String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      // The listener has taken it for another.
    }
  }

  private String ask(String request) throws IOException {
    Socket socket = connect();
    send(socket, request);
    return answer(socket);
  }

  private static String answer(Socket socket) {
    StringBuilder text = new StringBuilder();
    byte[] buffer = new byte[64 << 10];
    try {
      for (int read = socket.getInputStream().read(buffer);
          read >= 0;
          read = socket.getInputStream().read(buffer)) {
        text.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      return text.toString();
    }
    return text.toString();
  }

  private static boolean isClosedAfter(Socket socket, String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static boolean isReset(Socket socket) {
    return isClosedAfter(socket, "x");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
