package io.numaspark.cli.cluster;

import io.numaspark.cli.PlanOption;
import io.numaspark.cli.cluster.NodesDocument.ProfileNodes;
import io.numaspark.cli.text.InputException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plans a profile of the cluster on its nodes. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = "Shows how a SparkNodeProfile of the cluster splits its nodes into executors.",
    footer = {
      "",
      "Example:",
      "  kubectl numaspark plan dual-socket -o html > nodes.html",
    })
final class ClusterPlanCommand implements Callable<Integer> {
  @Mixin private ClusterOption cluster;
  @Mixin private PlanOption output;
  @Spec private CommandSpec command;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "PROFILE",
      description = "Name of the profile; may be left out where there is only one.")
  private String name;

  @Override
  public Integer call() {
    try (Cluster open = cluster.open()) {
      ProfileNodes profile = one(ProfileReading.all(open, open.topologies()));
      return output
          .report()
          .print(
              command.commandLine().getOut(), profile.profile(), profile.plan(), Optional.empty());
    }
  }

  private ProfileNodes one(List<ProfileNodes> profiles) {
    List<ProfileNodes> found =
        profiles.stream().filter(one -> name == null || nameOf(one).equals(name)).toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    String names =
        profiles.stream().map(ClusterPlanCommand::nameOf).collect(Collectors.joining(", "));
    if (profiles.isEmpty()) {
      throw new InputException("there is no SparkNodeProfile; kubectl apply one");
    }
    throw new InputException(
        name == null
            ? "there are several profiles: " + names + "; name one"
            : "there is no SparkNodeProfile " + name + "; there are " + names);
  }

  private static String nameOf(ProfileNodes one) {
    return one.profile().getMetadata().getName();
  }
}
