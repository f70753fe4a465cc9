package io.numaspark.sparkbench;

import io.numaspark.trial.statistics.PairedRatios;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The measurements of one suite that count, without warm-ups.
 *
 * @param measurements in any order
 */
record Results(Suite suite, List<Measurement> measurements) {

  Results {
    String name = suite.name();
    measurements =
        measurements.stream().filter(m -> m.suite().equals(name) && m.round() >= 0).toList();
  }

  List<Measurement> of(String query, String variant) {
    return measurements.stream()
        .filter(m -> m.query().equals(query) && m.variant().equals(variant))
        .toList();
  }

  Optional<Sample> sample(String query, String variant, ToDoubleFunction<Measurement> number) {
    List<Double> numbers = of(query, variant).stream().mapToDouble(number).boxed().toList();
    return numbers.isEmpty() ? Optional.empty() : Optional.of(Sample.of(numbers));
  }

  /**
   * A variant's time as a share of another's, round by round: what disturbed a whole round disturbs
   * both. Below 1 is faster.
   *
   * @return empty when no round has both
   */
  Optional<PairedRatios> ratio(String query, String variant, String baseline) {
    Map<Integer, Double> base = new HashMap<>();
    of(query, baseline).forEach(m -> base.put(m.round(), m.seconds()));
    List<Double> ratios =
        of(query, variant).stream()
            .filter(m -> base.containsKey(m.round()))
            .map(m -> m.seconds() / base.get(m.round()))
            .toList();
    return ratios.isEmpty() ? Optional.empty() : Optional.of(PairedRatios.of(ratios));
  }

  /** The ratio to what the suite compares the variant with. */
  Optional<PairedRatios> ratio(String query, String variant) {
    return ratio(query, variant, suite.baselineOf(variant));
  }

  /** Names of the queries that were measured, in the suite's order. */
  List<String> queries() {
    return suite.workloads().stream()
        .map(BenchmarkQuery::query)
        .filter(query -> measurements.stream().anyMatch(m -> m.query().equals(query)))
        .toList();
  }

  /** Names of the variants that were measured, in the suite's order. */
  List<String> variants() {
    return suite.variants().stream()
        .map(Variant::name)
        .filter(variant -> measurements.stream().anyMatch(m -> m.variant().equals(variant)))
        .toList();
  }

  /**
   * The half of the queries that write the most bytes of shuffle in a variant: "shuffle-heavy"
   * without a choice after the fact.
   */
  List<String> shuffleHeavy(String variant) {
    Comparator<String> mostBytesFirst =
        Comparator.comparingDouble(
            query ->
                -sample(query, variant, m -> m.total("shuffleBytes"))
                    .map(Sample::median)
                    .orElse(0.0));
    Collection<String> queries = queries();
    return queries.stream().sorted(mostBytesFirst).limit((queries.size() + 1) / 2).toList();
  }
}
