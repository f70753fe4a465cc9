import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;

/** The kubelet's PodResources API for the pods of {@link FakeMachine}: one call a connection, answered as grpc-go does. */
final class FakePodResources {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;

  /** Status 200 and content-type application/grpc, the value in Huffman code. */
  private static final byte[] OPENING = HexFormat.of().parseHex("880f108b1d75d0620d263d4c4d6564");

  /** grpc-status, in Huffman code, 0. */
  private static final byte[] TRAILERS = HexFormat.of().parseHex("00889acac8b21234da8f0130");

  private FakePodResources() {}

  static void serve(Path socket) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(socket));
    Thread thread = new Thread(() -> accept(listener), "pod-resources");
    thread.setDaemon(true);
    thread.start();
  }

  private static void accept(ServerSocketChannel listener) {
    while (true) {
      try (SocketChannel client = listener.accept()) {
        answer(client);
      } catch (IOException e) {
        System.err.println("pod-resources: " + e);
      }
    }
  }

  private static void answer(SocketChannel client) throws IOException {
    read(client, 24);
    boolean list = false;
    int type;
    do {
      ByteBuffer head = read(client, 9);
      int lengthAndType = head.getInt();
      type = lengthAndType & 0xff;
      byte[] payload = read(client, lengthAndType >>> 8).array();
      list |= new String(payload, StandardCharsets.US_ASCII).contains("PodResourcesLister/List");
    } while (type != DATA);
    byte[] message = list ? pods() : new Message().packed(2, FakeMachine.allocatable()).bytes();
    ByteBuffer data = ByteBuffer.allocate(5 + message.length).put((byte) 0).putInt(message.length).put(message);
    send(client, SETTINGS, 0, 0, new byte[0]);
    send(client, HEADERS, 4, 1, OPENING);
    send(client, DATA, 0, 1, data.array());
    send(client, HEADERS, 5, 1, TRAILERS);
    // Until the client has read all and closes.
    ByteBuffer rest = ByteBuffer.allocate(4096);
    while (client.read(rest.clear()) >= 0) {}
  }

  private static byte[] pods() {
    Message all = new Message();
    for (int pod = 0; pod < FakeMachine.PODS; pod++) {
      boolean executor = pod < FakeMachine.EXECUTORS;
      Message container = new Message().text(1, executor ? "spark-kubernetes-executor" : "main");
      if (executor) {
        Message node = new Message().number(1, pod < FakeMachine.EXECUTORS / FakeMachine.SOCKETS ? 0 : 1);
        Message memory = new Message().text(1, "memory").number(2, 8L << 30).message(3, new Message().message(1, node));
        container.packed(3, FakeMachine.executorCpus(pod)).message(4, memory);
      }
      Message names = new Message().text(1, (executor ? "sort-exec-" : "service-") + pod).text(2, executor ? "spark" : "apps");
      all.message(1, names.message(3, container));
    }
    return all.bytes();
  }

  private static ByteBuffer read(SocketChannel client, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (client.read(bytes) < 0) {
        throw new EOFException();
      }
    }
    return bytes.flip();
  }

  private static void send(SocketChannel client, int type, int flags, int stream, byte[] payload) throws IOException {
    if (payload.length > 16_384) {
      throw new IOException("more than a frame holds");
    }
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length)
        .putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload).flip();
    while (frame.hasRemaining()) {
      client.write(frame);
    }
  }

  /** A message of protocol buffers. */
  private static final class Message {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private void varint(long number) {
      long rest = number;
      for (; rest > 0x7f; rest >>>= 7) {
        bytes.write((int) (rest & 0x7f | 0x80));
      }
      bytes.write((int) rest);
    }

    private Message field(int field, byte[] content) {
      varint(field << 3 | 2);
      varint(content.length);
      bytes.writeBytes(content);
      return this;
    }

    Message number(int field, long number) {
      varint(field << 3);
      varint(number);
      return this;
    }

    Message text(int field, String text) {
      return field(field, text.getBytes(StandardCharsets.UTF_8));
    }

    Message message(int field, Message message) {
      return field(field, message.bytes());
    }

    Message packed(int field, java.util.BitSet ids) {
      Message numbers = new Message();
      ids.stream().forEach(numbers::varint);
      return field(field, numbers.bytes());
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }
  }
}
