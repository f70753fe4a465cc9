package io.numaspark.cli.trial;

import io.numaspark.cli.text.InputException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The Spark that runs the application.
 *
 * <p>Limit: a folder of Spark's own distribution, with {@code bin/spark-submit} and {@code jars}.
 */
record SparkHome(Path home) {
  /** Spark writes these into its home; a run has its own. */
  private static final Set<String> WRITTEN = Set.of("work", "logs");

  /**
   * From the option, from the path of the command, from {@code SPARK_HOME}, or from {@code PATH}.
   *
   * @throws InputException if there is none
   */
  static SparkHome find(Path given, String program) {
    Optional<Path> home =
        Optional.ofNullable(given)
            .or(() -> program.contains("/") ? aboveBin(Path.of(program)) : Optional.empty())
            .or(() -> Optional.ofNullable(System.getenv("SPARK_HOME")).map(Path::of))
            .or(SparkHome::inPath);
    Path found =
        home.orElseThrow(
            () ->
                new InputException(
                    "no Spark found: give --spark-home DIR, or spark-submit with its path"));
    if (!Files.isExecutable(found.resolve("bin/spark-submit"))
        || !Files.isDirectory(found.resolve("jars"))) {
      throw new InputException(
          found
              + " is not a Spark distribution: it has no bin/spark-submit or no jars. Give --spark-home DIR");
    }
    return new SparkHome(found.toAbsolutePath().normalize());
  }

  private static Optional<Path> inPath() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "spark-submit"))
        .filter(Files::isExecutable)
        .findFirst()
        .flatMap(SparkHome::aboveBin);
  }

  private static Optional<Path> aboveBin(Path program) {
    try {
      return Optional.ofNullable(program.toRealPath().getParent()).map(Path::getParent);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A home of links, in which a run writes nothing into the real one. */
  Path linked(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (Stream<Path> entries = Files.list(home)) {
      List<Path> linked =
          entries.filter(entry -> !WRITTEN.contains(entry.getFileName().toString())).toList();
      for (Path entry : linked) {
        Files.createSymbolicLink(folder.resolve(entry.getFileName()), entry);
      }
    }
    return folder;
  }
}
