package numaspark.shuffle;

import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
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
   */
  record Source(int fields, List<Run.Segment> segments) {}

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
      size = Memory.bigEndian(Platform.getInt(null, at));
      at += Integer.BYTES;
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
