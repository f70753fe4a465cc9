package io.numaspark.cli.trial;

import io.numaspark.planner.topology.CpuSet;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Action.Start;
import io.numaspark.trial.engine.Outcome;
import io.numaspark.trial.engine.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes the journal's line of a run that has ended: whether it was what its arm says, what it took,
 * and whether something disturbed it.
 */
final class RunJudge {
  /** Part of the stops of a slowed arm that have to have happened. */
  private static final double LEAST_SLOWDOWN = 0.5;

  /** Checksum of what the application says that all of its runs have in common. */
  static final String RESULT = "resultChecksum";

  private static final double MEBIBYTE = 1 << 20;

  private final LocalArm arm;
  private final TrialSetting setting;
  private final ProcessFacts facts;

  RunJudge(LocalArm arm, TrialSetting setting, ProcessFacts facts) {
    this.arm = arm;
    this.setting = setting;
    this.facts = facts;
  }

  /**
   * What a run leaves behind.
   *
   * @param events folder of Spark's event log
   * @param counts file that perf has written, if it counted
   */
  record Traces(Path events, Path counts, RunLog log, Optional<MemoryCgroup> cgroup) {}

  Run run(Start start, int session, SeenRun seen, Traces traces) {
    List<String> remarks = new ArrayList<>();
    Outcome outcome = outcome(seen, traces.log(), remarks);
    SortedMap<String, Double> measures = measures(seen, traces);
    traces
        .cgroup()
        .map(MemoryCgroup::killed)
        .filter(killed -> killed > 0)
        .ifPresent(
            killed -> remarks.add("The kernel killed %d processes for memory.".formatted(killed)));
    boolean disturbed = outcome == Outcome.OK && isDisturbed(measures, seen.seconds(), remarks);
    measures.replaceAll((name, value) -> rounded(value));
    return new Run(
        start.round(),
        session,
        arm.arm().name(),
        outcome,
        rounded(seen.seconds()),
        measures,
        remarks,
        disturbed);
  }

  private Outcome outcome(SeenRun seen, RunLog log, List<String> remarks) {
    if (seen.exitCode().isEmpty()) {
      remarks.add("It did not end within %.0f s.".formatted(seen.seconds()));
      return Outcome.TIMED_OUT;
    }
    if (seen.exitCode().getAsInt() != 0) {
      remarks.add(
          "It ended with exit code %d%s. See %s."
              .formatted(
                  seen.exitCode().getAsInt(),
                  log.lastWords().map(words -> ": " + words).orElse(""),
                  log.file()));
      return Outcome.FAILED;
    }
    remarks.addAll(Proof.faults(arm, seen.watch().executors(), allowedToUs(), setting.shares()));
    double due = seen.seconds() * arm.slowdown() / (1 + arm.slowdown());
    if (seen.stoppedSeconds() < LEAST_SLOWDOWN * due) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "It was stopped for %.1f s instead of %.1f s.",
              seen.stoppedSeconds(),
              due));
    }
    return remarks.isEmpty() ? Outcome.OK : Outcome.INVALID;
  }

  private static SortedMap<String, Double> measures(SeenRun seen, Traces traces) {
    SortedMap<String, Double> measures = new TreeMap<>(EventLog.measures(traces.events()));
    measures.putAll(PerfStat.measures(traces.counts(), seen.seconds()));
    measures.put("cpuSeconds", seen.cpuSeconds());
    measures.put(
        "foreignCpuSeconds", Math.max(0, seen.machine().busySeconds() - seen.cpuSeconds()));
    measures.put("stolenCpuSeconds", seen.machine().stolenSeconds());
    if (seen.stoppedSeconds() > 0) {
      measures.put("stoppedSeconds", seen.stoppedSeconds());
    }
    traces.log().resultChecksum().ifPresent(checksum -> measures.put(RESULT, checksum));
    traces
        .cgroup()
        .ifPresent(
            limit ->
                limit
                    .peakBytes()
                    .ifPresent(bytes -> measures.put("memoryPeakMebibytes", bytes / MEBIBYTE)));
    return measures;
  }

  /** The thresholds are the same for all arms, and do not look at the measured time of the run. */
  private boolean isDisturbed(
      SortedMap<String, Double> measures, double seconds, List<String> remarks) {
    double capacity = seconds * setting.threads();
    double foreign = measures.get("foreignCpuSeconds") / capacity;
    double stolen = measures.get("stolenCpuSeconds") / capacity;
    if (foreign <= TrialDesign.MOST_FOREIGN && stolen <= TrialDesign.MOST_FOREIGN) {
      return false;
    }
    remarks.add(
        String.format(
            Locale.ROOT,
            "Disturbed: others used %.1f %% of the CPU time, the hypervisor took %.1f %%.",
            foreign * 100,
            stolen * 100));
    return true;
  }

  private CpuSet allowedToUs() {
    return facts
        .allowed(ProcessHandle.current().pid())
        .map(allowed -> CpuSet.parse(allowed.cpus()))
        .orElse(setting.topology().cpus());
  }

  private static double rounded(double number) {
    return Math.round(number * 1000) / 1000.0;
  }
}
