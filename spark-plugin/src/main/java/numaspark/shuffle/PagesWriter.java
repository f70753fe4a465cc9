package numaspark.shuffle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.InterruptibleIterator;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.Product2;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Writes the rows of one map task as runs of pages.
 *
 * <p>When budget or file system has no room for the next run, that run and all further rows go to
 * Spark's own sort shuffle writer; what is in pages stays there.
 */
final class PagesWriter<K, V> extends ShuffleWriter<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(PagesWriter.class);

  /** Makes the writer for rows that find no memory. */
  interface Overflow<K, V> {
    ShuffleWriter<K, V> open();
  }

  private final PageStore store;
  private final PagesHandle<K, V, ?> handle;
  private final long mapId;
  private final TaskContext task;
  private final ShuffleWriteMetricsReporter metrics;
  private final Overflow<K, V> overflow;
  private final Buffers buffers;
  private final Partitioner partitioner;
  private final SparkLine.Checksums checksums;
  private final SQLMetric dataSize;
  private final long[] lengths;
  private final List<Run> runs = new ArrayList<>();

  private OwnShuffle shuffle;

  /** The last one is being written; earlier ones were full. */
  private final List<Piece> pieces = new ArrayList<>();

  private long taken;
  private int fields;
  private ShuffleWriter<K, V> sort;

  PagesWriter(
      PageStore store,
      PagesHandle<K, V, ?> handle,
      long mapId,
      WriteContext context,
      Overflow<K, V> overflow) {
    this.store = store;
    this.handle = handle;
    this.mapId = mapId;
    this.task = context.task();
    this.metrics = context.metrics();
    this.overflow = overflow;
    this.partitioner = handle.dependency().partitioner();
    this.checksums = SparkLine.checksums(handle.dependency());
    this.dataSize = SparkLine.dataSize(handle.dependency().serializer());
    this.lengths = new long[partitioner.numPartitions()];
    this.buffers = new Buffers(context.task().taskMemoryManager());
  }

  /** The part of a file that is this task's. */
  private record Piece(PageFile file, long start) {}

  record WriteContext(TaskContext task, ShuffleWriteMetricsReporter metrics) {}

  /** Accounts the two buffers of a task as its execution memory. */
  private static final class Buffers extends MemoryConsumer {
    private long held;

    Buffers(TaskMemoryManager memory) {
      super(memory, MemoryMode.ON_HEAP);
    }

    boolean take(long bytes) {
      held = acquireMemory(bytes);
      return held == bytes;
    }

    void giveBack() {
      freeMemory(held);
      held = 0;
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) {
      return 0; // too small to be worth it
    }
  }

  @Override
  public void write(Iterator<Product2<K, V>> rows) throws IOException {
    int capacity = RunSize.forPartitions(lengths.length);
    if (!buffers.take(RunBuilder.footprint(lengths.length, capacity))) {
      buffers.giveBack();
      overflowWith(rows);
      return;
    }
    RunBuilder builder = store.reuse(lengths.length, capacity);
    try {
      write(rows, builder);
      fields = Math.max(fields, builder.fields());
    } finally {
      store.giveBack(builder);
      buffers.giveBack();
    }
  }

  private void write(Iterator<Product2<K, V>> rows, RunBuilder builder) throws IOException {
    long records = 0;
    long bytes = 0;
    while (rows.hasNext()) {
      Product2<K, V> next = rows.next();
      int partition = partitioner.getPartition(next._1());
      UnsafeRow row = (UnsafeRow) next._2();
      while (!builder.add(partition, row)) {
        if (!flush(builder)) {
          count(records - builder.count(), bytes - builder.bytes());
          overflowWith(new Remaining<>(builder, next, rows));
          return;
        }
      }
      bytes += row.getSizeInBytes();
      records++;
    }
    if (!builder.isEmpty() && !flush(builder)) {
      count(records - builder.count(), bytes - builder.bytes());
      overflowWith(new Remaining<>(builder, null, rows));
      return;
    }
    count(records, bytes);
  }

  private void count(long records, long bytes) {
    metrics.incRecordsWritten(records);
    if (dataSize != null) {
      dataSize.add(bytes);
    }
  }

  /**
   * Writes the builder's rows to pages.
   *
   * @return false when there is no room; the rows are then still in the builder
   */
  private boolean flush(RunBuilder builder) throws IOException {
    task.killTaskIfInterrupted();
    ByteBuffer bytes = builder.layOut();
    long length = (bytes.remaining() + 7) & ~7L;
    if (!store.budget().take(length)) {
      return false;
    }
    long before = System.nanoTime();
    try {
      runs.add(fileFor(length).append(bytes));
    } catch (ClosedByInterruptException e) {
      store.budget().giveBack(length);
      throw e; // the task is being killed
    } catch (IOException e) {
      store.budget().giveBack(length);
      LOG.warn("Shuffle {} continues on disk: {}", handle.shuffleId(), e.toString());
      return false;
    }
    taken += length;
    addToChecksums(builder);
    metrics.incBytesWritten(builder.addLengths(lengths));
    metrics.incWriteTime(System.nanoTime() - before);
    builder.clear();
    return true;
  }

  private PageFile fileFor(long length) throws IOException {
    PageFile last = pieces.isEmpty() ? null : pieces.get(pieces.size() - 1).file();
    if (last != null && last.hasRoomFor(length)) {
      return last;
    }
    shuffle = store.toWrite(handle.shuffleId());
    PageFile file = shuffle.take(length);
    pieces.add(new Piece(file, file.size()));
    return file;
  }

  /** Of the rows that are in pages now; Spark's writer adds those that it writes. */
  private void addToChecksums(RunBuilder builder) {
    if (!checksums.wanted()) {
      return;
    }
    UnsafeRow row = new UnsafeRow(builder.fields());
    long offset = 0;
    for (int i = 0; i < builder.count(); i++) {
      Integer partition = builder.rowAt(i, offset, row);
      checksums.update(partition, partition, row);
      offset += row.getSizeInBytes();
    }
  }

  private void overflowWith(Iterator<Product2<K, V>> rows) throws IOException {
    sort = overflow.open();
    // Spark's writer does not look whether the task was killed.
    sort.write(new InterruptibleIterator<>(task, rows));
  }

  /** Rows that are in the builder, then the one that did not fit, then the rest. */
  private static final class Remaining<K, V> extends AbstractIterator<Product2<K, V>> {
    private final RunBuilder builder;
    private final Iterator<Product2<K, V>> rest;
    private final UnsafeRow row;
    private Product2<K, V> between;
    private int at;
    private long offset;

    Remaining(RunBuilder builder, Product2<K, V> between, Iterator<Product2<K, V>> rest) {
      this.builder = builder;
      this.between = between;
      this.rest = rest;
      this.row = new UnsafeRow(builder.fields());
    }

    @Override
    public boolean hasNext() {
      return at < builder.count() || between != null || rest.hasNext();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Product2<K, V> next() {
      if (at < builder.count()) {
        Integer partition = builder.rowAt(at, offset, row);
        at++;
        offset += row.getSizeInBytes();
        return (Product2<K, V>) (Object) new Tuple2<>(partition, row);
      }
      if (between != null) {
        Product2<K, V> one = between;
        between = null;
        return one;
      }
      return rest.next();
    }
  }

  @Override
  public Option<MapStatus> stop(boolean success) {
    try {
      if (!success) {
        abort();
        return Option.empty();
      }
      if (sort != null) {
        sort.stop(true);
        long[] onDisk = sort.getPartitionLengths();
        for (int p = 0; p < lengths.length; p++) {
          lengths[p] += onDisk[p];
        }
      }
      commit();
      return Option.apply(
          SparkLine.mapStatus(
              SparkEnv.get().blockManager().shuffleServerId(), lengths, mapId, checksums.value()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void commit() throws IOException {
    OwnShuffle own = store.toWrite(handle.shuffleId());
    if (taken > 0 && !own.hold(taken)) {
      store.budget().giveBack(taken);
      throw new IOException("shuffle " + handle.shuffleId() + " was removed while it was written");
    }
    taken = 0;
    MapOutput output = new MapOutput(mapId, fields, sort != null, List.copyOf(runs));
    own.commit(output);
    store.count(output);
    returnFiles();
  }

  private void abort() throws IOException {
    try {
      if (sort != null) {
        sort.stop(false);
      }
    } finally {
      takeBack();
    }
  }

  private void takeBack() throws IOException {
    store.budget().giveBack(taken);
    taken = 0;
    // A killed task's thread is interrupted, and no channel works in such a thread.
    boolean interrupted = Thread.interrupted();
    try {
      for (Piece piece : pieces) {
        piece.file().truncate(piece.start());
      }
      returnFiles();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void returnFiles() throws IOException {
    for (Piece piece : pieces) {
      shuffle.giveBack(piece.file());
    }
    pieces.clear();
  }

  @Override
  public long[] getPartitionLengths() {
    return lengths;
  }
}
