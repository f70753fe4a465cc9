package io.numaspark.sparkbench;

import io.numaspark.trial.statistics.PairedRatios;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The results of one suite as Markdown: goals, times, and what they took. */
final class Report {

  private final Results results;
  private final Suite suite;
  private final StringBuilder text = new StringBuilder();

  private Report(Results results) {
    this.results = results;
    this.suite = results.suite();
  }

  /**
   * @param differences of rows between variants, by query and variant
   * @param plot file name of the plot, beside the report
   */
  static String of(Results results, Map<String, String> differences, String plot) {
    Report report = new Report(results);
    report.head(plot);
    report.goals();
    report.times();
    report.costs();
    report.rows(differences);
    return report.text.toString();
  }

  private void head(String plot) {
    int rounds =
        (int) results.measurements().stream().mapToInt(Measurement::round).distinct().count();
    line("## " + suite.title());
    line("");
    line("`--suite " + suite.name() + "`, " + rounds + (rounds == 1 ? " round" : " rounds") + ".");
    line("");
    line("![" + suite.title() + "](" + plot + ")");
    line("");
  }

  private void goals() {
    for (Goal goal : suite.goals()) {
      Optional<Goal.Verdict> verdict = goal.judge(results);
      line("- " + goal.text() + ": " + verdict.map(Goal.Verdict::text).orElse("not measured"));
    }
    if (!suite.goals().isEmpty()) {
      line("");
    }
  }

  /** Seconds of the baseline, and for the others the share of it. */
  private void times() {
    List<String> others = others();
    line("| query | " + suite.baseline() + " | " + String.join(" | ", others) + " |");
    line("| --- |" + " ---: |".repeat(others.size() + 1));
    for (String query : results.queries()) {
      String base =
          results
              .sample(query, suite.baseline(), Measurement::seconds)
              .map(s -> format("%.2f ± %.2f s", s.median(), s.mad()))
              .orElse("");
      String shares = others.stream().map(v -> share(query, v)).collect(Collectors.joining(" | "));
      line("| " + query + " | " + base + " | " + shares + " |");
    }
    line("");
    others.stream()
        .filter(variant -> !suite.baselineOf(variant).equals(suite.baseline()))
        .forEach(
            v ->
                line(
                    v
                        + " is compared with "
                        + suite.baselineOf(v)
                        + ", all others with the first."));
    line(
        "Seconds: median ± median absolute deviation. Shares: median (best to worst round) of a round's time over the baseline's in the "
            + "same round.");
    line("");
  }

  private String share(String query, String variant) {
    return results
        .ratio(query, variant)
        .map(
            r ->
                format(
                    "%.0f %% (%.0f to %.0f)",
                    r.median() * 100, r.range().low() * 100, r.range().high() * 100))
        .orElse("");
  }

  private void costs() {
    line("| over all queries | " + String.join(" | ", results.variants()) + " |");
    line("| --- |" + " ---: |".repeat(results.variants().size()));
    row("median share of time", variant -> median(results.queries(), variant));
    row(
        "the same, shuffle-heavy half",
        variant -> median(results.shuffleHeavy(suite.baseline()), variant));
    row("CPU, s, sum of medians", variant -> format("%.1f", sum(variant, Measurement::cpuSeconds)));
    row(
        "GC, share of task time",
        variant -> format("%.1f %%", average(variant, Measurement::gcShare) * 100));
    row("memory, MiB, largest", variant -> format("%.0f", largest(variant)));
    row(
        "shuffle, MiB, sum of medians",
        variant -> format("%.0f", sum(variant, m -> m.total("shuffleBytes")) / (1 << 20)));
    row(
        "spilled to disk, MiB",
        variant -> format("%.0f", sum(variant, m -> m.total("spilledBytes")) / (1 << 20)));
    line("");
  }

  private void row(String name, java.util.function.Function<String, String> cell) {
    line(
        "| "
            + name
            + " | "
            + results.variants().stream().map(cell).collect(Collectors.joining(" | "))
            + " |");
  }

  private String median(List<String> queries, String variant) {
    List<Double> ratios =
        queries.stream()
            .flatMap(query -> results.ratio(query, variant).stream())
            .map(PairedRatios::median)
            .toList();
    return ratios.isEmpty() ? "" : format("%.0f %%", Sample.of(ratios).median() * 100);
  }

  private double sum(String variant, java.util.function.ToDoubleFunction<Measurement> number) {
    return results.queries().stream()
        .flatMap(query -> results.sample(query, variant, number).stream())
        .mapToDouble(Sample::median)
        .sum();
  }

  private double average(String variant, java.util.function.ToDoubleFunction<Measurement> number) {
    return results.queries().stream()
        .flatMap(query -> results.sample(query, variant, number).stream())
        .mapToDouble(Sample::median)
        .average()
        .orElse(0);
  }

  private double largest(String variant) {
    return results.measurements().stream()
        .filter(m -> m.variant().equals(variant))
        .mapToDouble(Measurement::memoryMebibytes)
        .max()
        .orElse(0);
  }

  private void rows(Map<String, String> differences) {
    if (differences.isEmpty()) {
      line("Results: the same rows in all variants.");
    } else {
      line("**Results differ** from " + suite.baseline() + ":");
      line("");
      differences.forEach((where, what) -> line("- " + where + ": " + what));
    }
    line("");
  }

  private List<String> others() {
    return results.variants().stream()
        .filter(variant -> !variant.equals(suite.baseline()))
        .toList();
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
