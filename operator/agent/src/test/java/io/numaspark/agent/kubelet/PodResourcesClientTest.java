package io.numaspark.agent.kubelet;

import static io.numaspark.agent.kubelet.FakeKubelet.ACK;
import static io.numaspark.agent.kubelet.FakeKubelet.AMPLE;
import static io.numaspark.agent.kubelet.FakeKubelet.CONTINUATION;
import static io.numaspark.agent.kubelet.FakeKubelet.DATA;
import static io.numaspark.agent.kubelet.FakeKubelet.DECODED;
import static io.numaspark.agent.kubelet.FakeKubelet.END_HEADERS;
import static io.numaspark.agent.kubelet.FakeKubelet.END_STREAM;
import static io.numaspark.agent.kubelet.FakeKubelet.GOAWAY;
import static io.numaspark.agent.kubelet.FakeKubelet.HEADERS;
import static io.numaspark.agent.kubelet.FakeKubelet.MESSAGE;
import static io.numaspark.agent.kubelet.FakeKubelet.OPENING;
import static io.numaspark.agent.kubelet.FakeKubelet.PADDED;
import static io.numaspark.agent.kubelet.FakeKubelet.PING;
import static io.numaspark.agent.kubelet.FakeKubelet.PRIORITY;
import static io.numaspark.agent.kubelet.FakeKubelet.SETTINGS;
import static io.numaspark.agent.kubelet.FakeKubelet.WINDOW_UPDATE;
import static io.numaspark.agent.kubelet.FakeKubelet.block;
import static io.numaspark.agent.kubelet.FakeKubelet.concat;
import static io.numaspark.agent.kubelet.FakeKubelet.data;
import static io.numaspark.agent.kubelet.FakeKubelet.hex;
import static io.numaspark.agent.kubelet.FakeKubelet.message;
import static io.numaspark.agent.kubelet.FakeKubelet.padded;
import static io.numaspark.agent.kubelet.FakeKubelet.sending;
import static io.numaspark.agent.kubelet.FakeKubelet.settings;
import static io.numaspark.agent.kubelet.FakeKubelet.trailers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.numaspark.agent.kubelet.FakeKubelet.Conversation;
import io.numaspark.agent.kubelet.FakeKubelet.Frame;
import io.numaspark.agent.kubelet.FakeKubelet.Peer;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodResourcesClientTest {
  @TempDir Path directory;

  private Path socket() {
    return directory.resolve("kubelet.sock");
  }

  private List<PodResources> list(Conversation conversation) throws IOException {
    try (FakeKubelet kubelet = new FakeKubelet(socket(), conversation)) {
      return kubelet.client(AMPLE).list();
    }
  }

  static Stream<Arguments> answers() {
    byte[] fields = OPENING.payload();
    return Stream.of(
        arguments("plain", sending(settings(), OPENING, data(MESSAGE), trailers("0"))),
        arguments(
            "before the request was read",
            (Conversation)
                client -> client.send(settings(), OPENING, data(MESSAGE), trailers("0"))),
        arguments(
            "byte by byte",
            (Conversation)
                client -> {
                  client.readRequest();
                  for (Frame frame : List.of(settings(), OPENING, data(MESSAGE), trailers("0"))) {
                    for (byte one : frame.bytes()) {
                      client.send(new byte[] {one});
                    }
                  }
                }),
        arguments(
            "padding and priority",
            sending(
                settings(),
                new Frame(
                    HEADERS,
                    END_HEADERS | PADDED | PRIORITY,
                    1,
                    padded(concat(new byte[5], fields), 200)),
                new Frame(DATA, PADDED, 1, padded(MESSAGE, 255)),
                new Frame(DATA, PADDED, 1, padded(new byte[0], 17)),
                new Frame(
                    HEADERS,
                    END_STREAM | END_HEADERS | PADDED,
                    1,
                    padded(block("grpc-status", "0"), 0)))),
        arguments(
            "continued headers",
            sending(
                settings(),
                new Frame(HEADERS, 0, 1, Arrays.copyOf(fields, 3)),
                new Frame(CONTINUATION, 0, 1, new byte[0]),
                new Frame(
                    CONTINUATION, END_HEADERS, 1, Arrays.copyOfRange(fields, 3, fields.length)),
                data(MESSAGE),
                new Frame(HEADERS, END_STREAM, 1, block("x", "y")),
                new Frame(CONTINUATION, END_HEADERS, 1, block("grpc-status", "0")))),
        arguments(
            "message in pieces",
            sending(
                settings(),
                OPENING,
                data(Arrays.copyOf(MESSAGE, 2)),
                data(new byte[0]),
                data(Arrays.copyOfRange(MESSAGE, 2, 6)),
                data(Arrays.copyOfRange(MESSAGE, 6, MESSAGE.length)),
                trailers("0"))),
        arguments(
            "frames that do not concern the call",
            sending(
                settings(),
                new Frame(SETTINGS, ACK, 0, new byte[0]),
                new Frame(PING, ACK, 0, new byte[8]),
                new Frame(WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 1, 0}),
                new Frame(2, 0, 1, new byte[5]),
                new Frame(0xfa, 0xff, 7, new byte[100]),
                OPENING,
                new Frame(GOAWAY, 0, 0, new byte[] {0, 0, 0, 1, 0, 0, 0, 0}),
                data(MESSAGE),
                trailers("0"))),
        arguments(
            "indexed and Huffman-coded headers as grpc-go sends them",
            sending(
                settings(),
                new Frame(
                    HEADERS,
                    END_HEADERS,
                    1,
                    hex("20 88 0f10 8b 1d75d0620d263d4c4d6564")), // size 0, :status 200,
                // content-type
                data(MESSAGE),
                new Frame(
                    HEADERS, END_STREAM | END_HEADERS, 1, hex("40 88 9acac8b21234da8f 81 07")))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  void understands(String name, Conversation conversation) throws IOException {
    assertThat(list(conversation)).isEqualTo(DECODED);
  }

  @Test
  void readsALargeAnswerOfAServerThatKeepsToTheWindow() throws Exception {
    ProtoBytes response = new ProtoBytes();
    for (int cpu = 0; cpu < 4000; cpu++) {
      response.message(
          1,
          PodResourcesDecoderTest.pod(
              "many", "x".repeat(80) + cpu, PodResourcesDecoderTest.container("main", cpu)));
    }
    byte[] message = message(response.done());
    assertThat(message.length).isGreaterThan(6 * 65_535);
    List<PodResources> list =
        list(
            client -> {
              client.readRequest();
              client.send(settings(), OPENING);
              sendWithinWindow(client, message);
              client.send(trailers("0"));
            });
    assertThat(list).hasSize(4000);
  }

  /** Padding counts against the window too. */
  private static void sendWithinWindow(Peer client, byte[] message) throws IOException {
    int connection = 65_535;
    int stream = 65_535;
    for (int at = 0; at < message.length; ) {
      int size = Math.min(7_000, message.length - at);
      while (Math.min(connection, stream) < size + 101) {
        Frame frame = client.readFrame();
        if (frame.type() == WINDOW_UPDATE) {
          int increment = ByteBuffer.wrap(frame.payload()).getInt();
          connection += frame.stream() == 0 ? increment : 0;
          stream += frame.stream() == 1 ? increment : 0;
        }
      }
      byte[] part = Arrays.copyOfRange(message, at, at + size);
      client.send(new Frame(DATA, PADDED, 1, padded(part, 100)));
      at += size;
      connection -= size + 101;
      stream -= size + 101;
    }
  }

  @Test
  void asksAsTheProtocolWantsItAndAnswersPings() throws Exception {
    byte[] ping = "12345678".getBytes(StandardCharsets.US_ASCII);
    Conversation conversation =
        sending(settings(), new Frame(PING, 0, 0, ping), OPENING, data(MESSAGE), trailers("0"));
    try (FakeKubelet kubelet = new FakeKubelet(socket(), conversation)) {
      kubelet.client(AMPLE).list();
      List<Frame> frames = kubelet.received();
      assertThat(frames)
          .extracting(Frame::type)
          .containsExactly(SETTINGS, HEADERS, DATA, SETTINGS, PING);
      assertThat(frames)
          .extracting(Frame::flags)
          .containsExactly(0, END_HEADERS, END_STREAM, ACK, ACK);
      assertThat(new String(frames.get(1).payload(), StandardCharsets.US_ASCII))
          .contains("/v1.PodResourcesLister/List", "application/grpc", "trailers");
      assertThat(frames.get(4).payload()).isEqualTo(ping);
    }
  }

  @Test
  void asksForAllocatableCpus() throws Exception {
    byte[] response = new ProtoBytes().packed(2, 4, 5, 6).done();
    Conversation conversation =
        sending(settings(), OPENING, data(message(response)), trailers("0"));
    try (FakeKubelet kubelet = new FakeKubelet(socket(), conversation)) {
      assertThat(kubelet.client(AMPLE).allocatableCpus()).isEqualTo(CpuSet.parse("4-6"));
      assertThat(new String(kubelet.received().get(1).payload(), StandardCharsets.US_ASCII))
          .contains("/v1.PodResourcesLister/GetAllocatableResources");
    }
  }
}
