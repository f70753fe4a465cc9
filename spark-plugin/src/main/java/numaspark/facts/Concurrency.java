package numaspark.facts;

import java.util.function.LongSupplier;
import numaspark.facts.ExecutorFacts.Tasks;

/** Counts tasks that run at once; safe for any thread, one short lock at each start and end. */
final class Concurrency {
  private final LongSupplier nanoTime;
  private int running;
  private int most;
  private long since;
  private long changed;
  private double taskNanos;

  Concurrency(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    since = nanoTime.getAsLong();
    changed = since;
  }

  synchronized void starts() {
    count();
    running++;
    most = Math.max(most, running);
  }

  synchronized void ends() {
    count();
    running = Math.max(0, running - 1);
  }

  /** Of the time since the call before. */
  synchronized Tasks interval() {
    count();
    double nanos = changed - since;
    Tasks tasks = new Tasks(nanos <= 0 ? running : taskNanos / nanos, most);
    since = changed;
    taskNanos = 0;
    most = running;
    return tasks;
  }

  private void count() {
    long now = nanoTime.getAsLong();
    taskNanos += (double) running * (now - changed);
    changed = now;
  }
}
