package io.numaspark.controller.observe;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The last bytes of a stream, however long it is. */
final class LogTail {
  private final byte[] ring;
  private long total;

  LogTail(int bytes) {
    ring = new byte[bytes];
  }

  synchronized void add(ByteBuffer buffer) {
    int fromEnd = Math.min(buffer.remaining(), ring.length);
    total += buffer.remaining() - fromEnd;
    buffer.position(buffer.limit() - fromEnd);
    while (buffer.hasRemaining()) {
      int at = (int) (total % ring.length);
      int length = Math.min(buffer.remaining(), ring.length - at);
      buffer.get(ring, at, length);
      total += length;
    }
  }

  /** How many bytes have come. */
  synchronized long total() {
    return total;
  }

  /** Whole lines, unless the last one alone is longer than what is kept. */
  synchronized String text() {
    if (total <= ring.length) {
      return new String(ring, 0, (int) total, StandardCharsets.UTF_8);
    }
    byte[] kept = new byte[ring.length];
    int at = (int) (total % ring.length);
    System.arraycopy(ring, at, kept, 0, ring.length - at);
    System.arraycopy(ring, 0, kept, ring.length - at, at);
    String text = new String(kept, StandardCharsets.UTF_8);
    int line = text.indexOf('\n');
    return line < 0 || line == text.length() - 1 ? text : text.substring(line + 1);
  }
}
