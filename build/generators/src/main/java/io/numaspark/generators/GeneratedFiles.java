package io.numaspark.generators;

import io.numaspark.generators.chart.ChartFiles;
import io.numaspark.generators.crd.CrdFiles;
import io.numaspark.generators.dashboard.Dashboards;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * All files that are generated from the records of the API, from the chart's values and from code.
 *
 * <p>Limit: it writes nothing. A golden test compares the files with these texts, and {@code make
 * generate} makes it write them.
 */
public final class GeneratedFiles {
  private GeneratedFiles() {}

  /** In no particular order: none is made from another. */
  public static List<GeneratedFile> of(Path repository) throws IOException {
    return Stream.of(CrdFiles.all(), ChartFiles.of(repository), Dashboards.files())
        .flatMap(List::stream)
        .toList();
  }
}
