package io.numaspark.cli;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.cli.text.InputException;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plans a profile on the nodes of the given topologies, with the code that the operator runs. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Shows how a SparkNodeProfile splits nodes into executors, and what an application gets.",
      "Every topology given counts as a node of the profile, whatever its nodeSelector.",
      "Without a profile it plans one whose fields have their defaults.",
      "It assumes that the chart has agent.pinner.enabled=true, whose default is false (docs/plans.md)."
    },
    footer = {
      "",
      "Examples:",
      "  numaspark topology | numaspark plan",
      "  numaspark plan -f topologies/ -f profile.yaml -f application.yaml --explain",
      "  numaspark plan -f topology.yaml -f profile.yaml --for-autoscaler aws --node-group spark",
    })
final class PlanCommand implements Callable<Integer> {
  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      description =
          "File or folder with SparkNodeTopology, and at most one SparkNodeProfile and SparkApplication; - is standard input, which is"
              + " the default. May be given several times.")
  private List<String> files;

  @Mixin private PlanOption output;

  @Option(
      names = "--properties",
      description =
          "Shows every Spark property of the SparkApplication, where its value comes from, and what it replaces.")
  private boolean properties;

  @Mixin private AutoscalerOption autoscaler;

  @Spec private CommandSpec command;

  @Override
  public Integer call() {
    autoscaler.check(command);
    Documents documents = Documents.read(StandardInput.unlessNamed(files, command), System.in);
    if (autoscaler.isGiven()) {
      SparkNodeProfile profile = one(documents.profiles());
      return autoscaler.print(command, profile, plan(profile, documents));
    }
    SparkNodeProfile profile = profile(documents);
    if (documents.applications().size() > 1) {
      throw new InputException("more than one SparkApplication in the files; give one");
    }
    documents.applications().forEach(application -> checkProfile(application, profile));
    if (properties && documents.applications().isEmpty()) {
      throw new InputException(
          "--properties: there is no SparkApplication in the files; add one with -f");
    }
    return (properties ? output.report().withProperties() : output.report())
        .print(
            command.commandLine().getOut(),
            profile,
            plan(profile, documents),
            documents.applications().stream().findFirst());
  }

  /** The profile; a default one for those who have none yet. */
  private SparkNodeProfile profile(Documents documents) {
    boolean named =
        documents.applications().stream().anyMatch(app -> app.getSpec().nodeProfile() != null);
    if (named || !documents.profiles().isEmpty()) {
      return one(documents.profiles());
    }
    if (documents.topologies().isEmpty()) {
      throw new InputException("no SparkNodeTopology in the files; add one with -f");
    }
    command.commandLine().getErr().println("numaspark: " + DefaultProfile.NOTE);
    return DefaultProfile.make();
  }

  static SparkNodeProfile one(List<SparkNodeProfile> profiles) {
    if (profiles.size() != 1) {
      throw new InputException(
          profiles.isEmpty()
              ? "no SparkNodeProfile in the files; add one with -f"
              : "more than one SparkNodeProfile in the files: "
                  + profiles.stream()
                      .map(p -> p.getMetadata().getName())
                      .collect(Collectors.joining(", "))
                  + "; give one");
    }
    return profiles.get(0);
  }

  private static void checkProfile(SparkApplication application, SparkNodeProfile profile) {
    String wanted = application.getSpec().nodeProfile();
    if (wanted != null && !wanted.equals(profile.getMetadata().getName())) {
      throw new InputException(
          "SparkApplication %s: spec.nodeProfile: is %s, but the profile in the files is %s; give that one"
              .formatted(
                  application.getMetadata().getName(), wanted, profile.getMetadata().getName()));
    }
  }

  static ProfilePlan plan(SparkNodeProfile profile, Documents documents) {
    List<MatchedNode> nodes =
        documents.topologies().stream()
            .map(
                topology ->
                    new MatchedNode(topology.getMetadata().getName(), Optional.of(topology)))
            .toList();
    if (nodes.stream().map(MatchedNode::name).distinct().count() < nodes.size()) {
      throw new InputException(
          "two SparkNodeTopology objects have the same metadata.name; each is one node");
    }
    return PlanReport.plan(profile, nodes, true);
  }
}
