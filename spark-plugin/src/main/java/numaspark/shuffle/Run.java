package numaspark.shuffle;

import java.io.IOException;

/**
 * Rows of one map task, grouped by reduce partition, in one piece of a page file.
 *
 * <p>Its bytes: {@code int rowSize} (0: rows of different sizes, each after its size as a
 * big-endian int, which is the stream that Spark's UnsafeRowSerializer writes; else rows of this
 * many bytes one after another), {@code int partitions}, then {@code int} offsets, one a partition
 * and one for the end, counted from the first row, then padding to 8 bytes, then the rows. Ints of
 * the header are in the machine's byte order, because nobody but its own processes reads them.
 *
 * @param file number of the page file in its shuffle's folder
 * @param offset bytes from the start of the file, a multiple of 8
 * @param length bytes with header
 */
record Run(int file, long offset, long length) {
  /**
   * One output has no more runs than this, so that what a reader takes from a catalog is bounded.
   */
  static final int MOST = 1 << 18;

  /**
   * Rows of one partition: where they are mapped, and how to step through them.
   *
   * @param offset bytes from the start of the file
   */
  record Segment(int file, long offset, long length, long address, int rowSize) {}

  static int headerBytes(int partitions) {
    return (Integer.BYTES * (partitions + 3) + 7) & ~7;
  }

  /**
   * @throws IOException when no writer makes such a run
   */
  Run checked() throws IOException {
    if (file < 0
        || offset < 0
        || (offset & 7) != 0
        || length < headerBytes(0)
        || length > Integer.MAX_VALUE
        || offset > Integer.MAX_VALUE) {
      throw new IOException("There is no such run of pages: " + this);
    }
    return this;
  }

  long end() {
    return offset + length;
  }
}
