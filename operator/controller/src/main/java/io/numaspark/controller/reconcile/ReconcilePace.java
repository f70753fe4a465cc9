package io.numaspark.controller.reconcile;

import io.javaoperatorsdk.operator.processing.event.rate.RateLimiter;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimiter.RateLimitState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Lets an application be reconciled at once a few times, then once a period, so that a storm of pod
 * events becomes few statuses.
 *
 * <p>A token bucket for each application: full at first, one token more in each period. What the
 * framework's own LinearRateLimiter lacks: it names as waiting time the time that has passed, not
 * the time that is left, and so may wait for twice its period.
 *
 * <p>Limit: an event waits for up to one period; nothing is lost, since a reconciliation looks at
 * everything.
 */
public final class ReconcilePace implements RateLimiter<ReconcilePace.Bucket> {
  private final int burst;
  private final long period;
  private final LongSupplier nanoTime;

  /**
   * @param burst reconciliations without waiting, at least 1
   * @param period time in which one more is allowed, more than 0
   * @param nanoTime a clock that never goes back, as {@link System#nanoTime} (ns)
   */
  public ReconcilePace(int burst, Duration period, LongSupplier nanoTime) {
    if (burst < 1 || period.isZero() || period.isNegative()) {
      throw new IllegalArgumentException(
          "burst must be at least 1 and period more than 0, not " + burst + " and " + period);
    }
    this.burst = burst;
    this.period = period.toNanos();
    this.nanoTime = nanoTime;
  }

  @Override
  public Optional<Duration> isLimited(RateLimitState state) {
    long wait = ((Bucket) state).take(nanoTime.getAsLong());
    return wait == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(wait));
  }

  @Override
  public Bucket initState() {
    return new Bucket(nanoTime.getAsLong());
  }

  /** Of one application; used under the lock of the framework's event processor. */
  public final class Bucket implements RateLimitState {
    private int tokens = burst;
    private long filledAt;

    private Bucket(long now) {
      filledAt = now;
    }

    /** Takes a token, or tells in how many nanoseconds there will be one. */
    private long take(long now) {
      long periods = (now - filledAt) / period;
      tokens = (int) Math.min(burst, tokens + periods);
      filledAt = tokens == burst ? now : filledAt + periods * period;
      if (tokens == 0) {
        return filledAt + period - now;
      }
      tokens--;
      return 0;
    }
  }
}
