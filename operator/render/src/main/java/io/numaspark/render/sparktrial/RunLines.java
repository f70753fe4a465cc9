package io.numaspark.render.sparktrial;

import io.numaspark.api.v1alpha1.ExecutorCounters;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.RunInfo;
import io.numaspark.trial.design.Metric;
import io.numaspark.trial.engine.Outcome;
import io.numaspark.trial.engine.Phase;
import io.numaspark.trial.engine.RoundId;
import io.numaspark.trial.engine.Run;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** The runs in the status of a SparkTrial as the engine reads them. */
public final class RunLines {
  private static final String WALL = "wallSeconds";
  private static final String OTHERS = "foreignCpuPercent";

  private RunLines() {}

  /**
   * @throws IllegalArgumentException if the status was written by something else
   */
  public static List<Run> read(SparkTrialStatus status) {
    return status == null || status.runs() == null ? List.of() : of(status.runs());
  }

  /** The same of runs. */
  public static List<Run> of(List<RunInfo> runs) {
    return runs.stream().map(RunLines::run).toList();
  }

  private static Run run(RunInfo info) {
    if (info.phase() == null
        || info.round() == null
        || info.session() == null
        || info.outcome() == null
        || info.seconds() == null) {
      throw new IllegalArgumentException(
          "status.runs: a line lacks phase, round, session, outcome or seconds, so something else than the operator wrote it; create the trial again");
    }
    SortedMap<String, Double> measures = new TreeMap<>();
    put(measures, WALL, info.wallSeconds());
    put(measures, "pinnedExecutors", info.pinned());
    put(measures, "localMemoryPercent", info.localMemoryPercent());
    put(measures, OTHERS, info.othersCpuPercent());
    put(measures, Metric.EXECUTOR_TIME.measure(), info.executorCpuHours());
    put(measures, Metric.COST.measure(), info.cost());
    ExecutorCounters counters = info.counters();
    if (counters != null) {
      put(measures, "instructionsPerCycle", counters.instructionsPerCycle());
      put(measures, "remoteAccessPercent", counters.remoteAccessPercent());
      put(measures, "memoryReadMegabytesPerSecond", counters.memoryReadMegabytesPerSecond());
      put(measures, "stalledPercent", counters.stalledPercent());
      put(measures, "switchesPerSecond", counters.switchesPerSecond());
    }
    return new Run(
        new RoundId(Phase.valueOf(info.phase()), info.round()),
        info.session(),
        info.arm(),
        Outcome.valueOf(info.outcome()),
        info.seconds(),
        measures,
        info.remark() == null ? List.of() : List.of(info.remark()),
        Boolean.TRUE.equals(info.disturbed()));
  }

  private static void put(SortedMap<String, Double> measures, String name, Number value) {
    if (value != null) {
      measures.put(name, value.doubleValue());
    }
  }

  /** Whether it is known of a run how much others used its nodes. */
  public static boolean knowOthers(List<Run> runs) {
    return runs.stream().anyMatch(run -> run.measures().containsKey(OTHERS));
  }

  /** Seconds that all runs together took, with the start of their pods. */
  public static double wallSeconds(List<Run> runs) {
    return runs.stream()
        .mapToDouble(run -> Objects.requireNonNullElse(run.measures().get(WALL), run.seconds()))
        .sum();
  }

  /**
   * Seconds from the end of a run to the start of the next, on average: pods are created, scheduled
   * and deleted meanwhile.
   *
   * @param usual if no run has ended yet
   */
  public static double secondsBetween(List<Run> runs, double usual) {
    return runs.isEmpty()
        ? usual
        : (wallSeconds(runs) - runs.stream().mapToDouble(Run::seconds).sum()) / runs.size();
  }
}
