package io.numaspark.agent.knob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/**
 * Collects one line from a channel, up to a limit.
 *
 * <p>Limit: holds a single line; what follows the line feed is not kept.
 */
public final class LineBuffer {

  private final int limit;
  private ByteBuffer bytes = ByteBuffer.allocate(1024);
  private int end = -1;

  /** The line has more bytes than the limit. */
  public static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLongException(int limit) {
      super("the line is longer than " + limit + " bytes");
    }
  }

  /**
   * @param limit most bytes that a line may have, without its line feed
   */
  public LineBuffer(int limit) {
    this.limit = limit;
  }

  /** Whether the line feed has come. */
  public boolean isComplete() {
    return end >= 0;
  }

  /**
   * Takes what the channel has.
   *
   * @return false if the channel has ended
   * @throws TooLongException if the line is longer than the limit
   * @throws IOException if the channel fails
   */
  public boolean readFrom(ReadableByteChannel channel) throws IOException {
    if (!bytes.hasRemaining()) {
      bytes = ByteBuffer.allocate(bytes.capacity() * 2).put(bytes.flip());
    }
    int from = bytes.position();
    int count = channel.read(bytes);
    for (int i = from; i < bytes.position(); i++) {
      if (bytes.get(i) == '\n') {
        end = i;
        break;
      }
    }
    if ((end >= 0 ? end : bytes.position()) > limit) {
      throw new TooLongException(limit);
    }
    return count >= 0;
  }

  /** The line, without its line feed. */
  public byte[] line() {
    return Arrays.copyOf(bytes.array(), end);
  }
}
