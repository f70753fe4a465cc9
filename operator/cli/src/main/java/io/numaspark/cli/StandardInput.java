package io.numaspark.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Standard input as what a command reads if no file is named.
 *
 * <p>Limit: a terminal is known by Linux's /proc; without one, standard input counts as none.
 */
final class StandardInput {
  /** The name by which files stand for standard input. */
  static final String NAME = "-";

  private static final Path LINK = Path.of("/proc/self/fd/0");

  private StandardInput() {}

  /**
   * The files that were named; standard input if none was and somebody writes to it.
   *
   * @throws ParameterException if a person would have to type the documents
   */
  static List<String> unlessNamed(List<String> files, CommandSpec command) {
    return unlessNamed(files, command, LINK);
  }

  static List<String> unlessNamed(List<String> files, CommandSpec command, Path link) {
    if (files != null) {
      return files;
    }
    if (isTerminal(link)) {
      throw new ParameterException(
          command.commandLine(),
          "-f: no file is named; name one, or pipe a topology: numaspark topology | numaspark "
              + command.name());
    }
    return List.of(NAME);
  }

  /** Console() of Java 17 is null as soon as the output is a pipe, so the link is looked at. */
  private static boolean isTerminal(Path link) {
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
