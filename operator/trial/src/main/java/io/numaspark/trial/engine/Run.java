package io.numaspark.trial.engine;

import io.numaspark.trial.design.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One run of one arm: a line of the trial's journal.
 *
 * @param session which start of the trial made it; a round of an interrupted session is repeated
 * @param seconds from the start of the application to its end
 * @param measures numbers beside the time, such as {@code cpuSeconds}
 * @param remarks why it is not OK, or what disturbed it, in sentences
 * @param disturbed whether something else used the machine beyond the thresholds of the trial
 */
public record Run(
    RoundId round,
    int session,
    String arm,
    Outcome outcome,
    double seconds,
    SortedMap<String, Double> measures,
    List<String> remarks,
    boolean disturbed) {
  private static final double MOST_SECONDS = 1e7;

  public Run {
    Objects.requireNonNull(round, "round");
    Objects.requireNonNull(arm, "arm");
    Objects.requireNonNull(outcome, "outcome");
    if (!(seconds > 0 && seconds < MOST_SECONDS)) {
      throw new IllegalArgumentException("seconds: " + seconds);
    }
    measures = new TreeMap<>(measures);
    remarks = List.copyOf(remarks);
  }

  public Run(RoundId round, int session, String arm, Outcome outcome, double seconds) {
    this(round, session, arm, outcome, seconds, new TreeMap<>(Map.of()), List.of(), false);
  }

  /** How much of a metric it took; NaN if that is not known. */
  public double value(Metric metric) {
    return metric == Metric.DURATION
        ? seconds
        : measures.getOrDefault(metric.measure(), Double.NaN);
  }

  /** The same run, and invalid if it cannot be compared by this metric. */
  Run comparedBy(Metric metric) {
    double value = value(metric);
    if (!isOk() || value > 0 && value < Double.POSITIVE_INFINITY) {
      return this;
    }
    return invalid("Its %s is not known.".formatted(metric.words()));
  }

  /** The same run, and invalid for this reason, too. */
  public Run invalid(String remark) {
    List<String> more = new ArrayList<>(remarks);
    more.add(remark);
    return new Run(round, session, arm, Outcome.INVALID, seconds, measures, more, disturbed);
  }

  public boolean isOk() {
    return outcome == Outcome.OK;
  }
}
