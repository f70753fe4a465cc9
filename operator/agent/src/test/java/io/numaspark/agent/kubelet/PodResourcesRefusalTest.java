package io.numaspark.agent.kubelet;

import static io.numaspark.agent.kubelet.FakeKubelet.ACK;
import static io.numaspark.agent.kubelet.FakeKubelet.AMPLE;
import static io.numaspark.agent.kubelet.FakeKubelet.CONTINUATION;
import static io.numaspark.agent.kubelet.FakeKubelet.DATA;
import static io.numaspark.agent.kubelet.FakeKubelet.END_HEADERS;
import static io.numaspark.agent.kubelet.FakeKubelet.END_STREAM;
import static io.numaspark.agent.kubelet.FakeKubelet.GOAWAY;
import static io.numaspark.agent.kubelet.FakeKubelet.HEADERS;
import static io.numaspark.agent.kubelet.FakeKubelet.MESSAGE;
import static io.numaspark.agent.kubelet.FakeKubelet.OPENING;
import static io.numaspark.agent.kubelet.FakeKubelet.PADDED;
import static io.numaspark.agent.kubelet.FakeKubelet.PING;
import static io.numaspark.agent.kubelet.FakeKubelet.PRIORITY;
import static io.numaspark.agent.kubelet.FakeKubelet.PUSH_PROMISE;
import static io.numaspark.agent.kubelet.FakeKubelet.RST_STREAM;
import static io.numaspark.agent.kubelet.FakeKubelet.concat;
import static io.numaspark.agent.kubelet.FakeKubelet.data;
import static io.numaspark.agent.kubelet.FakeKubelet.headers;
import static io.numaspark.agent.kubelet.FakeKubelet.hex;
import static io.numaspark.agent.kubelet.FakeKubelet.message;
import static io.numaspark.agent.kubelet.FakeKubelet.sending;
import static io.numaspark.agent.kubelet.FakeKubelet.settings;
import static io.numaspark.agent.kubelet.FakeKubelet.trailers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.numaspark.agent.kubelet.FakeKubelet.Conversation;
import io.numaspark.agent.kubelet.FakeKubelet.Frame;
import io.numaspark.agent.kubelet.FakeKubelet.Peer;
import io.numaspark.agent.kubelet.KubeletException.Reason;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodResourcesRefusalTest {
  @TempDir Path directory;

  private Path socket() {
    return directory.resolve("kubelet.sock");
  }

  private List<PodResources> list(Conversation conversation) throws IOException {
    try (FakeKubelet kubelet = new FakeKubelet(socket(), conversation)) {
      return kubelet.client(AMPLE).list();
    }
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        refusal(
            "an error without a message body",
            Reason.BadAnswer,
            "gRPC status 2, no message; see the kubelet's log",
            settings(),
            headers(END_STREAM, ":status", "200", "grpc-status", "2")),
        refusal(
            "a percent-encoded error",
            Reason.BadAnswer,
            "gRPC status 13, 100 % grün%2; see",
            settings(),
            headers(
                END_STREAM,
                ":status",
                "200",
                "grpc-status",
                "13",
                "grpc-message",
                "100 %25 gr%C3%BCn%2")),
        refusal(
            "an old kubelet",
            Reason.NotFound,
            "needs a kubelet of Kubernetes 1.23",
            settings(),
            OPENING,
            trailers("12")),
        refusal(
            "the rate limit",
            Reason.BadAnswer,
            "gRPC status 8, rejected by rate limit; other programs",
            settings(),
            headers(END_STREAM, "grpc-status", "8", "grpc-message", "rejected by rate limit")),
        refusal(
            "a kubelet that stops", Reason.Unreachable, "status 14", settings(), trailers("14")),
        refusal("a server deadline", Reason.TimedOut, "status 4", settings(), trailers("4")),
        refusal(
            "a reset",
            Reason.Unreachable,
            "the kubelet reset the call, HTTP/2 error 11",
            settings(),
            OPENING,
            new Frame(RST_STREAM, 0, 1, new byte[] {0, 0, 0, 11})),
        refusal(
            "going away before the call",
            Reason.Unreachable,
            "closes the connection, HTTP/2 error 0",
            settings(),
            new Frame(GOAWAY, 0, 0, new byte[8])),
        refusal(
            "going away with an error",
            Reason.Unreachable,
            "closes the connection, HTTP/2 error 2",
            settings(),
            new Frame(GOAWAY, 0, 0, new byte[] {0, 0, 0, 1, 0, 0, 0, 2})),
        refusal(
            "a frame that is too short",
            Reason.BadAnswer,
            "type 7 is too short",
            settings(),
            new Frame(GOAWAY, 0, 0, new byte[4])),
        refusal(
            "no settings first", Reason.BadAnswer, "does not speak HTTP/2", OPENING, settings()),
        refusal(
            "an HTTP error",
            Reason.BadAnswer,
            "HTTP status 404 came, not gRPC",
            settings(),
            headers(END_STREAM, ":status", "404")),
        refusal(
            "an indexed HTTP error",
            Reason.BadAnswer,
            "HTTP status 500 came, not gRPC",
            settings(),
            new Frame(HEADERS, END_STREAM | END_HEADERS, 1, hex("8e"))),
        refusal(
            "no trailers",
            Reason.BadAnswer,
            "ended without a grpc-status",
            settings(),
            OPENING,
            new Frame(DATA, END_STREAM, 1, MESSAGE)),
        refusal(
            "no message",
            Reason.BadAnswer,
            "in the middle of its message",
            settings(),
            trailers("0")),
        refusal(
            "half a message",
            Reason.BadAnswer,
            "in the middle of its message",
            settings(),
            OPENING,
            data(Arrays.copyOf(MESSAGE, 9)),
            trailers("0")),
        refusal(
            "two messages",
            Reason.BadAnswer,
            "longer than the one message",
            settings(),
            OPENING,
            data(concat(MESSAGE, MESSAGE))),
        refusal(
            "compression",
            Reason.BadAnswer,
            "compressed, which was not asked for",
            settings(),
            OPENING,
            data(new byte[] {1, 0, 0, 0, 0})),
        refusal(
            "more than 2 MiB",
            Reason.BadAnswer,
            "2097153 bytes; at most 2097152",
            settings(),
            OPENING,
            data(new byte[] {0, 0, 32, 0, 1})),
        refusal(
            "4 GiB",
            Reason.BadAnswer,
            "4294967295 bytes; at most 2097152",
            settings(),
            OPENING,
            data(new byte[] {0, -1, -1, -1, -1})),
        refusal(
            "a frame that is too large",
            Reason.BadAnswer,
            "a frame of 16385 bytes",
            settings(),
            data(new byte[16_385])),
        refusal(
            "more padding than content",
            Reason.BadAnswer,
            "more padding than bytes",
            settings(),
            new Frame(DATA, PADDED, 1, new byte[] {9, 0})),
        refusal(
            "padding of nothing",
            Reason.BadAnswer,
            "more padding than bytes",
            settings(),
            new Frame(HEADERS, END_HEADERS | PADDED, 1, new byte[0])),
        refusal(
            "a priority that is cut off",
            Reason.BadAnswer,
            "more padding than bytes",
            settings(),
            new Frame(HEADERS, END_HEADERS | PRIORITY, 1, new byte[4])),
        refusal(
            "another stream",
            Reason.BadAnswer,
            "HTTP/2 stream 3, not 1",
            settings(),
            new Frame(DATA, 0, 3, MESSAGE)),
        refusal(
            "a pushed stream",
            Reason.BadAnswer,
            "type 5 came out of turn",
            settings(),
            new Frame(PUSH_PROMISE, END_HEADERS, 1, new byte[4])),
        refusal(
            "headers with something between",
            Reason.BadAnswer,
            "interrupted by another frame",
            settings(),
            new Frame(HEADERS, 0, 1, new byte[0]),
            data(MESSAGE)),
        refusal(
            "headers without end",
            Reason.BadAnswer,
            "larger than 65536 bytes",
            Stream.concat(
                    Stream.of(settings(), new Frame(HEADERS, 0, 1, new byte[16_384])),
                    Stream.generate(() -> new Frame(CONTINUATION, 0, 1, new byte[16_384])).limit(4))
                .toArray(Frame[]::new)),
        badHeaders("a table that was not allowed", "3f e1 1f", "enlarges the table"),
        badHeaders("an entry that does not exist", "be", "entry 62 of an empty table"),
        badHeaders("entry 0", "80", "entry 0 of an empty table"),
        badHeaders("a name that is cut off", "00 05 61", "in the middle of a field"),
        badHeaders("a value that is missing", "00 01 61", "in the middle of a field"),
        badHeaders("a number without end", "00 7f ff ff ff ff ff", "more than 28 bits"),
        badHeaders("a wrong Huffman code", "00 84 ff ff ff fc 00", "RFC 7541 does not have"));
  }

  private static Arguments badHeaders(String name, String hex, String message) {
    Frame bad = new Frame(HEADERS, END_HEADERS, 1, hex(hex));
    return refusal(name, Reason.BadAnswer, message, settings(), bad);
  }

  private static Arguments refusal(String name, Reason reason, String message, Frame... frames) {
    return arguments(name, reason, message, sending(frames));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void refuses(String name, Reason reason, String message, Conversation conversation) {
    KubeletException refused =
        catchThrowableOfType(KubeletException.class, () -> list(conversation));
    assertThat(refused).isNotNull();
    assertThat(refused).hasMessageContaining(message).hasMessageContaining(socket().toString());
    assertThat(refused.reason()).isEqualTo(reason);
  }

  static Stream<Arguments> silences() {
    return Stream.of(
        arguments("silence", (Conversation) client -> {}),
        arguments("silence in the middle", sending(settings(), OPENING)),
        arguments(
            "pings without end",
            (Conversation)
                client -> {
                  client.send(settings());
                  while (true) {
                    client.send(new Frame(PING, ACK, 0, new byte[8]));
                  }
                }),
        arguments(
            "pings without end of a peer that does not read",
            (Conversation)
                client -> {
                  client.send(settings());
                  while (true) {
                    client.send(new Frame(PING, 0, 0, new byte[8]));
                  }
                }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("silences")
  void givesUpAtTheDeadline(String name, Conversation conversation) throws IOException {
    try (FakeKubelet kubelet = new FakeKubelet(socket(), conversation)) {
      PodResourcesClient client = kubelet.client(Duration.ofMillis(200));
      KubeletException refused = catchThrowableOfType(KubeletException.class, client::list);
      assertThat(refused).hasMessageContaining("no complete answer in time (200 ms)");
      assertThat(refused.reason()).isEqualTo(Reason.TimedOut);
    }
  }

  @Test
  void aConnectionThatBreaksIsAKubeletThatRestarts() {
    for (Conversation breaking :
        List.<Conversation>of(
            Peer::close,
            client -> {
              client.readRequest();
              client.send(settings(), OPENING);
              client.send(Arrays.copyOf(data(MESSAGE).bytes(), 12));
              client.close();
            })) {
      KubeletException refused = catchThrowableOfType(KubeletException.class, () -> list(breaking));
      assertThat(refused).hasMessageContaining("the kubelet restarts or is down");
      assertThat(refused.reason()).isEqualTo(Reason.Unreachable);
      assertThat(socket().toFile().delete()).isTrue();
    }
  }

  @Test
  void somethingElseThanHttp2IsABadAnswer() {
    KubeletException refused =
        catchThrowableOfType(
            KubeletException.class,
            () ->
                list(
                    client ->
                        client.send(
                            "HTTP/1.1 400 Bad Request\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII))));
    assertThat(refused).hasMessageContaining("may not speak HTTP/2");
    assertThat(refused.reason()).isEqualTo(Reason.BadAnswer);
  }

  @Test
  void tellsWhyThereIsNobodyToAsk() throws IOException {
    assertThat(refusedAt(directory.resolve("none/kubelet.sock")))
        .isEqualTo(
            Reason.NotFound
                + ": the directory of "
                + directory
                + "/none/kubelet.sock cannot be seen: mount the node's"
                + " /var/lib/kubelet/pod-resources there");
    assertThat(refusedAt(socket()))
        .startsWith(Reason.NotFound + ": " + socket() + " does not exist: the kubelet is starting");
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(refusedAt(file)).startsWith(Reason.Unreachable + ": ").contains("refused");
    Path stale = directory.resolve("stale");
    ServerSocketChannel gone = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    gone.bind(UnixDomainSocketAddress.of(stale));
    gone.close();
    assertThat(refusedAt(stale)).startsWith(Reason.Unreachable + ": ").contains("refused");
    Path deep = Files.createDirectories(directory.resolve("d".repeat(100))).resolve("x.sock");
    Files.createFile(deep);
    assertThat(refusedAt(deep)).startsWith(Reason.Unreachable + ": ").contains("too long");
  }

  private static String refusedAt(Path socket) {
    PodResourcesClient client = new PodResourcesClient(socket, AMPLE);
    KubeletException refused = catchThrowableOfType(KubeletException.class, client::list);
    return refused.reason() + ": " + refused.getMessage();
  }
}
