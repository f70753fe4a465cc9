package numaspark.shuffle;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
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

  /** The header of a block. */
  static byte[] header(List<Run.Segment> segments) {
    ByteBuffer header =
        ByteBuffer.allocate(2 * Integer.BYTES + segments.size() * (Integer.BYTES + Long.BYTES));
    header.putInt(MAGIC).putInt(segments.size());
    segments.forEach(segment -> header.putInt(segment.rowSize()).putLong(segment.length()));
    return header.array();
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
    if (segments < 0 || segments > Run.MOST) {
      throw damaged(segments + " segments");
    }
    // Not more at once than has come: a forged number would else take much memory.
    int[] sizes = new int[Math.min(segments, 1024)];
    long[] bytes = new long[sizes.length];
    for (int i = 0; i < segments; i++) {
      if (i == sizes.length) {
        sizes = Arrays.copyOf(sizes, Math.min(2 * i, segments));
        bytes = Arrays.copyOf(bytes, sizes.length);
      }
      sizes[i] = in.readInt();
      bytes[i] = in.readLong();
      if (!isSegment(sizes[i], bytes[i])) {
        throw damaged("a segment of " + bytes[i] + " bytes with rows of " + sizes[i]);
      }
    }
    rowSizes = sizes;
    lengths = bytes;
  }

  private static boolean isSegment(int rowSize, long length) {
    return length > 0
        && length <= Integer.MAX_VALUE
        && rowSize >= 0
        && (rowSize == 0 ? length >= Integer.BYTES : length % rowSize == 0);
  }

  private static IOException damaged(String what) {
    return new IOException("A block of a shuffle in pages is damaged: " + what);
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
    if (rowLeft == 0 && prefixAt == prefix.length) {
      while (left == 0) {
        segment++;
        if (segment >= lengths.length) {
          rest = unwrap.rest(in);
          return rest.read(into, offset, length);
        }
        left = lengths[segment];
      }
      startRow(rowSizes[segment]);
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

  /** The size before a row is checked, because Spark makes an array of so many bytes for it. */
  private void startRow(int rowSize) throws IOException {
    if (rowSize == 0) {
      rowLeft = in.readInt();
      left -= Integer.BYTES;
      if (rowLeft < 0 || rowLeft > left || (left > rowLeft && left - rowLeft < Integer.BYTES)) {
        throw damaged("a row of " + rowLeft + " bytes, where " + left + " are left");
      }
    } else {
      rowLeft = rowSize;
    }
    ByteBuffer.wrap(prefix).putInt(rowLeft);
    prefixAt = 0;
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
