package numaspark.adaptive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Analysis and plan: doubles the threads of one stage as long as that pays, then keeps the best.
 *
 * <p>Two kinds of evidence. Whole tasks tell the truth and take long. Bytes flowing inside running
 * tasks tell within a fraction of a second, but only of the phase the tasks are in; so they may
 * raise the threads when the gain is beyond doubt, and open a stage that does not wait, but a
 * setting is given up on whole tasks only. A device with a second peak behind a dip is not found.
 */
final class Climb {
  /** A gain of flowing bytes that noise does not make: √2, half way to perfect scaling. */
  private static final double BEYOND_DOUBT = Math.sqrt(2);

  private final AdaptiveSettings settings;
  private final int most;
  private final List<Measurement> history = new ArrayList<>();
  private int threads;
  private Optional<Measurement> lastFlow = Optional.empty();
  private Optional<Measurement> lastWhole = Optional.empty();
  private final Map<Integer, Double> wholeThroughput = new HashMap<>();
  private int lastThreads;
  private double gainBefore;

  Climb(AdaptiveSettings settings, int slots) {
    this.settings = settings;
    this.most = settings.most(slots);
    this.threads = Math.min(settings.leastThreads(), most);
  }

  int threads() {
    return threads;
  }

  /** What was measured, in the order of trying. */
  List<Measurement> history() {
    return List.copyOf(history);
  }

  /**
   * Bytes a second of whole tasks under the setting in force; 0 when only flowing bytes were seen.
   */
  double throughput() {
    return wholeThroughput.getOrDefault(threads, 0.0);
  }

  /**
   * While an interval goes on.
   *
   * @param busy all tasks that run, whether bytes flow in them or not
   * @param flow the tasks in which bytes flow
   */
  Step duringInterval(Optional<Measurement> busy, Optional<Measurement> flow) {
    if (busy.isPresent() && busy.get().waitShare() < settings.waitShare()) {
      return settle(most, Outcome.NOT_IO_BOUND, busy.get());
    }
    if (flow.isEmpty() || threads == most) {
      // At the widest setting waiting for whole tasks costs nothing, should it be the best.
      return new Step.Stay();
    }
    boolean first = lastThreads == 0;
    boolean clear =
        lastFlow.isPresent()
            && settings.criterion().gain(lastFlow.get(), flow.get()) >= BEYOND_DOUBT;
    return first || clear ? rise(flow, Optional.empty()) : new Step.Stay();
  }

  /** When enough tasks that began under this setting have ended. */
  Step afterInterval(Measurement whole, Optional<Measurement> flow) {
    wholeThroughput.put(threads, whole.throughput());
    if (whole.bytes() == 0 || whole.waitShare() < settings.waitShare()) {
      return settle(most, Outcome.NOT_IO_BOUND, whole);
    }
    if (lastThreads != 0) {
      double gain = Math.max(gain(whole, flow), gainBefore);
      boolean unclear = gain > 1 / BEYOND_DOUBT && gainBefore == 0;
      if (gain < settings.leastGain() && unclear) {
        // Others on the machine only take from what is seen, so the better of two is nearer.
        gainBefore = gain;
        return new Step.Try(threads);
      }
      if (gain < settings.leastGain()) {
        return settle(lastThreads, Outcome.EXPLORED, whole);
      }
    }
    return rise(flow, Optional.of(whole));
  }

  /** Like is compared with like; where there is no like, what is there. */
  private double gain(Measurement whole, Optional<Measurement> flow) {
    if (lastWhole.isPresent()) {
      return settings.criterion().gain(lastWhole.get(), whole);
    }
    return settings.criterion().gain(lastFlow.orElseThrow(), flow.orElse(whole));
  }

  private Step rise(Optional<Measurement> flow, Optional<Measurement> whole) {
    Measurement seen = whole.or(() -> flow).orElseThrow();
    if (threads >= most) {
      return settle(threads, Outcome.EXPLORED, seen);
    }
    history.add(seen);
    lastFlow = flow;
    lastWhole = whole;
    lastThreads = threads;
    gainBefore = 0;
    threads = Math.min(threads * 2, most);
    return new Step.Try(threads);
  }

  private Step settle(int chosen, Outcome outcome, Measurement seen) {
    history.add(seen);
    threads = chosen;
    return new Step.Settle(chosen, outcome);
  }
}
