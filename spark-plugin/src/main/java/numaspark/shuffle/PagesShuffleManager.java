package numaspark.shuffle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import numaspark.feature.PluginSettings;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spark SQL's shuffles through memory pages that all executors of an application on one node share:
 * {@code spark.shuffle.manager=numaspark.shuffle.PagesShuffleManager}. docs/shuffle.md tells how.
 *
 * <p>It is Spark's own manager with another way for rows of Spark SQL, so that everything else
 * works as ever. Extending that class is also what lets one jar run in Spark 3.5 to 4.3, whose
 * interfaces of a shuffle manager differ.
 */
public final class PagesShuffleManager extends SortShuffleManager {
  private static final Logger LOG = LoggerFactory.getLogger(PagesShuffleManager.class);

  private final SparkConf conf;
  private final Eligibility eligibility;
  private final Thread deletion = new Thread(this::closeStore, "numaspark-delete-pages");
  private volatile PageStore store;
  private volatile PagesBlockResolver resolver;

  /**
   * Spark calls this constructor by reflection.
   *
   * @throws IllegalArgumentException when a property of numaspark has a wrong value
   */
  public PagesShuffleManager(SparkConf conf) {
    super(conf);
    this.conf = conf;
    PluginSettings settings = new PluginSettings(conf);
    int mostPartitions = settings.whole("shuffle.pages.maxPartitions", 4096, 1, 1 << 20);
    settings.flag(
        "shuffle.pages.share",
        true); // a wrong value is told by the driver, before there are executors
    this.eligibility = new Eligibility(conf, mostPartitions);
  }

  /** Whether the properties name this manager. */
  static boolean isChosen(SparkConf conf) {
    return conf.get("spark.shuffle.manager", "sort").equals(PagesShuffleManager.class.getName());
  }

  /** What this process has in pages; empty before its first task. */
  Optional<PagesUse> use(String executor) {
    return Optional.ofNullable(store).map(pages -> pages.use(executor));
  }

  @Override
  public <K, V, C> ShuffleHandle registerShuffle(
      int shuffleId, ShuffleDependency<K, V, C> dependency) {
    ShuffleHandle sort = super.registerShuffle(shuffleId, dependency);
    Optional<String> objection = eligibility.objection(dependency);
    if (objection.isPresent()) {
      LOG.info("Shuffle {} is not in pages: {}", shuffleId, objection.get());
      return sort;
    }
    return new PagesHandle<>(shuffleId, dependency, sort);
  }

  @Override
  public <K, V> ShuffleWriter<K, V> getWriter(
      ShuffleHandle handle, long mapId, TaskContext task, ShuffleWriteMetricsReporter metrics) {
    if (!(handle instanceof PagesHandle<?, ?, ?> some)) {
      return super.getWriter(handle, mapId, task, metrics);
    }
    @SuppressWarnings("unchecked")
    PagesHandle<K, V, ?> pages = (PagesHandle<K, V, ?>) some;
    return new PagesWriter<>(
        store(),
        pages,
        mapId,
        new PagesWriter.WriteContext(task, metrics),
        new PagesWriter.Overflow<>() {
          @Override
          public ShuffleWriter<K, V> open() {
            return PagesShuffleManager.super.getWriter(pages.sort(), mapId, task, metrics);
          }

          @Override
          public void delete() {
            shuffleBlockResolver().removeDataByMap(pages.shuffleId(), mapId);
          }
        });
  }

  @Override
  public <K, C> ShuffleReader<K, C> getReader(
      ShuffleHandle handle,
      int startMapIndex,
      int endMapIndex,
      int startPartition,
      int endPartition,
      TaskContext task,
      ShuffleReadMetricsReporter metrics) {
    if (!(handle instanceof PagesHandle<?, ?, ?> some)) {
      return super.getReader(
          handle, startMapIndex, endMapIndex, startPartition, endPartition, task, metrics);
    }
    @SuppressWarnings("unchecked")
    PagesHandle<K, ?, C> pages = (PagesHandle<K, ?, C>) some;
    var blocks =
        SparkEnv.get()
            .mapOutputTracker()
            .getMapSizesByExecutorId(
                pages.shuffleId(), startMapIndex, endMapIndex, startPartition, endPartition);
    return new PagesReader<>(store(), pages, blocks, task, metrics);
  }

  @Override
  public boolean unregisterShuffle(int shuffleId) {
    PageStore pages = store;
    if (pages != null) {
      pages.remove(shuffleId);
    }
    return super.unregisterShuffle(shuffleId);
  }

  @Override
  public IndexShuffleBlockResolver shuffleBlockResolver() {
    // Spark's constructor may ask before ours has run.
    PagesBlockResolver made = resolver;
    if (made == null) {
      made = PagesBlockResolver.of(super.shuffleBlockResolver(), () -> store);
      resolver = made;
    }
    return made;
  }

  @Override
  public void stop() {
    try {
      Runtime.getRuntime().removeShutdownHook(deletion);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook runs.
    }
    closeStore();
    super.stop();
  }

  /** Made by the first task: the driver of a cluster has none. */
  private PageStore store() {
    PageStore made = store;
    if (made == null) {
      synchronized (this) {
        if (store == null) {
          store = open();
          Runtime.getRuntime().addShutdownHook(deletion);
        }
        made = store;
      }
    }
    return made;
  }

  private PageStore open() {
    SparkEnv env = SparkEnv.get();
    String user = System.getProperty("user.name");
    PluginSettings settings = new PluginSettings(conf);
    Path root = Path.of(settings.text("shuffle.pages.dir", "/dev/shm/numaspark-" + user));
    boolean shares = settings.flag("shuffle.pages.share", true);
    try {
      NodeFolder node = NodeFolder.make(root, conf.get("spark.app.id"), env.executorId());
      PageBudget budget = PageBudget.of(conf, env.memoryManager());
      LOG.info(
          "Up to {} MiB of shuffled rows stay in pages in {}", budget.most() >> 20, node.own());
      return new PageStore(
          Optional.of(node), env.executorId(), budget, RunMemory.of(conf, budget), shares);
    } catch (IOException e) {
      LOG.warn(
          "Shuffles of this executor go to disk, because {}dir={} cannot be used: {}",
          PluginSettings.PREFIX + "shuffle.pages.",
          root,
          e.toString());
      PageBudget none = PageBudget.none(env.memoryManager());
      return new PageStore(
          Optional.empty(), env.executorId(), none, RunMemory.of(conf, none), shares);
    }
  }

  private synchronized void closeStore() {
    if (store != null) {
      store.close();
    }
  }
}
