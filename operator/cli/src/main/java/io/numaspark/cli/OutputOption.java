package io.numaspark.cli;

import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The option -o of commands that answer with a document, which is a table unless told otherwise.
 */
public final class OutputOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, yaml or json (default: ${DEFAULT-VALUE}).")
  private OutputFormat format;

  /** Prints a document as it is, or as the given table. */
  public void print(Object document, Supplier<String> table) {
    command
        .commandLine()
        .getOut()
        .print(format == OutputFormat.TABLE ? table.get() : format.print(document));
    command.commandLine().getOut().flush();
  }
}
