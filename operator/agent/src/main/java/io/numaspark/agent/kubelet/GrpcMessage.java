package io.numaspark.agent.kubelet;

import java.net.ProtocolException;
import java.util.Arrays;

/**
 * Collects the one message of a gRPC answer: one byte that tells of compression, four of length,
 * then the message.
 *
 * <p>Limit: messages of more than {@value #MAX_BYTES} bytes are refused; memory grows with the
 * bytes that came, not with the length that was announced.
 */
final class GrpcMessage {
  /** 8 KiB for each of the 256 pods of a crowded node; real answers have less than 1 KiB a pod. */
  static final int MAX_BYTES = 2 * 1024 * 1024;

  private static final int PREFIX = 5;

  private final byte[] prefix = new byte[PREFIX];
  private int prefixed;
  private byte[] bytes = new byte[0];
  private int length;
  private int size;

  void add(byte[] data, int from, int end) throws ProtocolException {
    int at = from;
    while (at < end && prefixed < PREFIX) {
      prefix[prefixed++] = data[at++];
      if (prefixed == PREFIX) {
        begin();
      }
    }
    int part = end - at;
    if (part == 0) {
      return;
    }
    if (part > length - size) {
      throw new ProtocolException("the gRPC answer is longer than the one message it should be");
    }
    if (size + part > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.min(length, Math.max(size + part, 2 * bytes.length)));
    }
    System.arraycopy(data, at, bytes, size, part);
    size += part;
  }

  private void begin() throws ProtocolException {
    if (prefix[0] != 0) {
      throw new ProtocolException("the gRPC answer is compressed, which was not asked for");
    }
    long announced = 0;
    for (int i = 1; i < PREFIX; i++) {
      announced = announced << 8 | prefix[i] & 0xff;
    }
    if (announced > MAX_BYTES) {
      throw new ProtocolException(
          "the gRPC answer has " + announced + " bytes; at most " + MAX_BYTES + " are read");
    }
    length = (int) announced;
  }

  /** The whole message. */
  byte[] bytes() throws ProtocolException {
    if (prefixed < PREFIX || size < length) {
      throw new ProtocolException("the gRPC answer ended in the middle of its message");
    }
    return bytes;
  }
}
