package numaspark.adaptive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Analysis and plan: doubles the threads of one stage as long as that pays, looks at a single one
 * where the first doubling was not beyond doubt, then keeps the best.
 *
 * <p>Two kinds of evidence. Whole tasks tell the truth and take long. Bytes flowing inside running
 * tasks tell within a fraction of a second, but only of the phase the tasks are in; so they may
 * raise the threads when the gain is beyond doubt, but a setting is given up on whole tasks only.
 * Tasks that do not wait raise the threads without proof, one doubling at a time: what has just
 * begun, or finds its bytes in the page cache, may wait later. Then the climb begins anew, and goes
 * by throughput alone. A second peak behind a dip is not found.
 */
final class Climb {
  /** A gain of flowing bytes that noise does not make: √2, half way to perfect scaling. */
  private static final double BEYOND_DOUBT = Math.sqrt(2);

  /** Intervals for which tasks that have to move bytes, and have moved none, are waited for. */
  private static final int PATIENCE = 10;

  private final AdaptiveSettings settings;
  private final Start start;
  private final List<IntervalMeasurement> history = new ArrayList<>();
  private int threads;
  private Optional<IntervalMeasurement> lastFlow = Optional.empty();
  private Optional<IntervalMeasurement> lastWhole = Optional.empty();
  private final Map<Integer, Double> wholeThroughput = new HashMap<>();
  private int lastThreads;
  private double gainBefore;

  /** Whether the threads in force were reached because tasks did not wait, not by proof. */
  private boolean unproven;

  /** Seconds for which tasks did not wait under earlier settings. */
  private double secondsWithoutWait;

  /** Whether tasks of this stage were seen to wait after others had not. */
  private boolean waitsAtTimes;

  /** Set while fewer threads than at first are tried: what the wider setting had shown. */
  private Wider wider;

  private boolean triedBelow;

  /**
   * @param gain over the first setting
   */
  private record Wider(
      IntervalMeasurement whole, Optional<IntervalMeasurement> flow, double gain) {}

  /**
   * What is known before the first task.
   *
   * @param threads to begin with
   * @param most that may be tried
   * @param movesBytes whether the stage is known to read or write more than its memory
   * @param wary whether only whole tasks are believed not to wait, because a stage before did
   * @param waitsAtTimes whether not even those are, because this stage did
   */
  record Start(int threads, int most, boolean movesBytes, boolean wary, boolean waitsAtTimes) {
    Start {
      threads = Math.min(threads, most);
    }
  }

  Climb(AdaptiveSettings settings, Start start) {
    this.settings = settings;
    this.start = start;
    this.waitsAtTimes = start.waitsAtTimes();
    this.threads = start.threads();
  }

  int threads() {
    return threads;
  }

  /** Where it began. */
  int first() {
    return start.threads();
  }

  /** What was measured, in the order of trying. */
  List<IntervalMeasurement> history() {
    return List.copyOf(history);
  }

  /**
   * Bytes a second of whole tasks under the setting in force; 0 when only flowing bytes were seen.
   */
  double throughput() {
    return wholeThroughput.getOrDefault(threads, 0.0);
  }

  /**
   * Most bytes a second that any setting has shown, be it by bytes that only flowed out of a cache.
   */
  double bestSeen() {
    return history.stream().mapToDouble(IntervalMeasurement::throughput).max().orElse(0);
  }

  /**
   * While an interval goes on.
   *
   * @param busy all tasks that run, whether bytes flow in them or not
   * @param flow the tasks in which bytes flow
   */
  ClimbMove duringInterval(Optional<IntervalMeasurement> busy, Optional<IntervalMeasurement> flow) {
    if (wider != null) {
      return new ClimbMove.Stay();
    }
    if (!waitsAtTimes && !start.wary() && busy.isPresent() && doesNotWait(busy.get())) {
      return withoutWait(busy.get());
    }
    if (unproven) {
      return busy.filter(this::waitsAfterAll).map(this::restart).orElseGet(ClimbMove.Stay::new);
    }
    if (flow.isEmpty() || threads == start.most()) {
      // At the widest setting waiting for whole tasks costs nothing, should it be the best.
      return new ClimbMove.Stay();
    }
    boolean first = lastThreads == 0;
    boolean clear =
        lastFlow.isPresent()
            && settings.criterion().gain(lastFlow.get(), flow.get()) >= BEYOND_DOUBT;
    return first || clear ? rise(flow, Optional.empty()) : new ClimbMove.Stay();
  }

  /** Each doubling takes half as long as all before it: cold code may hide the wait for a while. */
  private ClimbMove withoutWait(IntervalMeasurement busy) {
    double seconds = busy.taskSeconds() / threads;
    double patience = PATIENCE * settings.leastMillis() / 1e3;
    boolean saysNothing = start.movesBytes() && busy.bytes() == 0 && seconds < patience;
    if (saysNothing || seconds < secondsWithoutWait / 2) {
      return new ClimbMove.Stay();
    }
    secondsWithoutWait += seconds;
    if (threads * 2 >= start.most()) {
      return settle(start.most(), Outcome.NOT_IO_BOUND, busy);
    }
    unproven = true;
    history.add(busy);
    lastFlow = Optional.empty();
    lastWhole = Optional.empty();
    lastThreads = 0;
    gainBefore = 0;
    threads *= 2;
    return new ClimbMove.Try(threads);
  }

  private boolean doesNotWait(IntervalMeasurement seen) {
    return seen.waitShare() < settings.waitShare();
  }

  private boolean waitsAfterAll(IntervalMeasurement busy) {
    return busy.bytes() > 0 && busy.waitShare() >= 2 * settings.waitShare();
  }

  /** Tasks of an unproven setting wait after all. */
  private ClimbMove restart(IntervalMeasurement seen) {
    waitsAtTimes = true;
    unproven = false;
    history.add(seen);
    threads = start.threads();
    return new ClimbMove.Try(threads);
  }

  /** When enough tasks that began under this setting have ended. */
  ClimbMove afterInterval(IntervalMeasurement whole, Optional<IntervalMeasurement> flow) {
    if (wider != null) {
      return afterFewest(whole);
    }
    if (whole.bytes() == 0 || !waitsAtTimes && doesNotWait(whole)) {
      return settle(start.most(), Outcome.NOT_IO_BOUND, whole);
    }
    if (unproven) {
      return restart(whole);
    }
    wholeThroughput.put(threads, whole.throughput());
    if (lastThreads != 0) {
      double gain = Math.max(gain(whole, flow), gainBefore);
      if (mayTryBelow() && gain < BEYOND_DOUBT) {
        return tryBelow(new Wider(whole, flow, gain));
      }
      boolean unclear = gain > 1 / BEYOND_DOUBT && gainBefore == 0;
      if (gain < settings.leastGain() && unclear) {
        // Others on the machine only take from what is seen, so the better of two is nearer.
        gainBefore = gain;
        return new ClimbMove.Try(threads);
      }
      if (gain < settings.leastGain()) {
        return settle(lastThreads, Outcome.EXPLORED, whole);
      }
    }
    return rise(flow, Optional.of(whole));
  }

  private boolean mayTryBelow() {
    return !triedBelow && lastThreads == start.threads() && settings.leastThreads() < lastThreads;
  }

  /** A device that seeks may be fastest with the fewest readers, and slow from the second on. */
  private ClimbMove tryBelow(Wider seen) {
    triedBelow = true;
    wider = seen;
    history.add(seen.whole());
    threads = settings.leastThreads();
    return new ClimbMove.Try(threads);
  }

  private ClimbMove afterFewest(IntervalMeasurement whole) {
    Wider seen = wider;
    wider = null;
    wholeThroughput.put(threads, whole.throughput());
    double ofWider = settings.criterion().gain(whole, seen.whole());
    if (whole.bytes() > 0 && ofWider <= Math.min(1, seen.gain())) {
      return settle(threads, Outcome.EXPLORED, whole);
    }
    if (seen.gain() < settings.leastGain()) {
      return settle(lastThreads, Outcome.EXPLORED, whole);
    }
    threads = seen.whole().threads();
    return beyond(seen.flow(), Optional.of(seen.whole()), whole);
  }

  /** Like is compared with like; where there is no like, what is there. */
  private double gain(IntervalMeasurement whole, Optional<IntervalMeasurement> flow) {
    if (lastWhole.isPresent()) {
      return settings.criterion().gain(lastWhole.get(), whole);
    }
    return settings.criterion().gain(lastFlow.orElseThrow(), flow.orElse(whole));
  }

  private ClimbMove rise(Optional<IntervalMeasurement> flow, Optional<IntervalMeasurement> whole) {
    return beyond(flow, whole, whole.or(() -> flow).orElseThrow());
  }

  private ClimbMove beyond(
      Optional<IntervalMeasurement> flow,
      Optional<IntervalMeasurement> whole,
      IntervalMeasurement lastSeen) {
    if (threads >= start.most()) {
      return settle(threads, Outcome.EXPLORED, lastSeen);
    }
    history.add(lastSeen);
    lastFlow = flow;
    lastWhole = whole;
    lastThreads = threads;
    gainBefore = 0;
    threads = Math.min(threads * 2, start.most());
    return new ClimbMove.Try(threads);
  }

  private ClimbMove settle(int chosen, Outcome outcome, IntervalMeasurement seen) {
    history.add(seen);
    threads = chosen;
    return new ClimbMove.Settle(chosen, outcome);
  }
}
