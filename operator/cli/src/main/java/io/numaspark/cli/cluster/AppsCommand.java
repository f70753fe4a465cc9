package io.numaspark.cli.cluster;

import io.numaspark.cli.OutputOption;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists applications with what people ask first. */
@Command(
    name = "apps",
    mixinStandardHelpOptions = true,
    description =
        "Lists applications: state, executors, whether they are pinned, and what is wrong.")
final class AppsCommand implements Callable<Integer> {
  @Mixin private ClusterOption cluster;
  @Mixin private OutputOption output;

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Of all namespaces.")
  private boolean everywhere;

  @Override
  public Integer call() {
    try (Cluster open = cluster.open()) {
      ApplicationsDocument document =
          ApplicationsDocument.of(
              everywhere ? open.applicationsOfAllNamespaces() : open.applications());
      output.print(document, () -> document.table(Instant.now()));
      return 0;
    }
  }
}
