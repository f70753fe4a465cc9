package numaspark.shuffle;

import io.netty.handler.stream.ChunkedStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;

/**
 * One block of a shuffle in pages: a header, and the pieces of page files and of Spark's own
 * shuffle file that follow it.
 *
 * <p>Nothing is read before somebody wants the bytes, and then by {@code read}, not through a
 * mapping: a block may wait in Spark's queues for longer than its shuffle lives, and a file that is
 * gone or cut short is then an {@link IOException}.
 */
final class PageBlock extends ManagedBuffer {
  private static final int CHUNK = 64 << 10;

  /** A piece of a file. */
  record Part(Path file, long offset, long length) {}

  private final byte[] header;
  private final List<Part> parts;
  private final long size;

  PageBlock(byte[] header, List<Part> parts) {
    this.header = header;
    this.parts = List.copyOf(parts);
    long sum = header.length;
    for (Part part : parts) {
      sum = Math.addExact(sum, part.length());
    }
    this.size = sum;
  }

  @Override
  public long size() {
    return size;
  }

  /** Spark asks for blocks of a shuffle as streams or to send them; this is for smaller ones. */
  @Override
  public ByteBuffer nioByteBuffer() throws IOException {
    if (size > Integer.MAX_VALUE - 16) {
      throw new IOException("A block of " + size + " bytes can only be read as a stream");
    }
    ByteBuffer block = ByteBuffer.allocate((int) size);
    try (InputStream in = createInputStream()) {
      if (in.readNBytes(block.array(), 0, (int) size) < size) {
        throw new IOException("A block of a shuffle in pages ends early");
      }
    }
    return block;
  }

  /**
   * Opens no file yet: Spark takes an exception here for a fault of its own files, and one while
   * the stream is read for what it is, a block that has to be made again.
   */
  @Override
  public InputStream createInputStream() {
    return new Stream();
  }

  @Override
  public ManagedBuffer retain() {
    return this;
  }

  @Override
  public ManagedBuffer release() {
    return this;
  }

  @Override
  public Object convertToNetty() {
    return new PageBlockRegion(header, parts, size);
  }

  /** Asked for by Spark 4 and later, where TLS encrypts what is sent. */
  @Override
  public Object convertToNettyForSsl() {
    return new ChunkedStream(createInputStream(), CHUNK);
  }

  @Override
  public String toString() {
    return "block of " + size + " bytes in " + parts;
  }

  /** The bytes in order, with one file open at a time. */
  private final class Stream extends InputStream {
    private int headerAt;
    private int next;
    private InputStream part;
    private long left;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (headerAt < header.length) {
        int some = Math.min(length, header.length - headerAt);
        System.arraycopy(header, headerAt, into, offset, some);
        headerAt += some;
        return some;
      }
      while (left == 0) {
        close();
        if (next == parts.size()) {
          return -1;
        }
        open(parts.get(next));
        next++;
      }
      int some = part.read(into, offset, (int) Math.min(Math.min(length, CHUNK), left));
      if (some < 0) {
        throw new IOException(parts.get(next - 1) + " of a block ends " + left + " bytes early");
      }
      left -= some;
      return some;
    }

    /** No channel: one is closed by the interrupt that kills a task. */
    private void open(Part piece) throws IOException {
      part = new FileInputStream(piece.file().toFile());
      part.skipNBytes(piece.offset());
      left = piece.length();
    }

    /** At least 1 until the end: netty would else take the whole block at once. */
    @Override
    public int available() {
      if (headerAt < header.length) {
        return header.length - headerAt;
      }
      return left > 0 || next < parts.size() ? (int) Math.max(1, Math.min(CHUNK, left)) : 0;
    }

    @Override
    public void close() throws IOException {
      InputStream open = part;
      part = null;
      left = 0;
      if (open != null) {
        open.close();
      }
    }
  }
}
