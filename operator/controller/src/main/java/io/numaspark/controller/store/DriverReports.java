package io.numaspark.controller.store;

import io.numaspark.controller.event.Signal;
import io.numaspark.controller.observe.DriverRestClient;
import io.numaspark.controller.observe.DriverRestClient.Driver;
import io.numaspark.controller.observe.ReportedExecutors;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.render.proof.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;

/**
 * What drivers said of their executors, asked again only while a running executor has not reported.
 *
 * <p>An executor's CPUs do not change while it lives, so an answer holds. The time between two
 * questions doubles from {@value #FIRST_SECONDS} to {@value #LONGEST_SECONDS} seconds and starts
 * anew when another executor runs; for a driver that is silent or slow it doubles to {@value
 * #LONGEST_SILENCE_SECONDS} seconds, whoever runs. Nobody waits for an answer: it is a signal.
 * Limit: at most {@value #AT_ONCE} drivers are asked at a time.
 */
public final class DriverReports {
  private static final int FIRST_SECONDS = 1;
  private static final int LONGEST_SECONDS = 10;
  private static final int LONGEST_SILENCE_SECONDS = 60;
  private static final int AT_ONCE = 64;
  private static final Duration SLOW = Duration.ofSeconds(1);
  private static final Duration WHILE_OTHERS_ARE_ASKED = Duration.ofSeconds(1);

  private final BiFunction<Driver, Set<String>, CompletableFuture<ReportedExecutors>> drivers;
  private final Signal<Driver> answers = new Signal<>();
  private final Semaphore questions = new Semaphore(AT_ONCE);
  private final Map<String, Attempt> attempts = new ConcurrentHashMap<>();

  /**
   * Nothing is known yet.
   *
   * @param drivers answers for the executors with these ids, and never exceptionally
   */
  public DriverReports(
      BiFunction<Driver, Set<String>, CompletableFuture<ReportedExecutors>> drivers) {
    this.drivers = drivers;
  }

  /** Emitted when there is an answer, or none in time. */
  public Signal<Driver> answers() {
    return answers;
  }

  /**
   * What is known, and when to ask again.
   *
   * @param next empty if every running executor has reported
   * @param isAsked whether an answer is awaited, so that more will soon be known
   */
  public record Report(
      ReportedExecutors executors,
      Set<String> running,
      Duration interval,
      Optional<Instant> next,
      boolean isAsked) {

    /** Nobody was asked, for the given reason. */
    public static Report notAsked(String why, Optional<Instant> next) {
      return new Report(new NoAnswer(why), Set.of(), Duration.ZERO, next, false);
    }
  }

  /** What is remembered of an attempt; its own lock. */
  private static final class Attempt {
    private Report last;
    private boolean isAsked;
    private boolean isSilent;
    private Instant notBefore;

    /** What holds while the driver is left alone. */
    private Optional<Report> undisturbed(Set<String> running, Instant now) {
      if (covers(running)) {
        return Optional.of(last)
            .filter(report -> report.next().filter(next -> !now.isBefore(next)).isEmpty());
      }
      return isSilent && now.isBefore(notBefore)
          ? Optional.of(
              new Report(last.executors(), running, last.interval(), Optional.of(notBefore), false))
          : Optional.empty();
    }

    private boolean covers(Set<String> running) {
      return last != null && last.running().containsAll(running);
    }

    private ReportedExecutors known(String whyNot) {
      return last == null ? new NoAnswer(whyNot) : last.executors();
    }

    private Duration nextInterval(Set<String> running) {
      return isSilent || covers(running)
          ? last.interval().multipliedBy(2)
          : Duration.ofSeconds(FIRST_SECONDS);
    }
  }

  /**
   * The driver's word so far; it is asked if it is time to.
   *
   * @param running ids of the executors whose pods run
   */
  public Report report(Driver driver, Set<String> running, Instant now) {
    String key = key(driver.namespace(), driver.sparkAppId());
    if (running.isEmpty() && !attempts.containsKey(key)) {
      return Report.notAsked("no executor is running", Optional.empty());
    }
    Attempt attempt = attempts.computeIfAbsent(key, unknown -> new Attempt());
    synchronized (attempt) {
      if (attempt.isAsked) {
        return awaited(attempt, running, now);
      }
      Optional<Report> undisturbed = attempt.undisturbed(running, now);
      if (undisturbed.isPresent()) {
        return undisturbed.get();
      }
      if (running.isEmpty()) {
        return Report.notAsked("no executor is running", Optional.empty());
      }
      if (!questions.tryAcquire()) {
        return new Report(
            attempt.known("many other drivers are being asked"),
            running,
            Duration.ZERO,
            Optional.of(now.plus(WHILE_OTHERS_ARE_ASKED)),
            false);
      }
      attempt.isAsked = true;
    }
    long start = System.nanoTime();
    drivers
        .apply(driver, running)
        .thenAccept(
            answer -> {
              questions.release();
              Duration took = Duration.ofNanos(System.nanoTime() - start);
              take(attempt, answer, running, now, took);
              answers.emit(driver);
            });
    synchronized (attempt) {
      return attempt.isAsked ? awaited(attempt, running, now) : attempt.last;
    }
  }

  private static void take(
      Attempt attempt,
      ReportedExecutors answer,
      Set<String> running,
      Instant asked,
      Duration took) {
    synchronized (attempt) {
      Duration interval = attempt.nextInterval(running);
      attempt.isSilent = answer instanceof NoAnswer || took.compareTo(SLOW) > 0;
      Duration longest =
          Duration.ofSeconds(attempt.isSilent ? LONGEST_SILENCE_SECONDS : LONGEST_SECONDS);
      Duration pause = interval.compareTo(longest) > 0 ? longest : interval;
      attempt.notBefore = asked.plus(pause);
      // An answer that is missing does not undo an earlier one.
      ReportedExecutors known =
          answer instanceof NoAnswer
                  && attempt.last != null
                  && attempt.last.executors() instanceof Answer
              ? attempt.last.executors()
              : answer;
      attempt.last =
          new Report(
              known,
              Set.copyOf(running),
              pause,
              haveReported(known, running) ? Optional.empty() : Optional.of(attempt.notBefore),
              false);
      attempt.isAsked = false;
    }
  }

  /** Should the answer's signal be lost, it is looked for. */
  private Report awaited(Attempt attempt, Set<String> running, Instant now) {
    return new Report(
        attempt.known("the driver is being asked"),
        running,
        Duration.ZERO,
        Optional.of(now.plus(DriverRestClient.DEADLINE).plus(SLOW)),
        true);
  }

  /** Forgets an attempt. */
  public void forget(String namespace, String sparkAppId) {
    attempts.remove(key(namespace, sparkAppId));
  }

  /** How many attempts are remembered. */
  int size() {
    return attempts.size();
  }

  private static String key(String namespace, String sparkAppId) {
    return namespace + "/" + sparkAppId;
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
