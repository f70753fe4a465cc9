package io.numaspark.sparkbench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The folders and files that a run works with.
 *
 * @param spark a distribution of Spark
 * @param jars this program's own, for Spark's class path
 * @param plugin the jar under test
 * @param cache where data sets are kept
 * @param scratch on the machine's disk; who started this program deletes it
 * @param tmpfs the same in memory
 * @param device program that emulates a disk
 */
record RunFolders(
    Path spark, Path jars, Path plugin, Path cache, Path scratch, Path tmpfs, Path device) {

  Path dataset(Dataset dataset) {
    return cache.resolve(dataset.name());
  }

  /**
   * What Spark needs. Not the whole folder of jars: what only the harness needs, Spark has in other
   * versions.
   */
  String classPath() {
    return String.join(":", plugin.toString(), jar("numaspark-bench-spark"), jar("tpch"));
  }

  private String jar(String name) {
    try (Stream<Path> files = Files.list(jars)) {
      return files
          .map(Path::toString)
          .filter(file -> file.matches(".*/" + name + "(-[0-9.]+)?\\.jar"))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalStateException(
                      jars + " has no " + name + ": build bench-spark again"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
