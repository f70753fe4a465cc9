package io.numaspark.trial.design;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is decided before the first run.
 *
 * @param seed of the order within rounds
 * @param arms one baseline, controls, and candidates
 * @param rounds that are to count, {@value #LEAST_ROUNDS} to {@value #MOST_ROUNDS}
 * @param metric what arms are compared by
 * @param minimumEffect the smallest difference that matters, and the margin of equivalence: 0.03 is
 *     3 %
 * @param delay of the slowed control as a share of its time: 0.1 is 10 %; 0 if there is none
 * @param budget no round begins that is expected to end later
 */
public record TrialDesign(
    long seed,
    List<Arm> arms,
    Metric metric,
    int rounds,
    double minimumEffect,
    double delay,
    Duration budget) {

  /** With fewer, the interval of a quiet machine is wider than the effects that are looked for. */
  public static final int LEAST_ROUNDS = 5;

  public static final int MOST_ROUNDS = 50;

  /** Confidence of all intervals of candidates together. */
  public static final double CONFIDENCE = 0.95;

  /** Of the A/A control: an honest trial fails once in a hundred. */
  public static final double SAME_CONFIDENCE = 0.99;

  /** Up to so many candidates are measured without dropping some first. */
  public static final int MOST_CONFIRMED = 3;

  /** Rounds after which the worst of many candidates are dropped. They do not count later. */
  public static final int SCREENING_ROUNDS = 3;

  /**
   * Share of a machine's CPU time that others, or the hypervisor, may take during a run; with more
   * its round is disturbed.
   */
  public static final double MOST_FOREIGN = 0.05;

  private static final int MOST_ARMS = 12;

  public TrialDesign {
    arms = List.copyOf(arms);
    require(
        arms.stream().filter(arm -> arm.role() == Role.BASELINE).count() == 1,
        "a trial has one baseline");
    require(arms.size() <= MOST_ARMS, "a trial has at most " + MOST_ARMS + " arms");
    require(
        arms.size() >= 2,
        "a trial compares two arms or more; this machine allows only the baseline");
    Set<String> names = new HashSet<>();
    arms.forEach(arm -> require(names.add(arm.name()), "two arms have the name " + arm.name()));
    require(
        LEAST_ROUNDS <= rounds && rounds <= MOST_ROUNDS,
        "rounds: %d to %d, not %d".formatted(LEAST_ROUNDS, MOST_ROUNDS, rounds));
    require(
        0.001 <= minimumEffect && minimumEffect <= 0.5,
        "minimum effect: 0.1 % to 50 %, not " + minimumEffect * 100 + " %");
    require(0 <= delay && delay <= 1, "delay: 0 % to 100 %, not " + delay * 100 + " %");
    require(
        delay == 0 || metric.growsByWaiting(),
        "delay: waiting takes no %s, so there is no such control; it has to be 0"
            .formatted(metric.words()));
    require(!budget.isNegative() && !budget.isZero(), "budget: more than 0");
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  public Arm baseline() {
    return only(Role.BASELINE).get(0);
  }

  public List<Arm> only(Role role) {
    return arms.stream().filter(arm -> arm.role() == role).toList();
  }

  /** Whether the worst candidates are dropped before the rounds that count. */
  public boolean screens() {
    return only(Role.CANDIDATE).size() > MOST_CONFIRMED;
  }

  /** Rounds after which no more are begun, whatever was disturbed. */
  public int mostRounds() {
    return rounds + Math.max(2, rounds / 2);
  }
}
