package numaspark.shuffle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import scala.collection.Iterator;

/**
 * Writes the rows of one map task as runs of pages.
 *
 * <p>When budget or file system has no room for the next run, that run and all further rows go to
 * Spark's own sort shuffle writer; what is in pages stays there.
 */
final class PagesWriter<K, V> extends ShuffleWriter<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(PagesWriter.class);

  /** Spark's own shuffle, for rows that find no memory. */
  interface Overflow<K, V> {
    ShuffleWriter<K, V> open();

    /** Deletes what a writer has left, where Spark does not do it any more. */
    void delete();
  }

  private final PageStore store;
  private final PagesHandle<K, V, ?> handle;
  private final long mapId;
  private final TaskContext task;
  private final ShuffleWriteMetricsReporter metrics;
  private final Overflow<K, V> overflow;
  private final HeapUse heap;
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
    this.heap = new HeapUse(context.task().taskMemoryManager());
  }

  /** The part of a file that is this task's. */
  private record Piece(PageFile file, long start) {}

  record WriteContext(TaskContext task, ShuffleWriteMetricsReporter metrics) {}

  /** Accounts what a builder keeps in the heap as the task's execution memory. */
  private static final class HeapUse extends MemoryConsumer implements RunBuilder.Heap {
    HeapUse(TaskMemoryManager memory) {
      super(memory, MemoryMode.ON_HEAP);
    }

    @Override
    public boolean take(long bytes) {
      long got = acquireMemory(bytes);
      if (got < bytes) {
        freeMemory(got);
      }
      return got == bytes;
    }

    void giveBack() {
      freeMemory(getUsed());
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) {
      return 0; // too small to be worth it
    }
  }

  @Override
  public void write(Iterator<Product2<K, V>> rows) throws IOException {
    shuffle = store.toWrite(handle.shuffleId());
    Optional<RunBuilder> builder =
        shuffle.isUsable() ? store.runs().take(lengths.length) : Optional.empty();
    if (builder.isEmpty()) {
      overflowWith(rows);
      return;
    }
    try {
      write(rows, builder.get());
      fields = Math.max(fields, builder.get().fields());
    } finally {
      store.runs().giveBack(builder.get());
      heap.giveBack();
    }
  }

  private void write(Iterator<Product2<K, V>> rows, RunBuilder builder) throws IOException {
    if (!builder.begin(heap)) {
      overflowWith(rows);
      return;
    }
    long records = 0;
    long bytes = 0;
    while (rows.hasNext()) {
      Product2<K, V> next = rows.next();
      int partition = partitioner.getPartition(next._1());
      UnsafeRow row = (UnsafeRow) next._2();
      while (!builder.add(partition, row)) {
        // Without a row in it, the builder has no memory for one that is so long.
        if (builder.isEmpty() || !flush(builder)) {
          count(records - builder.count(), bytes - builder.bytes());
          overflowWith(new RemainingRows<>(builder, next, rows));
          return;
        }
      }
      bytes += row.getSizeInBytes();
      records++;
    }
    if (!builder.isEmpty() && !flush(builder)) {
      count(records - builder.count(), bytes - builder.bytes());
      overflowWith(new RemainingRows<>(builder, null, rows));
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
    if (shuffle.isRemoved()) {
      throw removed();
    }
    ByteBuffer bytes = builder.layOut();
    long length = (bytes.remaining() + 7L) & ~7L;
    if (runs.size() == Run.MOST || !store.takePages(length)) {
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

  /** Nobody asks for the output any more, or Spark starts the task again, which then succeeds. */
  private IOException removed() {
    return new IOException(
        "shuffle " + handle.shuffleId() + " was removed while a map task wrote it");
  }

  private void commit() throws IOException {
    MapOutput output = new MapOutput(mapId, fields, sort != null, List.copyOf(runs));
    if (!shuffle.commit(output, taken)) {
      if (sort != null) {
        overflow.delete();
      }
      throw removed();
    }
    taken = 0;
    store.count(output);
    List<Piece> written = List.copyOf(pieces);
    pieces.clear(); // readers have them now; nothing takes them back
    for (Piece piece : written) {
      shuffle.giveBack(piece.file());
    }
  }

  private void abort() {
    try {
      if (sort != null) {
        sort.stop(false);
      }
    } finally {
      takeBack();
    }
  }

  private void takeBack() {
    store.budget().giveBack(taken);
    taken = 0;
    // A killed task's thread is interrupted, and no channel works in such a thread.
    boolean interrupted = Thread.interrupted();
    try {
      for (Piece piece : pieces) {
        shuffle.takeBack(piece.file(), piece.start());
      }
      pieces.clear();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public long[] getPartitionLengths() {
    return lengths;
  }
}
