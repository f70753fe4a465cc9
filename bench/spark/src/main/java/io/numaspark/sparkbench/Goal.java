package io.numaspark.sparkbench;

import io.numaspark.trial.statistics.PairedRatios;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Something that the numbers should show, decided before they are there. */
sealed interface Goal {

  /** What the goal says, for people. */
  String text();

  /**
   * The number that decides, lower is better, and the bound.
   *
   * @return empty when it was not measured
   */
  Optional<Verdict> judge(Results results);

  /**
   * @param measured as a share
   * @param bound as a share
   * @param remark what the verdict rests on; may be empty
   */
  record Verdict(double measured, double bound, String remark) {
    Verdict(double measured, double bound) {
      this(measured, bound, "");
    }

    boolean met() {
      return measured <= bound;
    }

    String text() {
      return String.format(
          Locale.ROOT,
          "%s: %+.1f %% of time, at most %+.1f %%%s",
          met() ? "**met**" : "**not met**",
          (measured - 1) * 100,
          (bound - 1) * 100,
          remark.isEmpty() ? "" : " (" + remark + ")");
    }
  }

  /** The median of a variant's ratios over the shuffle-heavy queries. */
  record MedianOfShuffleHeavy(String variant, String baseline, double bound) implements Goal {

    @Override
    public String text() {
      return String.format(
          Locale.ROOT,
          "%s: median over the shuffle-heavy queries at least %.0f %% less time than %s",
          variant,
          (1 - bound) * 100,
          baseline);
    }

    @Override
    public Optional<Verdict> judge(Results results) {
      List<Double> ratios = ratios(results, results.shuffleHeavy(baseline), variant, baseline);
      return ratios.isEmpty()
          ? Optional.empty()
          : Optional.of(new Verdict(Sample.of(ratios).median(), bound));
    }
  }

  /** The worst of a variant's ratios over all queries. */
  record NoQuerySlower(String variant, String baseline, double bound) implements Goal {

    @Override
    public String text() {
      return String.format(
          Locale.ROOT,
          "%s: no query more than %.0f %% slower than %s",
          variant,
          (bound - 1) * 100,
          baseline);
    }

    @Override
    public Optional<Verdict> judge(Results results) {
      List<Double> ratios = ratios(results, results.queries(), variant, baseline);
      return ratios.isEmpty()
          ? Optional.empty()
          : Optional.of(new Verdict(Sample.of(ratios).max(), bound));
    }
  }

  /** One query's ratio. */
  record OneQuery(String query, String variant, String baseline, double bound) implements Goal {

    @Override
    public String text() {
      String more =
          bound > 1 ? "at most %.0f %% more time than %s" : "at least %.0f %% less time than %s";
      return String.format(
          Locale.ROOT, "%s, %s: " + more, query, variant, Math.abs(1 - bound) * 100, baseline);
    }

    @Override
    public Optional<Verdict> judge(Results results) {
      return results
          .ratio(query, variant, baseline)
          .map(ratio -> new Verdict(ratio.median(), bound));
    }
  }

  /** One query's ratio to the best of several variants, the best by the median of its times. */
  record NearBest(String query, String variant, List<String> candidates, double bound)
      implements Goal {

    @Override
    public String text() {
      return String.format(
          Locale.ROOT,
          "%s, %s: within %.0f %% of the best of %s",
          query,
          variant,
          (bound - 1) * 100,
          String.join(", ", candidates));
    }

    @Override
    public Optional<Verdict> judge(Results results) {
      Map<Boolean, List<String>> byMeasured =
          candidates.stream()
              .collect(Collectors.partitioningBy(name -> !results.of(query, name).isEmpty()));
      String missing = String.join(", ", byMeasured.get(false));
      return byMeasured.get(true).stream()
          .min((a, b) -> Double.compare(seconds(results, a), seconds(results, b)))
          .flatMap(
              best ->
                  results
                      .ratio(query, variant, best)
                      .map(
                          ratio ->
                              new Verdict(
                                  ratio.median(),
                                  bound,
                                  "the best is "
                                      + best
                                      + (missing.isEmpty() ? "" : "; not measured: " + missing))));
    }

    private double seconds(Results results, String candidate) {
      return results.sample(query, candidate, Measurement::seconds).orElseThrow().median();
    }
  }

  private static List<Double> ratios(
      Results results, List<String> queries, String variant, String baseline) {
    return queries.stream()
        .flatMap(query -> results.ratio(query, variant, baseline).stream())
        .map(PairedRatios::median)
        .toList();
  }
}
