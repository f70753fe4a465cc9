package numaspark.facts;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import numaspark.feature.ExecutorFeature;
import numaspark.feature.PluginSettings;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.storage.BlockManagerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends an executor's facts to the driver from a thread of its own, every now and then. What does
 * not work is logged once and never disturbs a task; when samples are dear, there are fewer.
 */
public final class FactsReporter implements ExecutorFeature {
  private static final Logger LOG = LoggerFactory.getLogger(FactsReporter.class);

  /** How long to rest for each CPU second spent: two kinds of work, 0.2 % of one CPU each. */
  private static final int REST = 500;

  /** Sends to the driver, as {@link PluginContext#send} does. */
  interface Sender {
    void send(Object message) throws IOException;
  }

  private final FactsSettings settings;
  private final FactsSampler sampler;
  private final Concurrency concurrency;
  private final Sender sender;
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Thread thread = new Thread(this::run, "numaspark-facts");
  private boolean failureTold;
  private boolean unreadTold;

  private FactsReporter(
      FactsSettings settings, FactsSampler sampler, Concurrency concurrency, Sender sender) {
    this.settings = settings;
    this.sampler = sampler;
    this.concurrency = concurrency;
    this.sender = sender;
    thread.setDaemon(true);
  }

  /** The part for this executor, at work already; it does nothing when it is switched off. */
  public static ExecutorFeature start(PluginContext context, PluginSettings properties) {
    FactsSettings settings = FactsSettings.of(properties);
    if (!settings.enabled()) {
      return new ExecutorFeature() {};
    }
    try {
      return start(
          settings, context.executorID(), host(context), Roots.ofThisMachine(), context::send);
    } catch (RuntimeException e) {
      // An executor must not be lost for its facts.
      LOG.warn("This executor reports no facts", e);
      return new ExecutorFeature() {};
    }
  }

  /**
   * As Spark names it. {@link PluginContext#hostname} fails in executors, which have no port; a
   * driver that runs tasks itself has that, but no block manager yet.
   */
  private static String host(PluginContext context) {
    BlockManagerId own = SparkEnv.get().blockManager().blockManagerId();
    return own == null ? context.hostname() : own.host();
  }

  static FactsReporter start(
      FactsSettings settings, String executorId, String host, Roots roots, Sender sender) {
    Jvm jvm = Jvm.ofThisProcess();
    Concurrency concurrency = new Concurrency(jvm::nanoTime);
    FactsSampler sampler = new FactsSampler(executorId, host, roots, jvm, concurrency);
    FactsReporter reporter = new FactsReporter(settings, sampler, concurrency, sender);
    reporter.thread.start();
    return reporter;
  }

  @Override
  public void taskStarts(TaskContext task) {
    concurrency.starts();
  }

  @Override
  public void taskEnds(TaskContext task, boolean succeeded) {
    concurrency.ends();
  }

  /** CPU time that its thread has taken so far, in nanoseconds; -1 when the JVM does not count. */
  long cpuNanos() {
    return threads.getThreadCpuTime(thread.getId());
  }

  private void run() {
    // The pages are of interest when there is a heap: not at the first sample, which says where.
    long pagesDue = System.nanoTime() + settings.interval().toNanos();
    // The first sample loads the classes of all others, and nothing that it costs comes again.
    boolean isFirst = true;
    try {
      while (true) {
        boolean withPages = System.nanoTime() - pagesDue >= 0;
        long cost = report(withPages);
        if (withPages) {
          pagesDue = System.nanoTime() + rest(cost, settings.pagesInterval());
        }
        long counted = withPages || isFirst ? 0 : cost;
        Thread.sleep(Duration.ofNanos(rest(counted, settings.interval())).toMillis());
        isFirst = false;
      }
    } catch (InterruptedException e) {
      // the executor ends
    }
  }

  private static long rest(long cost, Duration least) {
    return Math.max(least.toNanos(), cost * REST);
  }

  /** Nanoseconds of CPU time that it took. */
  private long report(boolean withPages) throws InterruptedException {
    long before = spent();
    try {
      ExecutorFacts facts = sampler.sample(withPages);
      if (!unreadTold && withPages && !facts.unread().isEmpty()) {
        unreadTold = true;
        LOG.info("Facts that are not known here: {}", String.join("; ", facts.unread()));
      }
      sender.send(facts);
    } catch (IOException | RuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      if (!failureTold) {
        failureTold = true;
        LOG.warn("Facts of this executor did not reach the driver; it is tried again", e);
      }
    }
    return spent() - before;
  }

  private long spent() {
    return threads.isCurrentThreadCpuTimeSupported()
        ? threads.getCurrentThreadCpuTime()
        : System.nanoTime();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
