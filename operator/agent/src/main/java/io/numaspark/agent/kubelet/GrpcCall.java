package io.numaspark.agent.kubelet;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One gRPC call with an empty request over a fresh HTTP/2 connection (RFC 9113).
 *
 * <p>Own code, because grpc-netty alone needs more memory than the whole agent may use, and because
 * one call with an empty request needs only a small part of HTTP/2. Limit: one stream, no
 * compression, no server push, no streaming.
 */
final class GrpcCall {
  /** SETTINGS_MAX_FRAME_SIZE is left at its initial value, which is also the smallest. */
  private static final int MAX_FRAME = 16_384;

  /** A header block of more CONTINUATION frames than this holds is an attack or an error. */
  private static final int MAX_HEADERS = 64 * 1024;

  /** Flow-control credit is given back in parts of half the initial window of 65,535 bytes. */
  private static final int CREDIT = 32 * 1024;

  private static final int STREAM = 1;

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PUSH_PROMISE = 5;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int CONTINUATION = 9;

  private static final int ACK = 0x1;
  private static final int END_STREAM = 0x1;
  private static final int END_HEADERS = 0x4;
  private static final int PADDED = 0x8;
  private static final int PRIORITY = 0x20;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** SETTINGS_HEADER_TABLE_SIZE 0 (see {@link GrpcHeaders}) and SETTINGS_ENABLE_PUSH 0. */
  private static final byte[] OUR_SETTINGS = {0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0};

  /** An uncompressed message of length 0. */
  private static final byte[] EMPTY_MESSAGE = new byte[5];

  private final DeadlineSocket socket;
  private final GrpcMessage message = new GrpcMessage();
  private final byte[] head = new byte[9];
  private final byte[] payload = new byte[MAX_FRAME];
  private GrpcHeaders headers = new GrpcHeaders(null, null, null);
  private boolean ended;
  private int credit;

  private int length;
  private int type;
  private int flags;
  private int stream;

  private GrpcCall(DeadlineSocket socket) {
    this.socket = socket;
  }

  /**
   * The message that the server answers.
   *
   * @param path service and method, for example {@code /v1.PodResourcesLister/List}
   * @throws GrpcStatusException if the server answers an error
   * @throws ProtocolException if what it answers is not understood
   * @throws IOException if the connection breaks, or the deadline passes
   */
  static byte[] answer(DeadlineSocket socket, String path) throws IOException {
    GrpcCall call = new GrpcCall(socket);
    call.ask(path);
    call.readFrame();
    if (call.type != SETTINGS) {
      throw new ProtocolException("what listens there does not speak HTTP/2");
    }
    call.handleFrame();
    while (!call.ended) {
      call.readFrame();
      call.handleFrame();
    }
    return call.result();
  }

  private void ask(String path) throws IOException {
    ByteArrayOutputStream fields = new ByteArrayOutputStream();
    field(fields, ":method", "POST");
    field(fields, ":scheme", "http");
    field(fields, ":path", path);
    field(fields, ":authority", "localhost");
    field(fields, "content-type", "application/grpc");
    field(fields, "te", "trailers");
    ByteBuffer request = ByteBuffer.allocate(512);
    request.put(PREFACE);
    putFrame(request, SETTINGS, 0, 0, OUR_SETTINGS);
    putFrame(request, HEADERS, END_HEADERS, STREAM, fields.toByteArray());
    putFrame(request, DATA, END_STREAM, STREAM, EMPTY_MESSAGE);
    socket.write(request.flip());
  }

  /** A literal field without indexing with a new name; no string is longer than 126 bytes. */
  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static void putFrame(ByteBuffer to, int type, int flags, int stream, byte[] payload) {
    to.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload);
  }

  private void send(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(head.length + payload.length);
    putFrame(frame, type, flags, stream, payload);
    socket.write(frame.flip());
  }

  private void readFrame() throws IOException {
    socket.read(head, 0, head.length);
    ByteBuffer fields = ByteBuffer.wrap(head);
    int lengthAndType = fields.getInt();
    length = lengthAndType >>> 8;
    type = lengthAndType & 0xff;
    flags = fields.get();
    stream = fields.getInt() & Integer.MAX_VALUE;
    if (length > MAX_FRAME) {
      throw new ProtocolException(
          "a frame of " + length + " bytes came; what listens there may not speak HTTP/2");
    }
    socket.read(payload, 0, length);
  }

  private void handleFrame() throws IOException {
    switch (type) {
      case DATA -> data();
      case HEADERS -> headers();
      case SETTINGS -> {
        if (!has(ACK)) {
          send(SETTINGS, ACK, 0, new byte[0]);
        }
      }
      case PING -> {
        if (!has(ACK)) {
          send(PING, ACK, 0, Arrays.copyOf(payload, 8));
        }
      }
      case RST_STREAM ->
          throw new EOFException("the kubelet reset the call, HTTP/2 error " + number(0));
      case GOAWAY -> goAway();
      case PUSH_PROMISE, CONTINUATION ->
          throw new ProtocolException("an HTTP/2 frame of type " + type + " came out of turn");
      default -> {} // WINDOW_UPDATE, PRIORITY and types to come: nothing to do for one call
    }
  }

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }

  private int number(int from) throws ProtocolException {
    if (length < from + 4) {
      throw new ProtocolException("an HTTP/2 frame of type " + type + " is too short");
    }
    return ByteBuffer.wrap(payload).getInt(from);
  }

  private void goAway() throws IOException {
    int lastStream = number(0) & Integer.MAX_VALUE;
    int error = number(4);
    if (lastStream < STREAM || error != 0) {
      throw new EOFException("the kubelet closes the connection, HTTP/2 error " + error);
    }
  }

  private void data() throws IOException {
    checkStream();
    int from = padded();
    message.add(payload, from, end(from));
    credit += length;
    ended = has(END_STREAM);
    if (credit >= CREDIT && !ended) {
      byte[] increment = ByteBuffer.allocate(4).putInt(credit).array();
      send(WINDOW_UPDATE, 0, 0, increment);
      send(WINDOW_UPDATE, 0, STREAM, increment);
      credit = 0;
    }
  }

  private void headers() throws IOException {
    checkStream();
    int from = padded();
    int end = end(from);
    boolean last = has(END_STREAM);
    from += has(PRIORITY) ? 5 : 0;
    if (from > end) {
      throw new ProtocolException("an HTTP/2 frame has more padding than bytes");
    }
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(payload, from, end - from);
    while (!has(END_HEADERS)) {
      readFrame();
      if (type != CONTINUATION || stream != STREAM) {
        throw new ProtocolException("HTTP/2 headers are interrupted by another frame");
      }
      if (block.size() + length > MAX_HEADERS) {
        throw new ProtocolException("HTTP/2 headers are larger than " + MAX_HEADERS + " bytes");
      }
      block.write(payload, 0, length);
    }
    headers = GrpcHeaders.parse(block.toByteArray()).after(headers);
    ended = last;
  }

  private void checkStream() throws ProtocolException {
    if (stream != STREAM) {
      throw new ProtocolException("an answer came on HTTP/2 stream " + stream + ", not " + STREAM);
    }
  }

  /** Where the frame's content starts. */
  private int padded() {
    return has(PADDED) ? 1 : 0;
  }

  /** Where the frame's content ends. */
  private int end(int from) throws ProtocolException {
    int end = length - (has(PADDED) ? payload[0] & 0xff : 0);
    if (from > end) {
      throw new ProtocolException("an HTTP/2 frame has more padding than bytes");
    }
    return end;
  }

  private byte[] result() throws IOException {
    if (headers.httpStatus() != null && !headers.httpStatus().equals("200")) {
      throw new ProtocolException("HTTP status " + headers.httpStatus() + " came, not gRPC");
    }
    if (headers.grpcStatus() == null) {
      throw new ProtocolException("the answer ended without a grpc-status");
    }
    if (!headers.grpcStatus().equals("0")) {
      throw new GrpcStatusException(headers.grpcStatus(), headers.grpcMessage());
    }
    return message.bytes();
  }
}
