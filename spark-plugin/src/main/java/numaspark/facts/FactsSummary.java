package numaspark.facts;

import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.Objects;
import java.util.function.Function;
import numaspark.facts.ExecutorFacts.Pinned;

/** One number for all executors of an application; NaN where no executor knows. */
final class FactsSummary {
  private FactsSummary() {}

  static long count(Collection<ExecutorFacts> facts, Pinned verdict) {
    return facts.stream().filter(executor -> executor.placement().pinned() == verdict).count();
  }

  static double mean(Collection<ExecutorFacts> facts, Function<ExecutorFacts, Double> value) {
    DoubleSummaryStatistics known = known(facts, value);
    return known.getCount() == 0 ? Double.NaN : known.getAverage();
  }

  static double least(Collection<ExecutorFacts> facts, Function<ExecutorFacts, Double> value) {
    DoubleSummaryStatistics known = known(facts, value);
    return known.getCount() == 0 ? Double.NaN : known.getMin();
  }

  static double most(Collection<ExecutorFacts> facts, Function<ExecutorFacts, Double> value) {
    DoubleSummaryStatistics known = known(facts, value);
    return known.getCount() == 0 ? Double.NaN : known.getMax();
  }

  static double sum(Collection<ExecutorFacts> facts, Function<ExecutorFacts, Double> value) {
    DoubleSummaryStatistics known = known(facts, value);
    return known.getCount() == 0 ? Double.NaN : known.getSum();
  }

  private static DoubleSummaryStatistics known(
      Collection<ExecutorFacts> facts, Function<ExecutorFacts, Double> value) {
    return facts.stream()
        .map(value)
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .summaryStatistics();
  }

  static Double locality(ExecutorFacts facts) {
    return facts.pages() == null ? null : facts.pages().locality();
  }

  static Double waitShare(ExecutorFacts facts) {
    return facts.runQueue() == null ? null : facts.runQueue().waitShare();
  }

  static Double throttledSeconds(ExecutorFacts facts) {
    return facts.throttling() == null ? null : facts.throttling().seconds();
  }

  static Double tasks(ExecutorFacts facts) {
    return facts.tasks() == null ? null : facts.tasks().mean();
  }

  /** CPUs in use, the mean of the interval. */
  static Double cpus(ExecutorFacts facts) {
    return facts.cpuTime() == null || facts.interval() == null
        ? null
        : facts.cpuTime() / facts.interval();
  }

  static Double pressure(ExecutorFacts facts, Function<ExecutorFacts.Pressure, Double> resource) {
    return facts.pressure() == null ? null : resource.apply(facts.pressure());
  }
}
