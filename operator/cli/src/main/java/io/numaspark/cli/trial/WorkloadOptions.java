package io.numaspark.cli.trial;

import io.numaspark.cli.text.InputException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of a trial without an application of the user's own. */
final class WorkloadOptions {

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      description = "Run this instead of a COMMAND: ${COMPLETION-CANDIDATES}.")
  private BuiltInWorkload workload;

  @Option(
      names = "--size",
      paramLabel = "GB",
      defaultValue = "1",
      description = "About the size of the input of --workload (default: ${DEFAULT-VALUE}).")
  private double size;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Where the input of --workload is made, and kept (default: data in the folder of the trial).")
  private Path data;

  @Option(
      names = "--workload-jars",
      paramLabel = "DIR",
      description = "Jars of --workload (default: those that 'make build' made in this checkout).")
  private Path jars;

  boolean isGiven() {
    return workload != null;
  }

  /**
   * The command that runs the workload, which removes what it writes; empty if none is asked for.
   *
   * @param output folder of the trial
   */
  Optional<List<String>> command(Path output) {
    if (workload == null) {
      return Optional.empty();
    }
    if (!(size > 0 && size <= 10_000)) {
      throw new InputException("--size: more than 0 and at most 10000 GB");
    }
    Path input = data == null ? output.resolve("data") : data;
    return Optional.of(workload.command(jars, input, size));
  }
}
