package io.numaspark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.numaspark.cli.smt.SmtCommand;
import io.numaspark.cli.text.InputException;
import io.numaspark.cli.trial.TrialCommand;
import io.numaspark.render.text.OneLine;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The {@code numaspark} command.
 *
 * <p>Exit codes: 0 done, 1 no executor fits, the application is refused, doctor found an error or
 * SMT was not switched, 2 the command line or a file is wrong.
 */
@Command(
    name = "numaspark",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = {
      "Plans Spark executors that stay inside one NUMA node.",
      "Only smt needs a cluster: it switches SMT of a node."
    },
    subcommands = {
      TopologyCommand.class,
      PlanCommand.class,
      SimulateCommand.class,
      InjectCommand.class,
      ConvertCommand.class,
      DoctorCommand.class,
      KubeletConfigCommand.class,
      TrialCommand.class,
      SmtCommand.class,
      HelpCommand.class,
      picocli.AutoComplete.GenerateCompletion.class
    },
    footer = {
      "",
      "Completion for bash and zsh:  source <(numaspark generate-completion)",
    })
public final class Main implements Runnable {
  public static final int EXIT_NO_PLAN = 1;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Which command?");
  }

  /** Entry point. */
  public static void main(String[] arguments) {
    // Files are UTF-8 whatever the terminal is, and inject promises to keep their bytes.
    PrintWriter out = new PrintWriter(new OutputStreamWriter(System.out, UTF_8), true);
    System.exit(commandLine().setOut(out).execute(arguments));
  }

  static CommandLine commandLine() {
    return configured(new CommandLine(new Main()));
  }

  /** How all commands of numaspark take options and tell mistakes. */
  public static CommandLine configured(CommandLine command) {
    return command
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (exception, commandLine, parsed) -> {
              if (!(exception instanceof InputException)) {
                throw exception;
              }
              commandLine.getErr().println("numaspark: " + OneLine.of(exception.getMessage()));
              return CommandLine.ExitCode.USAGE;
            });
  }

  /** The version of the jar. */
  public static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"numaspark " + (version == null ? "development build" : version)};
    }
  }
}
