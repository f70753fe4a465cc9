package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorCounts;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The executors of an attempt, counted and described.
 *
 * @param counts over all of them; failed and rejected never become less within an attempt
 * @param all those that exist first in the order of their ids, then those that are gone
 */
public record Executors(ExecutorCounts counts, List<ExecutorInfo> all) {
  /** How many a status shows, so that it stays small. */
  static final int LISTED = 50;

  /** Of these, how many places are kept for those that failed last. */
  private static final int LISTED_FAILURES = 10;

  private static final Set<String> ALIVE = Set.of("Pending", "Running");

  public Executors {
    all = List.copyOf(all);
  }

  /** Counts; unknown are those that may still report. */
  static ExecutorCounts count(
      int wanted, int failed, int rejected, String counted, List<ExecutorInfo> executors) {
    return new ExecutorCounts(
        wanted,
        count(executors, info -> "Pending".equals(info.phase())),
        count(executors, info -> "Running".equals(info.phase())),
        failed,
        rejected,
        count(executors, info -> info.pinned() == Pinned.True),
        count(executors, info -> info.pinned() == Pinned.False),
        count(executors, info -> info.pinned() == Pinned.Unknown && ALIVE.contains(info.phase())),
        counted);
  }

  private static int count(List<ExecutorInfo> executors, Predicate<ExecutorInfo> which) {
    return (int) executors.stream().filter(which).count();
  }

  /** Those that a status shows: the first that are not pinned, others, and the last failures. */
  List<ExecutorInfo> listed() {
    if (all.size() <= LISTED) {
      return all;
    }
    List<ExecutorInfo> failures =
        all.stream().filter(info -> ExecutorFailure.isFailed(info.phase())).toList();
    List<ExecutorInfo> last =
        failures.stream()
            .sorted(Comparator.comparingInt(Executors::number).reversed())
            .limit(LISTED_FAILURES)
            .sorted(Comparator.comparingInt(Executors::number))
            .toList();
    Stream<ExecutorInfo> others =
        all.stream()
            .filter(info -> !ExecutorFailure.isFailed(info.phase()))
            .sorted(Comparator.comparing(info -> info.pinned() != Pinned.False));
    return Stream.concat(others.limit(LISTED - last.size()), last.stream()).toList();
  }

  /** The executors of a driver that has ended: they end with it. */
  Executors afterDriver() {
    List<ExecutorInfo> ended = all.stream().map(Executors::gone).toList();
    return new Executors(
        count(counts.wanted(), counts.failed(), counts.rejected(), counts.counted(), ended), ended);
  }

  /** An executor whose pod is gone or soon will be; how it failed stays. */
  static ExecutorInfo gone(ExecutorInfo info) {
    return info.withPhase(ExecutorFailure.isFailed(info.phase()) ? info.phase() : "Gone");
  }

  /** Adds the condition Pinned. */
  Conditions addPinned(Conditions conditions) {
    if (counts.notPinned() > 0) {
      return conditions.add(
          "Pinned",
          Conditions.FALSE,
          ApplicationReason.NOT_PINNED,
          counts.notPinned() + " executors are not pinned; status.executors says why");
    }
    if (counts.pinned() > 0 && counts.unknown() == 0) {
      return conditions.add(
          "Pinned",
          Conditions.TRUE,
          ApplicationReason.ALL_PINNED,
          counts.pinned() + " executors are pinned");
    }
    return conditions.add(
        "Pinned",
        Conditions.UNKNOWN,
        ApplicationReason.NOT_REPORTED,
        counts.pinned()
            + " executors are pinned, of "
            + counts.unknown()
            + " nothing is known yet");
  }

  private static int number(ExecutorInfo info) {
    return String.valueOf(info.id()).matches("[0-9]{1,9}")
        ? Integer.parseInt(info.id())
        : Integer.MAX_VALUE;
  }
}
