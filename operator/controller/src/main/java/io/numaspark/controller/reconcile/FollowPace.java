package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.DriverInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets the status of a running application be written at most once in {@link #PERIOD} for its
 * executors' sake; what concerns its own state is written at once.
 *
 * <p>Without it an application whose executors start one by one is written once for each, and each
 * write comes back as an event. Held in memory only: after a restart one write more is made.
 */
final class FollowPace {
  static final Duration PERIOD = Duration.ofSeconds(3);

  private final Map<String, Instant> written = new ConcurrentHashMap<>();

  /**
   * How long a status should wait for others to come along; zero if it is to be written now.
   *
   * @param uid of the application
   */
  Duration wait(
      String uid, SparkApplicationStatus before, SparkApplicationStatus after, Instant now) {
    Instant last = written.get(uid);
    if (last == null || !isAboutExecutorsAlone(before, after)) {
      return Duration.ZERO;
    }
    Duration left = Duration.between(now, last.plus(PERIOD));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** A status was written for whatever reason. */
  void wrote(String uid, Instant now) {
    written.put(uid, now);
  }

  /** The attempt has ended. */
  void forget(String uid) {
    written.remove(uid);
  }

  private static boolean isAboutExecutorsAlone(
      SparkApplicationStatus before, SparkApplicationStatus after) {
    return before != null
        && Objects.equals(before.applicationState(), after.applicationState())
        && Objects.equals(uid(before.driverInfo()), uid(after.driverInfo()))
        && reasons(before).equals(reasons(after));
  }

  private static String uid(DriverInfo driver) {
    return driver == null ? null : driver.podUid();
  }

  private static List<String> reasons(SparkApplicationStatus status) {
    return Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream()
        .map(condition -> condition.getType() + "=" + condition.getReason())
        .toList();
  }
}
