package io.numaspark.agent.kubelet;

import io.numaspark.planner.topology.CpuSet;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A unix socket that speaks HTTP/2 in whatever odd way a test wants. */
final class FakeKubelet implements Closeable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;
  static final int PADDED = 8;
  static final int PRIORITY = 32;

  static final Duration AMPLE = Duration.ofSeconds(20);

  static final byte[] RESPONSE =
      new ProtoBytes()
          .message(
              1,
              PodResourcesDecoderTest.pod(
                  "spark", "exec", PodResourcesDecoderTest.container("main", 1, 2)))
          .done();

  static final List<PodResources> DECODED =
      List.of(new PodResources("spark", "exec", "main", CpuSet.of(1, 2), CpuSet.EMPTY));

  static final byte[] MESSAGE = message(RESPONSE);

  static final Frame OPENING = headers(0, ":status", "200", "content-type", "application/grpc");

  private static final int PREFACE = 24;

  /** What to do with one connection; it stays open until the client closes it. */
  interface Conversation {
    void with(Peer client) throws IOException;
  }

  record Frame(int type, int flags, int stream, byte[] payload) {
    byte[] bytes() {
      return ByteBuffer.allocate(9 + payload.length)
          .putInt(payload.length << 8 | type)
          .put((byte) flags)
          .putInt(stream)
          .put(payload)
          .array();
    }
  }

  private final Path socket;
  private final ServerSocketChannel listener;
  private final Thread thread;
  private final List<Frame> received = new CopyOnWriteArrayList<>();

  FakeKubelet(Path socket, Conversation conversation) throws IOException {
    this.socket = socket;
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(socket));
    thread = new Thread(() -> serve(conversation), "fake-kubelet");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve(Conversation conversation) {
    try (SocketChannel channel = listener.accept()) {
      Peer peer = new Peer(channel);
      conversation.with(peer);
      peer.drain();
    } catch (IOException e) {
      return; // the client has gone, which is what many tests wait for
    }
  }

  PodResourcesClient client(Duration timeout) {
    return new PodResourcesClient(socket, timeout);
  }

  /** Every frame that the client sent until it closed the connection. */
  List<Frame> received() throws InterruptedException {
    thread.join(10_000);
    return received;
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  /** The client's end of the connection. */
  final class Peer {
    private final SocketChannel channel;

    private Peer(SocketChannel channel) {
      this.channel = channel;
    }

    /** Reads the preface, the settings, and the whole request. */
    void readRequest() throws IOException {
      read(PREFACE);
      Frame frame = readFrame();
      while (frame.type() != DATA) {
        frame = readFrame();
      }
    }

    Frame readFrame() throws IOException {
      ByteBuffer head = ByteBuffer.wrap(read(9));
      int lengthAndType = head.getInt();
      int flags = head.get();
      Frame frame =
          new Frame(lengthAndType & 0xff, flags, head.getInt(), read(lengthAndType >>> 8));
      received.add(frame);
      return frame;
    }

    private byte[] read(int length) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(length);
      while (bytes.hasRemaining()) {
        if (channel.read(bytes) < 0) {
          throw new EOFException();
        }
      }
      return bytes.array();
    }

    void drain() throws IOException {
      while (true) {
        readFrame();
      }
    }

    void send(byte[] bytes) throws IOException {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        channel.write(left);
      }
    }

    void send(Frame... frames) throws IOException {
      for (Frame frame : frames) {
        send(frame.bytes());
      }
    }

    void close() throws IOException {
      channel.close();
    }
  }

  static Frame settings() {
    return new Frame(SETTINGS, 0, 0, new byte[0]);
  }

  static Frame headers(int flags, String... namesAndValues) {
    return new Frame(HEADERS, END_HEADERS | flags, 1, block(namesAndValues));
  }

  static Frame data(byte[] payload) {
    return new Frame(DATA, 0, 1, payload);
  }

  static Frame trailers(String status) {
    return headers(END_STREAM, "grpc-status", status);
  }

  /** A header block of plain literals. */
  static byte[] block(String... namesAndValues) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.length; i++) {
      if (i % 2 == 0) {
        block.write(0);
      }
      byte[] text = namesAndValues[i].getBytes(StandardCharsets.US_ASCII);
      block.write(text.length);
      block.writeBytes(text);
    }
    return block.toByteArray();
  }

  /** A message with its gRPC prefix. */
  static byte[] message(byte[] bytes) {
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) 0)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  /** Content and as much padding. */
  static byte[] padded(byte[] content, int padding) {
    return ByteBuffer.allocate(1 + content.length + padding)
        .put((byte) padding)
        .put(content)
        .array();
  }

  /** Reads the request, then sends these frames. */
  static Conversation sending(Frame... frames) {
    return client -> {
      client.readRequest();
      client.send(frames);
    };
  }

  static byte[] concat(byte[] first, byte[] second) {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(first);
    both.writeBytes(second);
    return both.toByteArray();
  }

  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }
}
