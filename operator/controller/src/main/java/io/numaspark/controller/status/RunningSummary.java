package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.ExecutorCounters;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ReasonCount;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.RunningExecutors;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts all executors that run by what is known of them, as a status lists some of them only. */
public final class RunningSummary {
  /** Statuses follow in steps of as many. */
  private static final int NOTEWORTHY_PERCENT = 10;

  private RunningSummary() {}

  /** The summary of a status; of the list if an earlier operator, or something else, wrote it. */
  public static RunningExecutors of(SparkApplicationStatus status) {
    return isComplete(status.runningExecutors())
        ? status.runningExecutors()
        : of(Objects.requireNonNullElse(status.executors(), List.of()));
  }

  private static boolean isComplete(RunningExecutors summary) {
    return summary != null
        && Stream.of(
                summary.throttled(),
                summary.remoteMemory(),
                summary.remoteAccesses(),
                summary.counted())
            .allMatch(Objects::nonNull)
        && summary.reasons() != null
        && summary.reasons().stream()
            .allMatch(
                count ->
                    count.pinned() != null && count.reason() != null && count.executors() != null);
  }

  static RunningExecutors of(List<ExecutorInfo> executors) {
    List<ExecutorInfo> running =
        executors.stream().filter(executor -> "Running".equals(executor.phase())).toList();
    return new RunningExecutors(
        reasons(running),
        count(running, executor -> isNoteworthy(executor.throttledPercent())),
        count(
            running,
            executor ->
                executor.localMemoryPercent() != null
                    && executor.localMemoryPercent() <= 100 - NOTEWORTHY_PERCENT),
        count(running, executor -> isNoteworthy(remoteAccesses(executor.counters()))),
        count(running, executor -> executor.counters() != null));
  }

  private static List<ReasonCount> reasons(List<ExecutorInfo> running) {
    Map<List<String>, Long> counts =
        running.stream()
            .collect(
                Collectors.groupingBy(
                    executor ->
                        List.of(
                            Objects.requireNonNullElse(executor.pinned(), Pinned.Unknown).name(),
                            String.valueOf(executor.reason())),
                    Collectors.counting()));
    return counts.entrySet().stream()
        .map(
            entry ->
                new ReasonCount(
                    Pinned.valueOf(entry.getKey().get(0)),
                    entry.getKey().get(1),
                    entry.getValue().intValue()))
        .sorted(Comparator.comparing(ReasonCount::pinned).thenComparing(ReasonCount::reason))
        .toList();
  }

  private static Integer remoteAccesses(ExecutorCounters counters) {
    return counters == null ? null : counters.remoteAccessPercent();
  }

  private static boolean isNoteworthy(Integer percent) {
    return percent != null && percent >= NOTEWORTHY_PERCENT;
  }

  private static int count(List<ExecutorInfo> running, Predicate<ExecutorInfo> which) {
    return (int) running.stream().filter(which).count();
  }
}
