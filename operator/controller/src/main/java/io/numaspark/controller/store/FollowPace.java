package io.numaspark.controller.store;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets the status of a running application be written at most once in {@link #PERIOD} for its
 * executors' sake, and that its driver was created once in {@link #START}, so that a driver that
 * runs at once is not written twice; what else concerns its own state is written at once.
 *
 * <p>Without it an application whose executors start one by one is written once for each, and each
 * write comes back as an event. Held in memory only: after a restart one write more is made.
 */
public final class FollowPace {
  static final Duration PERIOD = Duration.ofSeconds(3);
  public static final Duration START = Duration.ofSeconds(1);

  private final Map<String, Instant> written = new ConcurrentHashMap<>();

  /**
   * How long a status should wait for others to come along; zero if it is to be written now.
   *
   * @param attempt Spark's id of the attempt
   */
  public Duration wait(
      String attempt, SparkApplicationStatus before, SparkApplicationStatus after, Instant now) {
    Instant last = written.get(attempt);
    if (last == null || !Objects.equals(before.applicationState(), after.applicationState())) {
      return Duration.ZERO;
    }
    Duration pace = START;
    if (before.driverInfo().podUid() != null) {
      pace = isAboutExecutorsAlone(before, after) ? PERIOD : Duration.ZERO;
    }
    Duration left = Duration.between(now, last.plus(pace));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** A status was written for whatever reason. */
  public void wrote(String attempt, Instant now) {
    written.put(attempt, now);
  }

  /** The attempt has ended. */
  public void forget(String attempt) {
    written.remove(attempt);
  }

  /** How many attempts are remembered. */
  public int size() {
    return written.size();
  }

  private static boolean isAboutExecutorsAlone(
      SparkApplicationStatus before, SparkApplicationStatus after) {
    return before.driverInfo().podUid().equals(after.driverInfo().podUid())
        && reasons(before).equals(reasons(after));
  }

  private static List<String> reasons(SparkApplicationStatus status) {
    return Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream()
        .map(condition -> condition.getType() + "=" + condition.getReason())
        .toList();
  }
}
