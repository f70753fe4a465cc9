package io.numaspark.agent.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.numaspark.agent.fixture.SelfSigned;
import io.numaspark.agent.kubelet.KubeletException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against the JDK's HTTPS server with certificates that the JDK's keytool makes. */
class KubeletConfigzTest {
  private static final Duration AMPLE = Duration.ofSeconds(20);
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @TempDir static Path directory;
  private static HttpsServer server;
  private static Path authority;
  private static SelfSigned certificate;

  private static volatile int status;
  private static volatile byte[] body;
  private static final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  private final Path token = directory.resolve("token");

  @BeforeAll
  static void start() throws Exception {
    certificate = SelfSigned.make(directory, "server", "ip:127.0.0.1");
    authority = certificate.pem();
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
    server.createContext(
        "/",
        exchange -> {
          seen.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization"));
          if (status == 302) {
            exchange.getResponseHeaders().set("Location", "/elsewhere");
          }
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  @BeforeEach
  void answerWell() throws IOException {
    answer(200, "{\"kubeletconfig\":{\"cpuManagerPolicy\":\"static\"}}");
    seen.clear();
    Files.writeString(token, "secret-1\n");
  }

  private static void answer(int newStatus, String newBody) {
    status = newStatus;
    body = newBody.getBytes(StandardCharsets.UTF_8);
  }

  private KubeletConfigz configz(String host, KubeletTrust trust) {
    return new KubeletConfigz(host, server.getAddress().getPort(), token, trust, AMPLE);
  }

  private KubeletConfigz trusting() {
    return configz("127.0.0.1", new KubeletTrust.Authorities(authority));
  }

  private static KubeletException refused(KubeletConfigz configz) {
    KubeletException refused = catchThrowableOfType(KubeletException.class, configz::read);
    assertThat(refused).isNotNull();
    assertThat(refused).hasMessageNotContaining("secret");
    return refused;
  }

  @Test
  void readsTheConfigurationWithTheTokenOfTheMoment() throws IOException {
    assertThat(trusting().read()).isEqualTo(Map.of("cpuManagerPolicy", "static"));
    Files.writeString(token, "secret-2");
    trusting().read();
    assertThat(seen)
        .containsExactly("GET /configz Bearer secret-1", "GET /configz Bearer secret-2");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          401 | Forbidden | let the kubelet run with authentication.webhook.enabled
          403 | Forbidden | get on nodes/configz; kubelets before Kubernetes 1.33 ask for nodes/proxy
          404 | NotFound  | enableDebuggingHandlers: true
          302 | BadAnswer | HTTP 302
          500 | BadAnswer | HTTP 500
          """)
  void tellsWhatToDoAboutAStatus(int code, Reason reason, String remedy) {
    answer(code, "no");
    KubeletException refused = refused(trusting());
    assertThat(refused).hasMessageContaining(remedy).hasMessageContaining("https://127.0.0.1:");
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(seen).hasSize(1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing            | ``                         | the answer is not a JSON
          no JSON            | <html>secret</html>        | the answer is not a JSON
          half of it         | {"kubeletconfig":{"a":     | the answer is not a JSON
          something else     | {"kind":"secret"}          | no object kubeletconfig
          a text             | {"kubeletconfig":"secret"} | no object kubeletconfig
          a list             | [1]                        | no object kubeletconfig
          """)
  void refusesAnswersOfSomethingElse(String name, String answer, String message) {
    answer(200, answer);
    KubeletException refused = refused(trusting());
    assertThat(refused).hasMessageContaining(message);
    assertThat(refused.reason()).isEqualTo(Reason.BadAnswer);
  }

  @Test
  void refusesAnAnswerWithoutEnd() {
    answer(200, " ".repeat(256 * 1024 + 1));
    assertThat(refused(trusting())).hasMessageContaining("more than 262144 bytes");
  }

  @Test
  void judgesTheCertificate() throws Exception {
    Path stranger = SelfSigned.make(directory, "stranger", "ip:127.0.0.1").pem();
    KubeletException unknown =
        refused(configz("127.0.0.1", new KubeletTrust.Authorities(stranger)));
    assertThat(unknown.reason()).isEqualTo(Reason.Untrusted);
    assertThat(unknown).hasMessageContaining("give the authority that signed");

    KubeletException otherName =
        refused(configz("localhost", new KubeletTrust.Authorities(authority)));
    assertThat(otherName.reason()).isEqualTo(Reason.Untrusted);
    assertThat(seen).isEmpty();

    assertThat(configz("localhost", new KubeletTrust.Anyone()).read()).containsValue("static");
    assertThat(configz("127.0.0.1", new KubeletTrust.Anyone()).read()).containsValue("static");
  }

  @Test
  void namesTheFileThatItCannotUse() throws IOException {
    Path none = directory.resolve("none.pem");
    Path empty = Files.createFile(directory.resolve("empty.pem"));
    Path text = Files.writeString(directory.resolve("text.pem"), "hello");
    for (Path file : List.of(none, empty, text)) {
      KubeletException refused = refused(configz("127.0.0.1", new KubeletTrust.Authorities(file)));
      assertThat(refused).hasMessageContaining(file.toString());
      assertThat(refused.reason()).isEqualTo(Reason.Untrusted);
    }
    Files.delete(token);
    assertThat(refused(trusting()))
        .hasMessageContaining("the token " + token + " cannot be read")
        .extracting(KubeletException::reason)
        .isEqualTo(Reason.NotFound);
    for (String noToken : List.of("", "\n", "secret\r\nX-Header: secret", "secr\u00e4t")) {
      Files.writeString(token, noToken);
      assertThat(refused(trusting())).hasMessageContaining("the file " + token + " has no token");
    }
    assertThat(seen).isEmpty();
  }

  @Test
  void nobodyListensWhileTheKubeletRestarts() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    KubeletTrust trust = new KubeletTrust.Authorities(authority);
    KubeletException refused = refused(new KubeletConfigz("127.0.0.1", port, token, trust, AMPLE));
    assertThat(refused).hasMessageContaining("the kubelet restarts or is down");
    assertThat(refused.reason()).isEqualTo(Reason.Unreachable);
  }

  @Test
  void silenceEndsWithTheTimeout() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      KubeletConfigz configz =
          new KubeletConfigz(
              "127.0.0.1",
              silent.getLocalPort(),
              token,
              new KubeletTrust.Authorities(authority),
              Duration.ofMillis(200));
      assertThat(refused(configz).reason()).isEqualTo(Reason.TimedOut);
    }
  }

  /** Whoever sends a byte now and then must not keep the agent, be it in the headers or after. */
  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 200 OK\r\nX-Long: ", "HTTP/1.1 200 OK\r\n\r\n"})
  void anAnswerThatTricklesEndsWithTheTimeout(String beginning) throws Exception {
    Thread peer;
    try (ServerSocket trickling =
        certificate.context().getServerSocketFactory().createServerSocket(0, 1, LOOPBACK)) {
      peer = new Thread(() -> trickle(trickling, beginning));
      peer.setDaemon(true);
      peer.start();
      KubeletConfigz configz =
          new KubeletConfigz(
              "127.0.0.1",
              trickling.getLocalPort(),
              token,
              new KubeletTrust.Authorities(authority),
              Duration.ofMillis(300));
      KubeletException refused =
          assertTimeoutPreemptively(Duration.ofSeconds(30), () -> refused(configz));
      assertThat(refused.reason()).as(refused.getMessage()).isEqualTo(Reason.TimedOut);
    }
    peer.join(10_000);
    assertThat(peer.isAlive()).as("the connection is closed").isFalse();
  }

  private static void trickle(ServerSocket at, String beginning) {
    try (Socket socket = at.accept()) {
      socket.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
      while (true) {
        Thread.sleep(20);
        socket.getOutputStream().write(' ');
      }
    } catch (IOException | InterruptedException e) {
      // The other side has had enough.
    }
  }

  /** As deep as JSON may be by itself, which is deeper than the stack of the agent's image. */
  @Test
  void refusesAnAnswerThatIsNestedDeeply() throws Exception {
    answer(200, "{\"kubeletconfig\":" + "[".repeat(900) + "]".repeat(900) + "}");
    KubeletException[] refused = new KubeletException[1];
    Thread small = new Thread(null, () -> refused[0] = refused(trusting()), "image", 256 * 1024);
    small.start();
    small.join();
    assertThat(refused[0].reason()).isEqualTo(Reason.BadAnswer);
  }

  @Test
  void refusesAnAnswerOfMoreValuesThanTheHeapHolds() {
    answer(200, "{\"kubeletconfig\":[" + "1,".repeat(100_000) + "1]}");
    assertThat(refused(trusting()).reason()).isEqualTo(Reason.BadAnswer);
  }

  @Test
  void refusesAFileOfAuthoritiesWithoutEnd() throws IOException {
    Path large = directory.resolve("large.pem");
    Files.writeString(large, " ".repeat(256 * 1024) + Files.readString(authority));
    assertThat(refused(configz("127.0.0.1", new KubeletTrust.Authorities(large))))
        .hasMessageContaining(large + " has no certificates");
  }

  @Test
  void aHostThatIsNoneIsNamed() {
    KubeletTrust trust = new KubeletTrust.Anyone();
    for (String host : List.of("", "a b", "::1::", "[")) {
      KubeletException refused = refused(new KubeletConfigz(host, 1, token, trust, AMPLE));
      assertThat(refused.getMessage()).contains(host);
    }
  }
}
