package io.numaspark.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.numaspark.cli.Main;
import io.numaspark.cli.smt.SmtCommand;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command {@code kubectl numaspark}: kubectl finds it as {@code kubectl-numaspark} in PATH.
 *
 * <p>Exit codes: 0 done, 1 doctor found an error, no executor fits or SMT was not switched, 2 the
 * command line is wrong or the cluster does not answer.
 */
@Command(
    name = "kubectl numaspark",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = {
      "Shows what numaspark runs where, and why not.",
      "Only smt changes something: it switches SMT of a node."
    },
    subcommands = {
      AppsCommand.class,
      NodesCommand.class,
      ClusterPlanCommand.class,
      ClusterDoctorCommand.class,
      WhyCommand.class,
      TrialsCommand.class,
      SmtCommand.class,
      CompleteCommand.class,
      HelpCommand.class
    })
public final class KubectlMain implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Which command?");
  }

  /** Entry point. */
  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(new OutputStreamWriter(System.out, UTF_8), true);
    System.exit(commandLine().setOut(out).execute(arguments));
  }

  static CommandLine commandLine() {
    return Main.configured(new CommandLine(new KubectlMain()));
  }
}
