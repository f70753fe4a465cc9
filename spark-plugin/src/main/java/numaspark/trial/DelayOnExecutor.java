package numaspark.trial;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import numaspark.feature.DaemonThread;
import numaspark.feature.ExecutorFeature;
import numaspark.feature.PluginSettings;
import org.apache.spark.TaskContext;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delays the tasks of an executor, and tells the driver for how long.
 *
 * <p>Limit: what tasks waited in an executor's last second is not told.
 */
public final class DelayOnExecutor implements ExecutorFeature {
  private static final Logger LOG = LoggerFactory.getLogger(DelayOnExecutor.class);
  private static final long TELL_SECONDS = 1;

  private final PluginContext context;
  private final Delay delay;
  private final ScheduledExecutorService thread = DaemonThread.scheduled("numaspark-trial-delay");
  private long tasksTold;

  private DelayOnExecutor(PluginContext context, Delay delay) {
    this.context = context;
    this.delay = delay;
    thread.scheduleWithFixedDelay(this::tell, TELL_SECONDS, TELL_SECONDS, TimeUnit.SECONDS);
  }

  /** The part, when its property asks for it. */
  public static Optional<ExecutorFeature> of(PluginContext context, PluginSettings settings) {
    TrialSettings read = TrialSettings.of(settings);
    return read.delays()
        ? Optional.of(new DelayOnExecutor(context, new Delay(read.delayPercent())))
        : Optional.empty();
  }

  @Override
  public void taskStarts(TaskContext task) {
    delay.taskStarts(task::isInterrupted);
  }

  @Override
  public void taskEnds(TaskContext task, boolean succeeded) {
    delay.taskEnds(succeeded);
  }

  private void tell() {
    long tasks = delay.delayedTasks();
    if (tasks == tasksTold) {
      return;
    }
    try {
      context.send(new DelayTime(context.executorID(), delay.waitedNanos() / 1_000_000, tasks));
      tasksTold = tasks;
    } catch (IOException | RuntimeException e) {
      LOG.debug("The driver was not reached; it is tried again", e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
