package numaspark.trial;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Lets each task of an executor wait for a share of the mean run time of those that ended before
 * it. Waiting is not run time, so delays do not make later delays longer.
 *
 * <p>Limit: the first tasks do not wait, because nothing is known then, and no task waits longer
 * than {@link #MOST_NANOS}.
 */
final class Delay {
  /** A task that is killed at the wait should not look like one that hangs. */
  static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** A killed task is not woken by anybody, so waiting tasks look by themselves this often. */
  static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final int percent;
  private final LongSupplier clock;
  private final LongConsumer pause;
  private final MeanRunTime mean = new MeanRunTime();
  private final AtomicLong waitedNanos = new AtomicLong();
  private final AtomicLong delayedTasks = new AtomicLong();

  /** When the wait of the thread's task was over. */
  private final ThreadLocal<Long> began = new ThreadLocal<>();

  Delay(int percent) {
    // Unlike sleep, it waits for less than a millisecond, and leaves an interrupt to the task.
    this(percent, System::nanoTime, LockSupport::parkNanos);
  }

  /**
   * @param clock nanoseconds
   * @param pause waits for at most these nanoseconds, and not at all on an interrupted thread
   */
  Delay(int percent, LongSupplier clock, LongConsumer pause) {
    this.percent = percent;
    this.clock = clock;
    this.pause = pause;
  }

  /**
   * On the thread of the task, before its own code.
   *
   * @param killed watched while waiting
   */
  void taskStarts(BooleanSupplier killed) {
    long nanos = Math.min(MOST_NANOS, mean.nanos() * percent / 100);
    if (nanos > 0) {
      await(nanos, killed);
    }
    began.set(clock.getAsLong());
  }

  private void await(long nanos, BooleanSupplier killed) {
    long arrived = clock.getAsLong();
    long waited = 0;
    while (waited < nanos && !killed.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
      pause.accept(Math.min(LOOK_NANOS, nanos - waited));
      waited = clock.getAsLong() - arrived;
    }
    if (waited > 0) {
      waitedNanos.addAndGet(waited);
      delayedTasks.incrementAndGet();
    }
  }

  /** On the same thread, after the task's own code. */
  void taskEnds(boolean succeeded) {
    Long start = began.get();
    began.remove();
    if (succeeded && start != null) {
      mean.add(clock.getAsLong() - start);
    }
  }

  /** How long tasks have waited so far, in total. */
  long waitedNanos() {
    return waitedNanos.get();
  }

  /** How many tasks have waited so far. */
  long delayedTasks() {
    return delayedTasks.get();
  }
}
