package numaspark.shuffle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.BlockStoreShuffleReader;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Product2;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.immutable.Nil$;

/**
 * Reads one range of reduce partitions: rows in pages of this node by pointing at them, everything
 * else by Spark's own reader.
 *
 * <p>Also an output of this node goes to Spark's reader when part of it is on disk or when it is
 * missing; that reader turns a missing one into the failure after which Spark makes it anew. It
 * asks the executor that wrote the output, also one of the same host, because nobody else knows
 * which part is in pages and which on disk.
 */
final class PagesReader<K, C> implements ShuffleReader<K, C> {
  private static final Logger LOG = LoggerFactory.getLogger(PagesReader.class);

  private final PageStore store;
  private final PagesHandle<K, ?, C> handle;
  private final Iterator<
          Tuple2<BlockManagerId, scala.collection.Seq<Tuple3<BlockId, Object, Object>>>>
      blocks;
  private final TaskContext task;
  private final ShuffleReadMetricsReporter metrics;

  PagesReader(
      PageStore store,
      PagesHandle<K, ?, C> handle,
      Iterator<Tuple2<BlockManagerId, scala.collection.Seq<Tuple3<BlockId, Object, Object>>>>
          blocks,
      TaskContext task,
      ShuffleReadMetricsReporter metrics) {
    this.store = store;
    this.handle = handle;
    this.blocks = blocks;
    this.task = task;
    this.metrics = metrics;
  }

  @Override
  public Iterator<Product2<K, C>> read() {
    PageStore.Lease lease = store.lease(handle.shuffleId());
    task.addTaskCompletionListener((TaskContext done) -> lease.close());
    List<PageRows.Source> sources = new ArrayList<>();
    scala.collection.immutable.List<
            Tuple2<BlockManagerId, scala.collection.Seq<Tuple3<BlockId, Object, Object>>>>
        elsewhere = nil();
    while (blocks.hasNext()) {
      var ofExecutor = blocks.next();
      String executor = ofExecutor._1().executorId();
      ShuffleFolder folder = store.reads(executor) ? lease.folder(executor) : null;
      scala.collection.immutable.List<Tuple3<BlockId, Object, Object>> fetched = nil();
      Iterator<Tuple3<BlockId, Object, Object>> each = ofExecutor._2().iterator();
      while (each.hasNext()) {
        var block = each.next();
        PageRows.Source source = folder == null ? null : source(folder, ofExecutor._1(), block);
        if (source == null) {
          fetched = fetched.$colon$colon(block);
        } else {
          sources.add(source);
        }
      }
      if (!fetched.isEmpty()) {
        elsewhere = elsewhere.$colon$colon(new Tuple2<>(ofExecutor._1(), fetched));
      }
    }
    // Asked for first, so that it is on its way while pages are read.
    Iterator<Product2<K, C>> fromElsewhere =
        elsewhere.isEmpty() ? null : fetch(elsewhere.iterator());
    PageRows<K, C> rows = new PageRows<>(sources, fromElsewhere, task, metrics);
    task.addTaskCompletionListener(
        (TaskContext done) -> {
          rows.countRest();
          // Spark's reader does this, too: else the numbers stay in the reporter.
          done.taskMetrics().mergeShuffleReadMetrics();
        });
    return rows;
  }

  private static <T> scala.collection.immutable.List<T> nil() {
    @SuppressWarnings("unchecked")
    scala.collection.immutable.List<T> empty =
        (scala.collection.immutable.List<T>) (Object) Nil$.MODULE$;
    return empty;
  }

  private static PageRows.Source source(
      ShuffleFolder folder, BlockManagerId executor, Tuple3<BlockId, Object, Object> block) {
    if (!(block._1() instanceof ShuffleBlockId id)) {
      return null;
    }
    try {
      MapOutput output = folder.find(id.mapId());
      return output == null || output.overflow()
          ? null
          : new PageRows.Source(
              output.fields(),
              folder.segments(output, id.reduceId()),
              new PageRows.Origin(executor, id, (Integer) block._3()));
    } catch (IOException e) {
      LOG.warn(
          "{} is fetched from its executor, because its pages cannot be read here: {}",
          id,
          e.toString());
      return null;
    }
  }

  private Iterator<Product2<K, C>> fetch(
      Iterator<Tuple2<BlockManagerId, scala.collection.Seq<Tuple3<BlockId, Object, Object>>>>
          elsewhere) {
    SparkEnv env = SparkEnv.get();
    BlockManager blockManager = SparkLine.withoutHostLocalReads(env.blockManager());
    return new BlockStoreShuffleReader<K, C>(
            handle,
            elsewhere,
            task,
            metrics,
            new PageStreams(env),
            blockManager,
            env.mapOutputTracker(),
            false)
        .read();
  }
}
