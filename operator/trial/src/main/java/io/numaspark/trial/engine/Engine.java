package io.numaspark.trial.engine;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Role;
import io.numaspark.trial.design.RoundOrder;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Action.Ending;
import io.numaspark.trial.engine.Action.Finish;
import io.numaspark.trial.engine.Action.Start;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides what a trial runs next: one round of calibration, three of screening if there are many
 * candidates, then the rounds that count, each with all arms in a random order.
 *
 * <p>It never stops because a difference is significant: looking after each round would find one
 * where there is none in 17 of 100 trials.
 *
 * <p>Limit: it plans one run at a time, because two at once would disturb each other.
 */
public final class Engine {
  /** Rounds in which the baseline may fail. */
  private static final int MOST_BASELINE_FAILURES = 2;

  /** Between two runs of one machine: the start and end of processes. */
  private static final double PROCESS_SECONDS = 2;

  private final TrialDesign design;
  private final double secondsBetweenRuns;

  public Engine(TrialDesign design) {
    this(design, PROCESS_SECONDS);
  }

  /**
   * @param secondsBetweenRuns from the end of a run to the start of the next
   */
  public Engine(TrialDesign design, double secondsBetweenRuns) {
    this.design = design;
    this.secondsBetweenRuns = secondsBetweenRuns;
  }

  /**
   * @param journal all runs so far, of all sessions
   * @param session the one that runs now; larger than all before
   * @param spent the time of all sessions so far
   */
  public Action next(List<Run> journal, int session, Duration spent) {
    Rounds rounds = new Rounds(design, journal);
    RoundId calibration = new RoundId(Phase.CALIBRATION, 0);
    if (rounds.complete(calibration, design.arms()).isEmpty()) {
      boolean failed =
          rounds.calibration().stream()
              .anyMatch(run -> run.arm().equals(design.baseline().name()) && !run.isOk());
      return failed
          ? new Finish(Ending.BASELINE_FAILED)
          : start(rounds, calibration, baselineFirst(), session);
    }
    List<Arm> arms = rounds.confirmed();
    if (arms.stream().noneMatch(arm -> arm.role() != Role.BASELINE)) {
      return new Finish(Ending.NOTHING_LEFT);
    }
    if (isTooSmall(rounds, arms, spent)) {
      return new Finish(Ending.BUDGET_TOO_SMALL);
    }
    int screened = rounds.complete(Phase.SCREENING, arms).size();
    if (design.screens() && screened < TrialDesign.SCREENING_ROUNDS) {
      return inBudget(rounds, new RoundId(Phase.SCREENING, screened), arms, session, spent);
    }
    return confirm(rounds, arms, session, spent);
  }

  /** Before the first round that could count: whether the least number of them cannot fit. */
  private boolean isTooSmall(Rounds rounds, List<Arm> arms, Duration spent) {
    if (rounds.hasBegun(Phase.SCREENING) || rounds.hasBegun(Phase.CONFIRMATION)) {
      return false;
    }
    return spent.toMillis() / 1000.0 + leastSeconds(rounds, arms) > design.budget().toSeconds();
  }

  /** Seconds of the screening and of the fewest rounds that allow a verdict. */
  private double leastSeconds(Rounds rounds, List<Arm> arms) {
    double round = expectedSeconds(rounds, arms);
    if (!design.screens()) {
      return TrialDesign.LEAST_ROUNDS * round;
    }
    // Of the candidates at least one survives; which one is not known yet.
    int survivors =
        Math.min(arms.size(), design.arms().size() - design.only(Role.CANDIDATE).size() + 1);
    return (TrialDesign.SCREENING_ROUNDS
            + TrialDesign.LEAST_ROUNDS * (double) survivors / arms.size())
        * round;
  }

  /** The same for a trial whose calibration is complete. */
  public double leastSeconds(List<Run> journal) {
    Rounds rounds = new Rounds(design, journal);
    return leastSeconds(rounds, rounds.confirmed());
  }

  private Action confirm(Rounds rounds, List<Arm> arms, int session, Duration spent) {
    if (rounds.counted().size() >= design.rounds()) {
      return new Finish(Ending.COMPLETE);
    }
    List<Map<String, Run>> done = rounds.complete(Phase.CONFIRMATION, arms);
    long failures =
        done.stream().filter(round -> !round.get(design.baseline().name()).isOk()).count();
    if (failures > MOST_BASELINE_FAILURES) {
      return new Finish(Ending.BASELINE_UNRELIABLE);
    }
    if (done.size() >= design.mostRounds()) {
      return new Finish(Ending.DISTURBED);
    }
    return inBudget(rounds, new RoundId(Phase.CONFIRMATION, done.size()), arms, session, spent);
  }

  /** A round that has begun is finished; another one begins only if it fits. */
  private Action inBudget(
      Rounds rounds, RoundId round, List<Arm> arms, int session, Duration spent) {
    double end = spent.toMillis() / 1000.0 + expectedSeconds(rounds, arms);
    if (rounds.begun(round, session).isEmpty() && end > design.budget().toSeconds()) {
      return new Finish(Ending.BUDGET);
    }
    List<Arm> order = RoundOrder.of(design.seed(), placeInTrial(round), arms);
    return start(rounds, round, order, session);
  }

  private static Action start(Rounds rounds, RoundId round, List<Arm> order, int session) {
    Set<String> begun = rounds.begun(round, session);
    return order.stream()
        .filter(arm -> !begun.contains(arm.name()))
        .findFirst()
        .<Action>map(arm -> new Start(round, arm))
        .orElseThrow(() -> new IllegalStateException("the round " + round + " is complete"));
  }

  /** Rounds of the screening have other orders than those that count. */
  private static int placeInTrial(RoundId round) {
    return round.phase() == Phase.SCREENING
        ? round.number()
        : TrialDesign.SCREENING_ROUNDS + round.number();
  }

  private List<Arm> baselineFirst() {
    List<Arm> others = design.arms().stream().filter(arm -> arm.role() != Role.BASELINE).toList();
    return Stream.concat(Stream.of(design.baseline()), others.stream()).toList();
  }

  private double expectedSeconds(Rounds rounds, List<Arm> arms) {
    return arms.stream().mapToDouble(arm -> rounds.usualSeconds(arm) + secondsBetweenRuns).sum();
  }

  /** Seconds that the rest of the trial takes if nothing is disturbed, by the runs so far. */
  public double remainingSeconds(List<Run> journal) {
    Rounds rounds = new Rounds(design, journal);
    if (rounds.complete(new RoundId(Phase.CALIBRATION, 0), design.arms()).isEmpty()) {
      return Double.NaN;
    }
    List<Arm> arms = rounds.confirmed();
    int screening =
        design.screens()
            ? Math.max(
                0, TrialDesign.SCREENING_ROUNDS - rounds.complete(Phase.SCREENING, arms).size())
            : 0;
    int confirmation = Math.max(0, design.rounds() - rounds.counted().size());
    return (screening + confirmation) * expectedSeconds(rounds, arms);
  }
}
