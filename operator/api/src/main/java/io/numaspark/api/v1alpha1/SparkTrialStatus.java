package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** How far a trial has come, and what it shows. */
public record SparkTrialStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription(
            "Digest of what is measured; another one is another trial, and is refused.")
        String specDigest,
    @JsonPropertyDescription("How far it has come.") Phase phase,
    @JsonPropertyDescription("Decides the order of the arms in each round.") Long seed,
    @JsonPropertyDescription("Times that it was started or resumed.") Integer session,
    @JsonPropertyDescription("Since when it has the nodes of its profile for itself.")
        String lockedSince,
    @JsonPropertyDescription(
            "Until when others may start on the nodes, because they did not become free.")
        String givesWayUntil,
    @JsonPropertyDescription("When it ended.") String completionTime,
    @JsonPropertyDescription("The run that is prepared or runs.") ActiveRun run,
    @JsonPropertyDescription("Rounds that count.") Rounds rounds,
    @JsonPropertyDescription("Minutes that the rest takes if nothing is disturbed.")
        Integer remainingMinutes,
    @JsonPropertyDescription(
            "Why it ended: COMPLETE, BUDGET, BUDGET_TOO_SMALL, BASELINE_FAILED, NOTHING_LEFT, DISTURBED or BASELINE_UNRELIABLE.")
        String ending,
    @JsonPropertyDescription("Whether it pays, in one or two sentences.") String summary,
    @JsonPropertyDescription("What was measured of each arm.") List<ArmInfo> arms,
    @JsonPropertyDescription("The arm to use, if one is faster.") Recommendation recommendation,
    @JsonPropertyDescription("All runs that have ended, in their order.") List<RunInfo> runs,
    @JsonPropertyDescription(
            "Ready: it can run, or has run. Locked: it has the nodes for itself. Trustworthy: its controls and rounds allow a verdict."
                + " Reconciling: it is not Ready, and the operator continues by itself. Stalled: it is not Ready, and somebody has to"
                + " change something.")
        List<Condition> conditions) {

  /** How far a trial has come. */
  public enum Phase {
    /** It cannot begin: something of it has to be put right. */
    Pending,
    /** It waits for the nodes of its profile. */
    Waiting,
    Calibrating,
    Screening,
    Confirming,
    Suspended,
    Completed;

    /** Whether it has the nodes of its profile for itself. */
    public boolean isMeasuring() {
      return this == Calibrating || this == Screening || this == Confirming;
    }
  }

  /** The run that is prepared or runs. */
  public record ActiveRun(
      @JsonPropertyDescription("Name of its SparkApplication.") String name,
      @JsonPropertyDescription("Name of its arm.") String arm,
      @JsonPropertyDescription("CALIBRATION, SCREENING or CONFIRMATION.") String phase,
      @JsonPropertyDescription("Number of its round, from 0.") Integer round,
      @JsonPropertyDescription("Since when it is prepared.") String since,
      @JsonPropertyDescription("What else was seen on the nodes meanwhile.") String disturbedBy,
      @JsonPropertyDescription(
              "How busy the nodes of its executors were when they were first seen, and what others took since then.")
          List<NodeLoad> load) {

    /** The same run, disturbed by something. */
    public ActiveRun disturbedBy(String others) {
      return new ActiveRun(name, arm, phase, round, since, others, load);
    }

    /** The same run with other loads of its nodes. */
    public ActiveRun withLoad(List<NodeLoad> loads) {
      return new ActiveRun(name, arm, phase, round, since, disturbedBy, loads);
    }
  }

  /** The load of a node during a run: when it was first seen, and the difference to now. */
  public record NodeLoad(
      @JsonPropertyDescription("Name of the node.") String node,
      @JsonPropertyDescription("All time of its CPUs, when it was first seen.")
          Long totalMilliseconds,
      @JsonPropertyDescription("Time in which they did something.") Long busyMilliseconds,
      @JsonPropertyDescription("Time that the hypervisor took.") Long stolenMilliseconds,
      @JsonPropertyDescription("CPU time of the pods of the run.") Long ownMilliseconds,
      @JsonPropertyDescription("The most pods of the run that were seen there.") Integer ownPods,
      @JsonPropertyDescription("CPU time of all else since then, in percent of all CPU time.")
          Integer othersPercent,
      @JsonPropertyDescription("Time that the hypervisor took since then, in percent.")
          Integer stolenPercent) {}

  /** Rounds of the confirmation. */
  public record Rounds(
      @JsonPropertyDescription("That are to count.") Integer planned,
      @JsonPropertyDescription("That count.") Integer done,
      @JsonPropertyDescription("That were disturbed, and do not count.") Integer disturbed) {}

  /** What was measured of an arm. */
  public record ArmInfo(
      @JsonPropertyDescription("Its name.") String name,
      @JsonPropertyDescription("BASELINE, SAME, DELAYED or CANDIDATE.") String role,
      @JsonPropertyDescription("What it is.") String description,
      @JsonPropertyDescription("Rounds that count and have this arm.") Integer rounds,
      @JsonPropertyDescription("Its runs that failed in these rounds.") Integer failed,
      @JsonPropertyDescription(
              "Its time, or what spec.metric says, in percent of the baseline's: the geometric mean.")
          Double percent,
      @JsonPropertyDescription("Lower end of the interval.") Double low,
      @JsonPropertyDescription("Upper end of the interval.") Double high,
      @JsonPropertyDescription(
              "FASTER (less of what spec.metric says), SLOWER (more), EQUIVALENT, NO_DIFFERENCE_SHOWN, FAILED or NOT_MEASURED.")
          String verdict,
      @JsonPropertyDescription("Why.") String reason) {}

  /** The arm to use. */
  public record Recommendation(
      @JsonPropertyDescription("Its name.") String arm,
      @JsonPropertyDescription("Why, with the numbers.") String reason,
      @JsonPropertyDescription("Merge patch of the application's spec.") JsonNode application,
      @JsonPropertyDescription("Merge patch of the profile's spec.") JsonNode profile) {}

  /** A run that has ended. */
  public record RunInfo(
      @JsonPropertyDescription("CALIBRATION, SCREENING or CONFIRMATION.") String phase,
      @JsonPropertyDescription("Number of the round, from 0.") Integer round,
      @JsonPropertyDescription("Of the trial; a round of an interrupted one is repeated.")
          Integer session,
      @JsonPropertyDescription("Name of the arm.") String arm,
      @JsonPropertyDescription("OK, FAILED, TIMED_OUT or INVALID.") String outcome,
      @JsonPropertyDescription("From the start of the driver to its end.") Double seconds,
      @JsonPropertyDescription("From the creation of the application to its end.")
          Double wallSeconds,
      @JsonPropertyDescription("Executors proven to be pinned.") Integer pinned,
      @JsonPropertyDescription("Executors proven not to be pinned.") Integer notPinned,
      @JsonPropertyDescription("Mean of the executors, if an agent reports it.")
          Integer localMemoryPercent,
      @JsonPropertyDescription("Mean of the executors, if agents count (agent.counters.enabled).")
          ExecutorCounters counters,
      @JsonPropertyDescription(
              "CPU time of all but the run on the node where it was most, in percent of the node's; absent if no agent reported it.")
          Integer othersCpuPercent,
      @JsonPropertyDescription("CPU time that the hypervisor took there, in percent.")
          Integer stolenCpuPercent,
      @JsonPropertyDescription(
              "CPUs of all executors times the hours that they were held, if metric is ExecutorTime or Cost.")
          Double executorCpuHours,
      @JsonPropertyDescription("What driver and executors cost, if metric is Cost.") Double cost,
      @JsonPropertyDescription("Whether something else used the nodes.") Boolean disturbed,
      @JsonPropertyDescription("Why it is not OK, or what disturbed it.") String remark) {}
}
