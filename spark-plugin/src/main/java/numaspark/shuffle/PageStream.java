package numaspark.shuffle;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A block that came from another executor, as the stream that Spark's UnsafeRowSerializer reads:
 * rows from pages get their size before them where it was left out, and what follows in Spark's own
 * format is unwrapped by Spark.
 *
 * <p>The block: {@code int magic}, {@code int segments}, for each {@code int rowSize} and {@code
 * long length}, the segments, and then, perhaps nothing, the part from Spark's shuffle file. All
 * numbers are big-endian.
 */
final class PageStream extends InputStream {
  static final int MAGIC = 0x6e756d61;

  /** Unwraps what Spark has written. */
  interface Unwrap {
    InputStream rest(InputStream compressed) throws IOException;
  }

  static int headerBytes(int segments) {
    return 2 * Integer.BYTES + segments * (Integer.BYTES + Long.BYTES);
  }

  /** Writes the header of a block. */
  static void header(ByteBuffer into, List<Run.Segment> segments) {
    into.putInt(MAGIC).putInt(segments.size());
    segments.forEach(segment -> into.putInt(segment.rowSize()).putLong(segment.length()));
  }

  private final DataInputStream in;
  private final Unwrap unwrap;
  private final int[] rowSizes;
  private final long[] lengths;
  private int segment = -1;
  private long left;
  private int rowLeft;
  private final byte[] prefix = new byte[Integer.BYTES];
  private int prefixAt = Integer.BYTES;
  private InputStream rest;

  /**
   * @throws IOException when the block does not begin as it must
   */
  PageStream(InputStream block, Unwrap unwrap) throws IOException {
    this.in = new DataInputStream(block);
    this.unwrap = unwrap;
    if (in.readInt() != MAGIC) {
      throw new IOException("A block of a shuffle in pages does not begin as one");
    }
    int segments = in.readInt();
    rowSizes = new int[segments];
    lengths = new long[segments];
    for (int i = 0; i < segments; i++) {
      rowSizes[i] = in.readInt();
      lengths[i] = in.readLong();
    }
  }

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
    int done = 0;
    while (done < length) {
      int some = some(into, offset + done, length - done);
      if (some < 0) {
        break;
      }
      done += some;
      if (rest != null) {
        break; // Spark's stream says itself how much it gives at a time
      }
    }
    return done == 0 ? -1 : done;
  }

  private int some(byte[] into, int offset, int length) throws IOException {
    if (rest != null) {
      return rest.read(into, offset, length);
    }
    while (left == 0) {
      segment++;
      if (segment >= lengths.length) {
        rest = unwrap.rest(in);
        return rest.read(into, offset, length);
      }
      left = lengths[segment];
    }
    int rowSize = rowSizes[segment];
    if (rowSize == 0) {
      return copy(into, offset, (int) Math.min(length, left));
    }
    if (rowLeft == 0) {
      ByteBuffer.wrap(prefix).putInt(rowSize);
      prefixAt = 0;
      rowLeft = rowSize;
    }
    if (prefixAt < prefix.length) {
      int some = Math.min(length, prefix.length - prefixAt);
      System.arraycopy(prefix, prefixAt, into, offset, some);
      prefixAt += some;
      return some;
    }
    int some = copy(into, offset, Math.min(length, rowLeft));
    rowLeft -= some;
    return some;
  }

  private int copy(byte[] into, int offset, int length) throws IOException {
    int some = in.read(into, offset, length);
    if (some < 0) {
      throw new IOException("A block of a shuffle in pages ends " + left + " bytes early");
    }
    left -= some;
    return some;
  }

  @Override
  public void close() throws IOException {
    if (rest != null) {
      rest.close();
    }
    in.close();
  }
}
