package io.numaspark.render.trial;

import io.numaspark.render.picture.Markup;
import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Run;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What the runs of each arm took beside time, as means over the rounds that count: why an arm is
 * faster. A measure that no run has is left out.
 */
final class CostTable {

  /** A measure of runs, and how the table calls it. */
  private record Column(String measure, String heading) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("cpuSeconds", "CPU, s"),
          new Column("executorCpuHours", "executors, CPU-hours"),
          new Column("cost", "cost"),
          new Column("taskSeconds", "tasks, s"),
          new Column("taskCpuSeconds", "CPU of tasks, s"),
          new Column("gcSeconds", "garbage collection, s"),
          new Column("shuffleWrittenMebibytes", "shuffle, MiB"),
          new Column("spilledMebibytes", "spilled, MiB"),
          new Column("memoryPeakMebibytes", "memory at most, MiB"),
          new Column("foreignCpuPercent", "CPU of others, %"),
          new Column("localMemoryPercent", "own memory, %"),
          new Column("instructionsPerCycle", "instructions a cycle"),
          new Column("cacheMissesPerThousandInstructions", "cache misses in 1000 instructions"),
          new Column("remoteAccessPercent", "remote accesses, %"),
          new Column("memoryReadMegabytesPerSecond", "read from memory by an executor, MB/s"),
          new Column("stalledPercent", "stalled, %"),
          new Column("switchesPerSecond", "switches, 1/s"),
          new Column("migrationsPerSecond", "migrations, 1/s"));

  private final TrialDesign design;
  private final List<Map<String, Run>> rounds;

  /**
   * @param rounds those that count
   */
  CostTable(TrialDesign design, List<Map<String, Run>> rounds) {
    this.design = design;
    this.rounds = rounds;
  }

  void draw(Markup page) {
    List<Column> columns =
        COLUMNS.stream()
            .filter(column -> design.arms().stream().anyMatch(arm -> mean(arm, column).isPresent()))
            .toList();
    if (columns.isEmpty()) {
      return;
    }
    page.element("h2", "What the arms took").open("table").open("tr").element("th", "arm");
    columns.forEach(column -> page.element("th", column.heading()));
    page.close();
    for (Arm arm : design.arms()) {
      page.open("tr").element("td", arm.name());
      for (Column column : columns) {
        OptionalDouble mean = mean(arm, column);
        page.element("td", mean.isPresent() ? text(mean.getAsDouble()) : "-");
      }
      page.close();
    }
    page.close();
    page.element(
        "p",
        "Means over the rounds that count. Tasks: time of all tasks together, from Spark's event log; garbage collection is a part of"
            + " it.");
  }

  /** One digit after the point, and of small numbers three digits. */
  private static String text(double mean) {
    return mean != 0 && Math.abs(mean) < 10
        ? new BigDecimal(mean).round(new MathContext(3)).toPlainString()
        : String.format(Locale.ROOT, "%.1f", mean);
  }

  private OptionalDouble mean(Arm arm, Column column) {
    return rounds.stream()
        .map(round -> round.get(arm.name()))
        .filter(run -> run != null && run.isOk() && run.measures().containsKey(column.measure()))
        .mapToDouble(run -> run.measures().get(column.measure()))
        .average();
  }
}
