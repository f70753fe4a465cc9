package io.numaspark.cli.cluster;

import picocli.CommandLine;

/** The plugin's command for the tests of other packages. */
public final class KubectlCommandLines {
  private KubectlCommandLines() {}

  /** The command line as {@code kubectl numaspark} has it. */
  public static CommandLine make() {
    return KubectlMain.commandLine();
  }
}
