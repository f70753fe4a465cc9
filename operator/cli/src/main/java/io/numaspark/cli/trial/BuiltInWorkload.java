package io.numaspark.cli.trial;

import io.numaspark.cli.text.InputException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Applications that a trial can run if the user has none of their own. */
enum BuiltInWorkload {
  /** All 22 queries. */
  TPCH,
  TERASORT,
  KMEANS,
  WORDCOUNT,
  PAGERANK;

  private static final String MAIN = "io.numaspark.sparkbench.app.Workload";
  private static final String JAR = "numaspark-bench-spark.jar";

  /**
   * The command that runs it.
   *
   * @param jars folder with the jars of the workloads; null for that of the checkout that this
   *     program runs from
   * @param data folder that the input is made in
   * @param gigabytes about the size of the input
   * @throws InputException if the jars are not there
   */
  List<String> command(Path jars, Path data, double gigabytes) {
    Path folder = jars != null ? jars : ofCheckout();
    if (!Files.isRegularFile(folder.resolve(JAR))) {
      throw new InputException(
          "--workload: %s is not in %s; run 'make build' in a checkout, or give --workload-jars DIR"
              .formatted(JAR, folder));
    }
    List<String> command =
        new ArrayList<>(List.of("spark-submit", "--class", MAIN, "--jars", libraries(folder)));
    command.addAll(
        List.of(
            folder.resolve(JAR).toString(),
            name().toLowerCase(Locale.ROOT),
            data.toAbsolutePath().toString(),
            Double.toString(gigabytes)));
    return command;
  }

  /** Beside operator/cli/target/app/lib, where this class is. */
  private static Path ofCheckout() {
    try {
      Path lib =
          Path.of(BuiltInWorkload.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .getParent();
      return lib.resolve("../../../../../bench/spark/target/app/lib").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What Spark does not bring. */
  private static String libraries(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(Path::toString)
          .filter(file -> file.matches(".*/tpch-[^/]*\\.jar"))
          .findFirst()
          .orElseThrow(() -> new InputException(folder + " has no tpch-*.jar"));
    } catch (IOException e) {
      throw new InputException(folder + " cannot be read", e);
    }
  }
}
