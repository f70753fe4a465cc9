package numaspark.shuffle;

import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.unsafe.Platform;
import scala.Product2;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Rows of mapped pages, one after another in one row object, as Spark's own deserializer gives
 * them; then the rows of another iterator.
 */
final class PageRows<K, C> extends AbstractIterator<Product2<K, C>> {
  /** Rows between two looks whether the task was killed, less one; a power of two less one. */
  private static final long LOOK = 1023;

  /**
   * One block.
   *
   * @param fields columns of its rows
   * @param origin whose map output it is
   */
  record Source(int fields, List<Run.Segment> segments, Origin origin) {}

  /** What Spark has to know of a block that must be made again. */
  record Origin(BlockManagerId executor, ShuffleBlockId block, int mapIndex) {

    /** Checked in Scala, where nobody declares it. */
    private <E extends Throwable> E damaged(String what) throws E {
      @SuppressWarnings("unchecked")
      E failure =
          (E)
              new FetchFailedException(
                  executor,
                  block.shuffleId(),
                  block.mapId(),
                  mapIndex,
                  block.reduceId(),
                  block + " is damaged: " + what,
                  null);
      throw failure;
    }
  }

  private final List<Source> sources;
  private final Iterator<Product2<K, C>> rest;
  private final TaskContext task;
  private final ShuffleReadMetricsReporter metrics;

  private int source;
  private int segment;
  private long at;
  private long end;
  private int rowSize;
  private UnsafeRow row;
  private Product2<K, C> pair;
  private long rows;

  /**
   * @param rest null when there are no others
   */
  PageRows(
      List<Source> sources,
      Iterator<Product2<K, C>> rest,
      TaskContext task,
      ShuffleReadMetricsReporter metrics) {
    this.sources = sources;
    this.rest = rest;
    this.task = task;
    this.metrics = metrics;
  }

  @Override
  public boolean hasNext() {
    return at < end || nextSegment() || (rest != null && rest.hasNext());
  }

  @Override
  public Product2<K, C> next() {
    if (at >= end && !nextSegment()) {
      if (rest == null) {
        throw new NoSuchElementException();
      }
      return rest.next();
    }
    if ((++rows & LOOK) == 0) {
      task.killTaskIfInterrupted();
    }
    int size = rowSize;
    if (size == 0) {
      // Rows of different sizes; one that does not fit would be read from memory of others.
      size = end - at < Integer.BYTES ? -1 : Memory.bigEndian(Platform.getInt(null, at));
      at += Integer.BYTES;
      if (size < 0 || size > end - at) {
        throw sources.get(source).origin().<RuntimeException>damaged("a row of " + size + " bytes");
      }
    }
    row.pointTo(null, at, size);
    at += size;
    return pair;
  }

  private boolean nextSegment() {
    while (source < sources.size()) {
      Source current = sources.get(source);
      if (segment < current.segments().size()) {
        point(current.segments().get(segment), current.fields());
        segment++;
        return true;
      }
      count(current);
      task.killTaskIfInterrupted();
      segment = 0;
      source++;
    }
    return false;
  }

  /** When the task ends before the last row was asked for. */
  void countRest() {
    metrics.incRecordsRead(rows);
    rows = 0;
  }

  private void count(Source read) {
    metrics.incLocalBlocksFetched(1);
    metrics.incLocalBytesRead(read.segments().stream().mapToLong(Run.Segment::length).sum());
    metrics.incRecordsRead(rows);
    rows = 0;
  }

  @SuppressWarnings("unchecked")
  private void point(Run.Segment segment, int fields) {
    at = segment.address();
    end = at + segment.length();
    rowSize = segment.rowSize();
    if (row == null) {
      row = new UnsafeRow(fields);
      // Nobody looks at the key: Spark's own deserializer gives the same one for every row, too.
      pair = (Product2<K, C>) (Object) new Tuple2<>(0, row);
    }
  }
}
