package io.numaspark.cli.cluster;

import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.OutputOption;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the nodes of all profiles. */
@Command(
    name = "nodes",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the nodes of all profiles: slots, executors, stranded CPUs, agents and findings.",
      "NOW are the slots that a node offers now; it has fewer while other pods hold CPUs, or slots are withheld."
    })
final class NodesCommand implements Callable<Integer> {
  @Mixin private ClusterOption cluster;
  @Mixin private OutputOption output;

  @Override
  public Integer call() {
    try (Cluster open = cluster.open()) {
      Map<String, SparkNodeTopology> topologies = open.topologies();
      NodesDocument document =
          NodesDocument.of(
              ProfileReading.all(open, topologies), topologies, open.applicationsOfAllNamespaces());
      output.print(document, () -> document.table(Instant.now()));
      return 0;
    }
  }
}
