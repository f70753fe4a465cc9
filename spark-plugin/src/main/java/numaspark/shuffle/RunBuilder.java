package numaspark.shuffle;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Collects rows as they come and lays them out as one {@link Run} by a counting sort on the
 * partition.
 *
 * <p>Both buffers are small enough to stay near the core: a row is copied twice in cache and once
 * to memory. One task at a time.
 */
final class RunBuilder {
  private static final int SIZE_PREFIX = Integer.BYTES;

  /**
   * Rows longer than this are copied by the runtime's own routine, shorter ones word by word
   * without a call.
   */
  private static final int LONG_ROW = 256;

  /** For rows of so many bytes there is an array at once; shorter ones make it grow. */
  private static final int USUAL_ROW = 64;

  /** Of the heap, that a task keeps of a row beside its bytes. */
  private static final int HEAP_A_ROW = 2 * Integer.BYTES;

  /** The heap of the task that uses the builder. */
  interface Heap {
    boolean take(long bytes);
  }

  private final int partitions;
  private final int capacity;
  private final RunMemory memory;
  private final int[] bytesOf;
  private final int[] cursor;

  private Heap heap = bytes -> false;
  private ByteBuffer rows;
  private ByteBuffer run;
  private int[] partitionOf;
  private int[] sizeOf;

  private int count;
  private int used;
  private int fields;

  /**
   * Size of all rows so far; 0 once two rows differed, for the rest of the task. -1: no row yet.
   */
  private int commonSize = -1;

  /**
   * @param capacity bytes of rows in one run
   * @param memory that the buffers are of; has them reserved already
   */
  RunBuilder(int partitions, int capacity, RunMemory memory) {
    this.partitions = partitions;
    this.capacity = capacity;
    this.memory = memory;
    this.bytesOf = new int[partitions];
    this.cursor = new int[partitions];
    usualArrays();
    allocate(capacity, capacityOfRun(partitions, capacity));
  }

  private int usualRows() {
    return Math.max(1, capacity / USUAL_ROW);
  }

  private void usualArrays() {
    partitionOf = new int[usualRows()];
    sizeOf = new int[usualRows()];
  }

  private static int capacityOfRun(int partitions, int rowBytes) {
    // A row with columns has at least 8 bytes, so size prefixes add at most a half.
    return Run.headerBytes(partitions) + rowBytes + rowBytes / 2 + 8;
  }

  /** Bytes outside of the heap that both buffers take for a capacity. */
  static long footprint(int partitions, int capacity) {
    return (long) capacity + capacityOfRun(partitions, capacity);
  }

  /**
   * @throws OutOfMemoryError when the JVM gives no more direct memory; nothing is held then
   */
  private void allocate(int rowBytes, int runBytes) {
    ByteBuffer first = ByteBuffer.allocateDirect(rowBytes);
    try {
      run = ByteBuffer.allocateDirect(runBytes).order(ByteOrder.nativeOrder());
      rows = first.order(ByteOrder.nativeOrder());
    } catch (OutOfMemoryError e) {
      Memory.free(first);
      throw e;
    }
  }

  boolean fits(int partitions, int capacity) {
    return partitions == this.partitions && capacity == this.capacity;
  }

  /** Whether its buffers are not those that it began with; it may have none at all. */
  boolean hasGrown() {
    return rows == null || rows.capacity() != capacity;
  }

  long directBytes() {
    return rows == null ? 0 : (long) rows.capacity() + run.capacity();
  }

  /**
   * Begins a task.
   *
   * @return false when the heap has no room for what is kept of the rows
   */
  boolean begin(Heap heap) {
    this.heap = heap;
    return heap.take((long) HEAP_A_ROW * (usualRows() + partitions));
  }

  boolean isEmpty() {
    return count == 0;
  }

  int fields() {
    return fields;
  }

  /**
   * Copies a row.
   *
   * @return false, with nothing copied, when the run has to be taken first; where there is none to
   *     take, the row is longer than there is memory for
   */
  boolean add(int partition, UnsafeRow row) {
    int size = row.getSizeInBytes();
    if (size > rows.capacity() - used || !roomForPrefixes(size)) {
      if (count > 0 || !grow(size)) {
        return false;
      }
    }
    if (count == partitionOf.length && !growArrays()) {
      return false;
    }
    if (commonSize != size && commonSize != 0) {
      if (commonSize > 0 && count > 0) {
        // What is here has one size; rows of different sizes begin with the next run.
        return false;
      }
      commonSize = commonSize < 0 ? size : 0;
    }
    copy(row.getBaseObject(), row.getBaseOffset(), Memory.address(rows) + used, size);
    partitionOf[count] = partition;
    sizeOf[count] = size;
    bytesOf[partition] += commonSize > 0 ? size : size + SIZE_PREFIX;
    fields = row.numFields();
    used += size;
    count++;
    return true;
  }

  /** Rows without columns have no bytes, so their prefixes alone can fill a run. */
  private boolean roomForPrefixes(int size) {
    long most = used + size + (long) SIZE_PREFIX * (count + 1);
    return most <= run.capacity() - Run.headerBytes(partitions);
  }

  private boolean growArrays() {
    if (!heap.take((long) HEAP_A_ROW * count)) {
      return false;
    }
    partitionOf = Arrays.copyOf(partitionOf, 2 * count);
    sizeOf = Arrays.copyOf(sizeOf, 2 * count);
    return true;
  }

  /** Makes room for one long row. */
  private boolean grow(int rowSize) {
    long rowBytes = Math.max(rowSize, rows.capacity());
    long runBytes =
        Math.max((long) capacityOfRun(partitions, 0) + rowSize + SIZE_PREFIX, run.capacity());
    long before = directBytes();
    if (runBytes > Integer.MAX_VALUE || !memory.reserve(rowBytes + runBytes - before)) {
      return false;
    }
    Memory.free(rows);
    Memory.free(run);
    rows = null;
    try {
      allocate((int) rowBytes, (int) runBytes);
      return true;
    } catch (OutOfMemoryError e) {
      memory.release(rowBytes + runBytes); // the task goes on without pages
      return false;
    }
  }

  private static void copy(Object from, long offset, long to, int size) {
    if (size > LONG_ROW) {
      Platform.copyMemory(from, offset, null, to, size);
      return;
    }
    for (int i = 0; i < size; i += 8) { // the size of an UnsafeRow is a multiple of 8
      Platform.putLong(null, to + i, Platform.getLong(from, offset + i));
    }
  }

  /**
   * The rows so far as a run, ready to be written; the buffer is good until the next {@link #add}.
   */
  ByteBuffer layOut() {
    long header = Memory.address(run);
    int at = 0;
    int position = 0;
    Platform.putInt(null, header, Math.max(commonSize, 0));
    Platform.putInt(null, header + 4, partitions);
    for (int p = 0; p < partitions; p++) {
      Platform.putInt(null, header + 8 + 4L * p, position);
      cursor[p] = position;
      position += bytesOf[p];
    }
    Platform.putInt(null, header + 8 + 4L * partitions, position);
    long data = header + Run.headerBytes(partitions);
    long source = Memory.address(rows);
    if (commonSize > 0 && partitions == 1) {
      Platform.copyMemory(null, source, null, data, used);
    } else {
      for (int i = 0; i < count; i++) {
        int size = sizeOf[i];
        long to = data + cursor[partitionOf[i]];
        if (commonSize > 0) {
          cursor[partitionOf[i]] += size;
        } else {
          Platform.putInt(null, to, Memory.bigEndian(size));
          to += SIZE_PREFIX;
          cursor[partitionOf[i]] += size + SIZE_PREFIX;
        }
        copy(null, source + at, to, size);
        at += size;
      }
    }
    run.clear().limit(Run.headerBytes(partitions) + position);
    return run;
  }

  /**
   * Adds the bytes that each partition has in the run.
   *
   * @return their sum
   */
  long addLengths(long[] lengths) {
    long sum = 0;
    for (int p = 0; p < partitions; p++) {
      lengths[p] += bytesOf[p];
      sum += bytesOf[p];
    }
    return sum;
  }

  /**
   * Points a row at the i-th one that was added since the last {@link #clear}, and tells its
   * partition.
   */
  int rowAt(int i, long offset, UnsafeRow row) {
    row.pointTo(null, Memory.address(rows) + offset, sizeOf[i]);
    return partitionOf[i];
  }

  int count() {
    return count;
  }

  /** Bytes of the rows, without sizes. */
  long bytes() {
    return used;
  }

  /** Forgets the rows; whether rows have one size stays known. */
  void clear() {
    Arrays.fill(bytesOf, 0);
    count = 0;
    used = 0;
  }

  /** Gives the memory back; nothing else may be called then. */
  void free() {
    if (rows != null) {
      Memory.free(rows);
      Memory.free(run);
      rows = null;
    }
  }

  /** For the next task: rows may have one size again. */
  void reset() {
    clear();
    heap = bytes -> false;
    if (partitionOf.length > usualRows()) {
      usualArrays(); // more was the task's heap
    }
    commonSize = -1;
    fields = 0;
  }
}
