package numaspark.adaptive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Monitor: collects what the tasks of one stage do while one setting is in force. Knows no clock;
 * all times are nanoseconds that the caller read.
 */
final class Interval {
  private static final double SECOND = 1e9;

  /** From this many tasks on the fastest and the slowest are left out. */
  private static final int TRIMMED_FROM = 4;

  private final int threads;
  private final long leastNanos;
  private final Map<Long, Flow> running = new HashMap<>();
  private final List<Whole> ended = new ArrayList<>();
  private boolean filled;
  private boolean warm;
  private int flows;
  private long flowBytes;
  private long flowNanos;
  private long flowWait;
  private long busyNanos;
  private long busyWait;
  private int busyTasks;
  private long busyBytes;

  /**
   * Tasks that were let in under a wider setting run on; as long as they are too many, nothing that
   * is seen belongs to this one.
   */
  private boolean drained = true;

  private long begin = -1;
  private long latest;

  Interval(int threads, long leastNanos) {
    this.threads = threads;
    this.leastNanos = leastNanos;
  }

  /** One task that began and ended under the setting. */
  private record Whole(long bytes, long nanos, long waitNanos) {
    double nanosPerByte() {
      return bytes == 0 ? Double.MAX_VALUE : (double) nanos / bytes;
    }
  }

  /** What is seen from outside of a task that runs; sums since it began. */
  record Sample(long nanos, long bytes, long waitNanos) {}

  private static final class Flow {
    private final boolean beganHere;
    private Sample base;
    private Sample seen;
    private Sample first;
    private Sample last;

    private Flow(Sample base, boolean beganHere) {
      this.base = base;
      this.seen = base;
      this.beganHere = beganHere;
    }

    private void anew() {
      first = null;
      last = null;
    }

    private void see(Sample now) {
      if (now.bytes() > seen.bytes()) {
        if (first == null) {
          first = now;
        } else {
          last = now;
        }
      }
      seen = now;
    }
  }

  /** A task passes the gate, or ran already when the setting came into force. */
  void begins(long task, Sample now, boolean fresh) {
    running.put(task, new Flow(now, fresh));
    tick(now.nanos());
    filled |= running.size() * 4 >= threads * 3;
    drained &= running.size() <= threads;
  }

  /** Bytes and wait of a task that runs. */
  void sees(long task, Sample now) {
    Flow flow = running.get(task);
    if (flow != null) {
      flow.see(now);
      tick(now.nanos());
      warmUp();
    }
  }

  /**
   * Bytes that flowed before most tasks did are forgotten: they flowed beside fewer others than the
   * setting allows, so they make it look better than it is.
   */
  private void warmUp() {
    if (drained
        && !warm
        && running.values().stream().filter(each -> each.first != null).count() * 4
            >= threads * 3L) {
      warm = true;
      running.values().forEach(Flow::anew);
      flows = 0;
      flowBytes = 0;
      flowNanos = 0;
      flowWait = 0;
    }
  }

  /**
   * A task ends.
   *
   * @param counts false when it failed or was killed: its bytes say nothing
   */
  void ends(long task, Sample now, boolean counts) {
    Flow flow = running.remove(task);
    if (flow == null) {
      return;
    }
    tick(now.nanos());
    if (!drained) {
      drain();
      return;
    }
    busyBytes += flow.seen.bytes() - flow.base.bytes();
    busyNanos += flow.seen.nanos() - flow.base.nanos();
    busyWait += flow.seen.waitNanos() - flow.base.waitNanos();
    busyTasks++;
    if (counts && flow.last != null) {
      flows++;
      flowBytes += flow.last.bytes() - flow.first.bytes();
      flowNanos += flow.last.nanos() - flow.first.nanos();
      flowWait += flow.last.waitNanos() - flow.first.waitNanos();
    }
    if (counts && flow.beganHere) {
      ended.add(
          new Whole(
              now.bytes() - flow.base.bytes(),
              now.nanos() - flow.base.nanos(),
              now.waitNanos() - flow.base.waitNanos()));
    }
  }

  private void drain() {
    drained = running.size() <= threads;
    begin = latest;
    for (Flow flow : running.values()) {
      flow.base = flow.seen;
      flow.anew();
    }
  }

  private void tick(long nanos) {
    begin = begin < 0 ? nanos : begin;
    latest = Math.max(latest, nanos);
  }

  /** Whether about as many tasks as the setting allows have run at once. */
  boolean filled() {
    return filled;
  }

  /** Whether so many tasks have ended that more would have run at once if there were more. */
  boolean neverFills() {
    return !filled && ended.size() >= 2 * threads;
  }

  /** All task time under the setting, once it is long enough. */
  Optional<IntervalMeasurement> busy() {
    long bytes = busyBytes;
    long nanos = busyNanos;
    long wait = busyWait;
    for (Flow flow : running.values()) {
      bytes += flow.seen.bytes() - flow.base.bytes();
      nanos += flow.seen.nanos() - flow.base.nanos();
      wait += flow.seen.waitNanos() - flow.base.waitNanos();
    }
    return drained && filled && nanos >= threads * leastNanos
        ? Optional.of(measured(busyTasks + running.size(), bytes, nanos, wait))
        : Optional.empty();
  }

  /**
   * Flowing bytes: each task from its first to its last report of bytes, so that neither its start
   * nor a phase of computing behind the reading weighs in.
   */
  Optional<IntervalMeasurement> flow() {
    int tasks = flows;
    long bytes = flowBytes;
    long nanos = flowNanos;
    long wait = flowWait;
    for (Flow flow : running.values()) {
      if (flow.last != null) {
        tasks++;
        bytes += flow.last.bytes() - flow.first.bytes();
        nanos += flow.last.nanos() - flow.first.nanos();
        wait += flow.last.waitNanos() - flow.first.waitNanos();
      }
    }
    boolean enough =
        drained && filled && warm && tasks * 4 >= threads * 3 && nanos * 2 >= threads * leastNanos;
    return enough ? Optional.of(measured(tasks, bytes, nanos, wait)) : Optional.empty();
  }

  /** Whole tasks, once there are enough; the fastest and the slowest are left out of many. */
  Optional<IntervalMeasurement> whole() {
    int enough = Math.max(2, (threads + 1) / 2);
    boolean longEnough = latest - begin >= leastNanos || ended.size() >= 4 * enough;
    if (ended.size() < enough || !longEnough) {
      return Optional.empty();
    }
    List<Whole> tasks = new ArrayList<>(ended);
    if (tasks.size() >= TRIMMED_FROM) {
      tasks.sort(Comparator.comparingDouble(Whole::nanosPerByte));
      tasks = tasks.subList(1, tasks.size() - 1);
    }
    return Optional.of(
        measured(
            tasks.size(),
            tasks.stream().mapToLong(Whole::bytes).sum(),
            tasks.stream().mapToLong(Whole::nanos).sum(),
            tasks.stream().mapToLong(Whole::waitNanos).sum()));
  }

  private IntervalMeasurement measured(int tasks, long bytes, long nanos, long wait) {
    return new IntervalMeasurement(
        threads, tasks, bytes, nanos / SECOND, Math.max(0, wait) / SECOND);
  }
}
