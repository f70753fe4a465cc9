package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import picocli.CommandLine;

/** The command for the tests of other packages. */
public final class CommandLines {
  private CommandLines() {}

  /** The command line as {@code numaspark} has it. */
  public static CommandLine make() {
    return Main.commandLine();
  }

  /** Runs the command and keeps its words to itself; the exit code. */
  public static int run(Object... arguments) {
    return Cli.run(arguments).exitCode();
  }

  /** What the command prints when it ends well. */
  public static String output(Object... arguments) {
    Cli cli = Cli.run(arguments);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    return cli.out();
  }
}
