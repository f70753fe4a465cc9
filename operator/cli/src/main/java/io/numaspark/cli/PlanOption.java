package io.numaspark.cli;

import picocli.CommandLine.Option;

/** The options of commands that print a plan. */
public final class PlanOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description =
          "table, yaml, json, or svg or html for a picture of each node class (default: ${DEFAULT-VALUE}).")
  private PlanReport.Format format;

  @Option(
      names = "--explain",
      description =
          "Shows all executor shapes that were weighed and why each lost, better reservations, and what one shape costs"
              + " each of several node classes.")
  private boolean explain;

  /** What prints the plan as asked. */
  public PlanReport report() {
    return new PlanReport(format, explain);
  }
}
