package io.numaspark.cli;

import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.cli.text.InputException;
import io.numaspark.planner.plan.Layout;
import io.numaspark.render.autoscaler.AutoscalerPlatform;
import io.numaspark.render.autoscaler.NodeTemplate;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import io.numaspark.render.text.OneLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * The options of {@code plan} that print what an autoscaler has to know of a node group, instead of
 * the plan.
 *
 * <p>Limit: all nodes of a group are alike. Nodes of several classes are planned together, because
 * they share one executor shape, and one of the classes is printed.
 */
final class AutoscalerOption {
  /** Names of nodes, and kinds of nodes, in a message. */
  private static final int MOST_NAMED = 3;

  @Option(
      names = "--for-autoscaler",
      paramLabel = "PLATFORM",
      converter = Platforms.class,
      completionCandidates = Platforms.class,
      description =
          "Prints what this autoscaler has to know of a node group without nodes, instead of the plan: one of"
              + " ${COMPLETION-CANDIDATES}.")
  private AutoscalerPlatform platform;

  @Option(
      names = "--node-group",
      paramLabel = "NAME",
      description =
          "With --for-autoscaler: the name of the Auto Scaling group, scale set, instance group, MachineDeployment or"
              + " NodePool.")
  private String group;

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description =
          "With --for-autoscaler: nodes of the group are like this SparkNodeTopology of the files. Needed if the files have"
              + " several kinds of nodes.")
  private String node;

  boolean isGiven() {
    return platform != null;
  }

  /**
   * Checks that the options go together.
   *
   * @throws InputException naming the option
   */
  void check(CommandSpec command) {
    if (platform == null) {
      refuse(
          group != null, "--node-group needs --for-autoscaler; add it or leave --node-group out");
      refuse(node != null, "--node needs --for-autoscaler; add it or leave --node out");
      return;
    }
    for (String other : List.of("--output", "--explain", "--properties")) {
      refuse(
          command.commandLine().getParseResult().hasMatchedOption(other),
          "--for-autoscaler has a format of its own; leave %s out".formatted(other));
    }
    refuse(
        group == null,
        "--for-autoscaler %s needs the name of the %s; add --node-group NAME"
            .formatted(platform.id(), platform.kind()));
  }

  private static void refuse(boolean wrong, String message) {
    if (wrong) {
      throw new InputException(message);
    }
  }

  /**
   * Prints what the autoscaler takes.
   *
   * @return the exit code: 1 if such a node has no slots, with the cause and the remedy on standard
   *     error
   */
  int print(CommandSpec command, SparkNodeProfile profile, ProfilePlan plan) {
    String like = like(plan);
    Layout layout = plan.layoutByNode().get(like);
    Optional<Unusable> unusable =
        plan.unusable().stream().filter(one -> one.node().equals(like)).findFirst();
    if (layout == null || unusable.isPresent()) {
      command
          .commandLine()
          .getErr()
          .println(
              "numaspark: a node like %s has no slots of profile %s: %s"
                  .formatted(
                      like,
                      profile.getMetadata().getName(),
                      OneLine.of(unusable.map(Unusable::message).orElse("it has no topology"))));
      return Main.EXIT_NO_PLAN;
    }
    command.commandLine().getOut().print(text(NodeTemplate.of(profile, layout), like));
    command.commandLine().getOut().flush();
    return 0;
  }

  private String text(NodeTemplate template, String like) {
    try {
      return platform.text(template, group, like);
    } catch (IllegalArgumentException e) {
      throw new InputException(e.getMessage(), e);
    }
  }

  /** The node whose kind the group has. */
  private String like(ProfilePlan plan) {
    List<String> nodes =
        Stream.concat(
                plan.layoutByNode().keySet().stream(), plan.unusable().stream().map(Unusable::node))
            .distinct()
            .sorted()
            .toList();
    if (nodes.isEmpty()) {
      throw new InputException("no SparkNodeTopology in the files; add one with -f");
    }
    if (node != null) {
      refuse(
          !nodes.contains(node),
          "--node: no SparkNodeTopology in the files is named %s; there is %s"
              .formatted(node, named(nodes)));
      return node;
    }
    List<List<String>> kinds = kinds(plan, nodes);
    refuse(
        kinds.size() > 1,
        "the files have nodes of %d kinds, and a node group has one; choose it with --node, for example %s"
            .formatted(
                kinds.size(),
                kinds.stream()
                    .limit(MOST_NAMED)
                    .map(kind -> "--node %s (%s)".formatted(kind.get(0), slots(plan, kind.get(0))))
                    .collect(Collectors.joining(", "))));
    return nodes.get(0);
  }

  /** Nodes by class; each that cannot be read is a kind of its own. */
  private static List<List<String>> kinds(ProfilePlan plan, List<String> nodes) {
    Map<Object, List<String>> kinds = new LinkedHashMap<>();
    for (String name : nodes) {
      Layout layout = plan.layoutByNode().get(name);
      Object kind = layout == null ? name : layout.nodeClass();
      kinds.computeIfAbsent(kind, key -> new ArrayList<>()).add(name);
    }
    return List.copyOf(kinds.values());
  }

  private static String slots(ProfilePlan plan, String node) {
    Integer slots = plan.slotsByNode().get(node);
    return slots == null ? "no slots" : slots + (slots == 1 ? " slot" : " slots");
  }

  private static String named(List<String> nodes) {
    String first = nodes.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
    return nodes.size() <= MOST_NAMED
        ? first
        : "%s and %d more".formatted(first, nodes.size() - MOST_NAMED);
  }

  /** Platforms by their names. */
  static final class Platforms extends NamedValues<AutoscalerPlatform> {
    Platforms() {
      super(AutoscalerPlatform.values(), AutoscalerPlatform::id);
    }
  }
}
