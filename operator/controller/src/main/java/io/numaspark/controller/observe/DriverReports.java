package io.numaspark.controller.observe;

import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.controller.observe.ReportedExecutors.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What drivers said of their executors, asked again only while a running executor has not reported.
 *
 * <p>An executor's CPUs do not change while it lives, so an answer holds. The time between two
 * questions doubles from {@value #FIRST_SECONDS} to {@value #LONGEST_SECONDS} seconds and starts
 * anew when another executor runs.
 */
public final class DriverReports {
  private static final int FIRST_SECONDS = 1;
  private static final int LONGEST_SECONDS = 10;

  private final DriverRestClient drivers;
  private final Map<String, Report> reports = new ConcurrentHashMap<>();

  public DriverReports(DriverRestClient drivers) {
    this.drivers = drivers;
  }

  /**
   * A driver to ask.
   *
   * @param address IP address of its pod
   * @param port of its web UI
   * @param sparkAppId Spark's id of the attempt
   */
  public record Driver(String address, int port, String sparkAppId) {}

  /**
   * What is known, and when to ask again.
   *
   * @param next empty if every running executor has reported
   */
  public record Report(
      ReportedExecutors executors,
      Set<String> running,
      Instant asked,
      Duration interval,
      Optional<Instant> next) {}

  /**
   * The driver's word, new if it is time to ask.
   *
   * @param running ids of the executors whose pods run
   */
  public Report report(Driver driver, Set<String> running, Instant now) {
    Report last = reports.get(driver.sparkAppId());
    if (last != null && last.running().containsAll(running)) {
      boolean due = last.next().filter(next -> !now.isBefore(next)).isPresent();
      if (!due) {
        return last;
      }
    }
    if (running.isEmpty()) {
      return new Report(
          new NoAnswer("no executor is running"), running, now, Duration.ZERO, Optional.empty());
    }
    boolean same = last != null && last.running().containsAll(running);
    Duration interval = same ? longer(last.interval()) : Duration.ofSeconds(FIRST_SECONDS);
    ReportedExecutors answer =
        drivers.executors(driver.address(), driver.port(), driver.sparkAppId());
    // An answer that is missing does not undo an earlier one.
    if (answer instanceof NoAnswer && last != null && last.executors() instanceof Answer) {
      answer = last.executors();
    }
    Optional<Instant> next =
        haveReported(answer, running) ? Optional.empty() : Optional.of(now.plus(interval));
    Report report = new Report(answer, Set.copyOf(running), now, interval, next);
    reports.put(driver.sparkAppId(), report);
    return report;
  }

  /** Forgets an attempt that has ended. */
  public void forget(String sparkAppId) {
    reports.remove(sparkAppId);
  }

  private static Duration longer(Duration interval) {
    Duration doubled = interval.multipliedBy(2);
    Duration longest = Duration.ofSeconds(LONGEST_SECONDS);
    return doubled.compareTo(longest) > 0 ? longest : doubled;
  }

  private static boolean haveReported(ReportedExecutors answer, Set<String> running) {
    return answer instanceof Answer given
        && running.stream()
            .map(given.byExecutorId()::get)
            .allMatch(placement -> placement != null && reported(placement));
  }

  private static boolean reported(Placement placement) {
    return placement.cpus() != null;
  }
}
