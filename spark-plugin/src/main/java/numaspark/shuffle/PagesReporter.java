package numaspark.shuffle;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import numaspark.feature.DaemonThread;
import numaspark.feature.ExecutorFeature;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the driver what this executor has in pages, every few seconds when that has changed. */
public final class PagesReporter implements ExecutorFeature {
  private static final Logger LOG = LoggerFactory.getLogger(PagesReporter.class);
  private static final long SECONDS = 5;

  private final PluginContext context;
  private final ScheduledExecutorService thread = DaemonThread.scheduled("numaspark-pages-use");
  private PagesUse told;

  private PagesReporter(PluginContext context) {
    this.context = context;
    thread.scheduleWithFixedDelay(this::tell, SECONDS, SECONDS, TimeUnit.SECONDS);
  }

  /** The part, where shuffles may be in pages. */
  public static Optional<ExecutorFeature> of(PluginContext context) {
    return PagesShuffleManager.isChosen(context.conf())
        ? Optional.of(new PagesReporter(context))
        : Optional.empty();
  }

  private void tell() {
    // Some lines of Spark make the shuffle manager after the plugins.
    if (!(SparkEnv.get().shuffleManager() instanceof PagesShuffleManager manager)) {
      return;
    }
    Optional<PagesUse> use = manager.use(context.executorID());
    if (use.isEmpty() || use.get().equals(told)) {
      return;
    }
    try {
      context.send(use.get());
      told = use.get();
    } catch (IOException | RuntimeException e) {
      LOG.debug("The driver was not reached; it is tried again", e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
