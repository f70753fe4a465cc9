package numaspark.adaptive;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.filter.AbstractFilter;

/**
 * Keeps the line "Ignoring update with state FINISHED for TID -1 …" out of the log, which Spark's
 * scheduler writes for each of {@link SchedulerSlots}' messages, and only that line. Where the log
 * is not made by log4j-core, or is configured anew at run time, the lines appear; they are
 * harmless.
 */
final class QuietUpdates extends AbstractFilter {
  /** Spark counts tasks from 0. */
  static final long NO_TASK = -1L;

  private static final String SCHEDULER = "org.apache.spark.scheduler.TaskSchedulerImpl";
  private static final String LINE =
      "Ignoring update with state FINISHED for TID " + NO_TASK + " because";

  private QuietUpdates() {
    super(Result.DENY, Result.NEUTRAL);
  }

  static void install() {
    try {
      if (LogManager.getLogger(SCHEDULER) instanceof Logger logger) {
        logger.addFilter(new QuietUpdates());
      }
    } catch (LinkageError e) {
      // another logging implementation
    }
  }

  @Override
  public Result filter(LogEvent event) {
    return event.getMessage().getFormattedMessage().startsWith(LINE) ? onMatch : onMismatch;
  }
}
