package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs the command in this process and keeps what it printed. */
record Cli(int exitCode, String out, String err) {
  static Cli run(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    String[] texts = new String[arguments.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = String.valueOf(arguments[i]);
    }
    int exitCode = command.execute(texts);
    return new Cli(exitCode, out.toString(), err.toString());
  }

  /** Holds that a command refused its input: exit code 2, one message, no stack trace. */
  static void assertRefused(Cli cli, String message) {
    assertThat(cli.err())
        .startsWith("numaspark: " + message)
        .doesNotContain("\tat ", "Exception", "io.numaspark", "com.fasterxml", "java.lang");
    assertThat(cli.out()).isEmpty();
    assertThat(cli.exitCode()).isEqualTo(2);
  }
}
