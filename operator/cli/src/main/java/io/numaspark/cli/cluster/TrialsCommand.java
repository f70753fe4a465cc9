package io.numaspark.cli.cluster;

import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.cli.text.InputException;
import io.numaspark.render.sparktrial.TrialReports;
import io.numaspark.render.trial.TrialPage;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a SparkTrial has found. */
@Command(
    name = "trial",
    mixinStandardHelpOptions = true,
    description = "Shows how far a SparkTrial is and what it has found, or makes its report.",
    footer = {
      "",
      "Examples:",
      "  kubectl numaspark trial does-pinning-pay",
      "  kubectl numaspark trial does-pinning-pay -o html > report.html",
    })
final class TrialsCommand implements Callable<Integer> {

  /** How it is shown. */
  enum Format {
    TABLE,
    /** One page without other files, for a browser. */
    HTML
  }

  @Mixin private ClusterOption cluster;
  @Spec private CommandSpec command;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Parameters(index = "0", paramLabel = "TRIAL", description = "Name of the trial.")
  private String name;

  @Override
  public Integer call() {
    try (Cluster open = cluster.open()) {
      SparkTrial trial =
          open.trial(name)
              .orElseThrow(
                  () ->
                      new InputException(
                          "there is no SparkTrial %s in namespace %s; choose another with -n"
                              .formatted(name, open.namespace())));
      PrintWriter out = command.commandLine().getOut();
      out.print(format == Format.HTML ? page(trial) : TrialText.of(trial));
      out.flush();
      return 0;
    }
  }

  private static String page(SparkTrial trial) {
    try {
      return TrialPage.of(TrialReports.of(trial));
    } catch (IllegalArgumentException e) {
      throw new InputException(e.getMessage(), e);
    }
  }
}
