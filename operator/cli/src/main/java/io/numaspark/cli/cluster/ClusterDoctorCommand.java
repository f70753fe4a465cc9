package io.numaspark.cli.cluster;

import io.numaspark.cli.DoctorDocument;
import io.numaspark.cli.DoctorTable;
import io.numaspark.cli.Main;
import io.numaspark.cli.OutputOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells what is wrong in the cluster, the worst first. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Lists what is wrong with profiles, nodes and applications of the whole cluster, the worst first.",
      "Exit code 0 without errors, 1 with errors, 2 if the cluster does not answer."
    })
final class ClusterDoctorCommand implements Callable<Integer> {
  @Mixin private ClusterOption cluster;
  @Mixin private OutputOption output;

  @Override
  public Integer call() {
    try (Cluster open = cluster.open()) {
      DoctorDocument document =
          ClusterFindings.of(open.profiles(), open.applicationsOfAllNamespaces());
      output.print(document, () -> DoctorTable.print(document));
      return document.errors() > 0 ? Main.EXIT_NO_PLAN : 0;
    }
  }
}
