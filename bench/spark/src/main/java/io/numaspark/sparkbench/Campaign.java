package io.numaspark.sparkbench;

import io.numaspark.trial.design.RoundOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Measures one suite: in each round every query, and for each query every variant, in the random
 * order of the round. What disturbs the machine for a while so disturbs all variants.
 */
final class Campaign {
  /**
   * Of the orders within rounds: a campaign that goes on, and one that is repeated, has the same.
   */
  private static final long SEED = 1;

  /**
   * @param warmups rounds that are thrown away
   * @param runs rounds that count
   * @param deadline no round begins after it
   */
  record Plan(int warmups, int runs, Instant deadline) {}

  private final Suite suite;
  private final Plan plan;
  private final Laboratory laboratory;
  private final Store store;
  private final Path rows;
  private final Progress progress;

  Campaign(
      Suite suite, Plan plan, Laboratory laboratory, Store store, Path output, Progress progress) {
    this.suite = suite;
    this.plan = plan;
    this.laboratory = laboratory;
    this.store = store;
    this.rows = output.resolve("rows").resolve(suite.name());
    this.progress = progress;
  }

  /** Returns whether all rounds were measured. */
  boolean run() throws IOException {
    int first = suite.freshSessions() ? 0 : -plan.warmups();
    Duration longest = Duration.ZERO;
    for (int round = first; round < plan.runs(); round++) {
      Instant start = Instant.now();
      if (start.plus(longest).isAfter(plan.deadline())) {
        progress.say("the time budget ends before round " + round + " would");
        return false;
      }
      for (BenchmarkQuery workload : suite.workloads()) {
        round(workload, round);
      }
      Duration took = Duration.between(start, Instant.now());
      longest = longest.compareTo(took) > 0 ? longest : took;
    }
    return true;
  }

  private void round(BenchmarkQuery workload, int round) throws IOException {
    for (Variant variant : RoundOrder.of(SEED, round, suite.variants())) {
      Measurement planned =
          new Measurement(suite.name(), workload.query(), variant.name(), round, 0, 0, 0, Map.of());
      if (store.has(planned) && rowsOf(workload, variant).toFile().exists()) {
        continue;
      }
      measure(workload, variant, round);
    }
  }

  private void measure(BenchmarkQuery workload, Variant variant, int round) throws IOException {
    Path file = rowsOf(workload, variant);
    Files.createDirectories(file.getParent());
    Measurement measured = laboratory.measure(workload, variant, round, file);
    store.add(measured);
    progress.measured(measured);
  }

  private Path rowsOf(BenchmarkQuery workload, Variant variant) {
    return rows.resolve(workload.query().replace('/', '-'))
        .resolve(variant.name().replaceAll("\\W+", "-"));
  }

  /** For each query whose rows differ between variants: where. */
  Map<String, String> differences() throws IOException {
    Map<String, String> differences = new LinkedHashMap<>();
    Variant baseline =
        suite.variants().stream()
            .filter(v -> v.name().equals(suite.baseline()))
            .findFirst()
            .orElseThrow();
    for (BenchmarkQuery workload : suite.workloads()) {
      Path expected = rowsOf(workload, baseline);
      for (Variant variant : suite.variants()) {
        Path actual = rowsOf(workload, variant);
        if (!Files.exists(expected) || !Files.exists(actual)) {
          continue;
        }
        Optional<String> difference = RowComparison.difference(expected, actual);
        difference.ifPresent(d -> differences.put(workload.query() + ", " + variant.name(), d));
      }
    }
    return differences;
  }
}
