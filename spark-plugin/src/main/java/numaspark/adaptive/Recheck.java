package numaspark.adaptive;

/**
 * Looks after a number that was found. Half of the threads are tried, and half of those, as long as
 * fewer move more: at once after a climb, whose first settings ran cold code, so that the later
 * ones look better than they are; and when the stage falls behind what was measured, for example
 * because its first tasks read from the page cache. Never raises a number, and gives up after a few
 * trials that were not worth it.
 */
final class Recheck {
  /** Part of the measured throughput below which the number is doubted. */
  private static final double FELL_BEHIND = 0.7;

  /** Intervals in a row that have to say so. */
  private static final int STRIKES = 2;

  private static final int MOST_FAILED_TRIALS = 2;

  private final AdaptiveSettings settings;
  private int threads;
  private double expected;
  private int strikes;
  private int failedTrials;

  /** Whether the trial that goes on has paid already. */
  private boolean halved;

  /** Whether half of the threads are still to be tried without a reason. */
  private boolean climbed;

  /** What the wider setting had come down to; null when no narrower one is on trial. */
  private IntervalMeasurement wider;

  /**
   * @param expected bytes a second that the stage was seen to move; 0 when it was not measured, the
   *     first interval tells then
   * @param climbed whether the number has just been reached from below and is not the end of the
   *     climb, where a trial would cost the most
   */
  Recheck(AdaptiveSettings settings, int threads, double expected, boolean climbed) {
    this.settings = settings;
    this.threads = threads;
    this.expected = expected;
    this.climbed = climbed;
  }

  /** Whether there is anything left to try. */
  boolean goesOn() {
    return wider != null || threads > settings.leastThreads() && failedTrials < MOST_FAILED_TRIALS;
  }

  /**
   * @param whole tasks that began and ended under the setting in force
   */
  ClimbMove after(IntervalMeasurement whole) {
    return wider == null ? watched(whole) : tried(whole);
  }

  private ClimbMove watched(IntervalMeasurement whole) {
    if (expected == 0) {
      expected = whole.throughput();
    }
    boolean behind = whole.throughput() < FELL_BEHIND * expected;
    strikes = behind ? strikes + 1 : 0;
    if (!climbed && strikes < STRIKES) {
      return new ClimbMove.Try(threads);
    }
    strikes = 0;
    return halve(whole);
  }

  private ClimbMove tried(IntervalMeasurement whole) {
    IntervalMeasurement before = wider;
    boolean unasked = climbed;
    wider = null;
    climbed = false;
    boolean better = settings.criterion().gain(whole, before) < 1;
    if (better) {
      threads = whole.threads();
      expected = whole.throughput();
      halved = true;
      if (threads > settings.leastThreads()) {
        return halve(whole);
      }
    } else if (unasked) {
      return new ClimbMove.Try(threads); // as it was found: nothing to tell
    } else if (!halved) {
      failedTrials++;
      expected = 0;
    }
    halved = false;
    return new ClimbMove.Settle(threads, Outcome.EXPLORED);
  }

  private ClimbMove halve(IntervalMeasurement whole) {
    wider = whole;
    return new ClimbMove.Try(Math.max(whole.threads() / 2, settings.leastThreads()));
  }
}
