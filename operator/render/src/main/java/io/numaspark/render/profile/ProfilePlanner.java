package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.LayoutPlanner;
import io.numaspark.planner.plan.NodeClass;
import io.numaspark.planner.plan.PlanResult;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.Reason;
import io.numaspark.planner.plan.ShapePolicy;
import io.numaspark.planner.topology.Hardware;
import io.numaspark.planner.topology.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Plans a profile: groups its nodes into classes and finds one executor shape for all of them.
 *
 * <p>It is the one entry for the controller and the command line, so that both say the same of the
 * same input. Limit: whether pinners are installed is a part of it, and files do not tell that.
 */
public final class ProfilePlanner {
  /** Stands for a node's name in texts that are made once for many nodes. */
  private static final String NODE = "{node}";

  /** Of two profiles that select a node the older one has it. */
  public static final Comparator<SparkNodeProfile> OLDEST_FIRST =
      Comparator.comparing(
              (SparkNodeProfile profile) -> profile.getMetadata().getCreationTimestamp())
          .thenComparing(profile -> profile.getMetadata().getName());

  private ProfilePlanner() {}

  /** A node that matches a profile, with its topology if one is known. */
  public record MatchedNode(String name, Optional<SparkNodeTopology> topology) {}

  /**
   * A node that matches and cannot be used.
   *
   * @param problem what is wrong
   * @param remedy what to do about it
   */
  public record Unusable(String node, String reason, String problem, String remedy) {
    public Unusable(String node, NodeReason reason, String problem, String remedy) {
      this(node, reason.displayName(), problem, remedy);
    }

    /** A finding of the planner, or why it has no plan. */
    Unusable(String node, Reason reason, String problem, String remedy) {
      this(node, reason.displayName(), problem, remedy);
    }

    /** Problem and remedy in one sentence. */
    public String message() {
      return problem + "; " + remedy;
    }
  }

  /**
   * The plan of a profile.
   *
   * @param policy the profile as the planner takes it
   * @param result the plan, or why there is none
   * @param layoutByNode the layout of every node with a readable topology, by node name
   * @param differing machines of nodes that are not as the profile expects, by node name; executors
   *     may still run there, for example since a CPU went offline
   * @param unusable nodes that take no executors, by name
   * @param whatIf what each way to pin would give
   * @param templates the plan on node templates; empty if a node has slots, or no template is named
   */
  public record ProfilePlan(
      ShapePolicy policy,
      PlanResult result,
      Map<String, Layout> layoutByNode,
      Map<String, Machine> differing,
      List<Unusable> unusable,
      WhatIf.Comparison whatIf,
      Optional<TemplatePlan> templates) {

    /** The plan by which applications get their executors; empty if no executor fits any node. */
    public Optional<Plan> forApplications() {
      return result instanceof Plan found && found.totalSlots() > 0
          ? Optional.of(found)
          : templates.flatMap(TemplatePlan::usable);
    }

    /** The machine of every node with a readable topology, by node name. */
    public Map<String, Machine> machines() {
      Map<String, Machine> machines = new TreeMap<>(differing);
      layoutByNode.forEach((node, layout) -> machines.put(node, layout.nodeClass().machine()));
      return machines;
    }

    /** The machine of a node; empty if it has none, or no readable topology. */
    public Optional<Machine> machine(String node) {
      return Optional.ofNullable(layoutByNode.get(node))
          .map(layout -> layout.nodeClass().machine())
          .or(() -> Optional.ofNullable(differing.get(node)));
    }

    /** Executor slots of every usable node, by name. */
    public Map<String, Integer> slotsByNode() {
      Map<String, Integer> slots = new TreeMap<>();
      layoutByNode.forEach(
          (node, layout) -> {
            if (layout.isUsable() && !layout.slots().isEmpty()) {
              slots.put(node, layout.slots().size());
            }
          });
      return slots;
    }
  }

  /**
   * Plans a profile on the given nodes.
   *
   * @param pinners whether the agents of nodes have a pinner, so that the container runtime may pin
   * @throws IllegalArgumentException naming the field, if the profile has a value that its schema
   *     does not admit
   */
  public static ProfilePlan plan(
      SparkNodeProfileSpec profile, List<MatchedNode> nodes, boolean pinners) {
    ShapePolicy policy = ProfileTranslator.policy(profile);
    List<Unusable> unusable = new ArrayList<>();
    Map<String, Machine> differing = new TreeMap<>();
    Map<Machine, ClassNodes> classes = classes(profile, nodes, pinners, differing, unusable);
    List<NodeClass> nodeClasses = new ArrayList<>();
    classes.forEach(
        (machine, of) ->
            nodeClasses.add(
                new NodeClass(of.names().get(0), of.names().size(), machine, of.hardware())));
    PlanResult result = LayoutPlanner.plan(nodeClasses, policy);

    Map<String, Layout> layoutByNode = new TreeMap<>();
    Iterator<ClassNodes> each = classes.values().iterator();
    for (Layout layout : result.layouts()) {
      each.next().names().forEach(node -> layoutByNode.put(node, layout));
    }
    layoutByNode.forEach(
        (node, layout) -> unusableBecause(node, layout, result).ifPresent(unusable::add));
    unusable.sort(Comparator.comparing(Unusable::node));
    return new ProfilePlan(
        policy,
        result,
        layoutByNode,
        differing,
        List.copyOf(unusable),
        WhatIf.of(result, policy, ProfileTranslator.pinning(profile)),
        Optional.empty());
  }

  /**
   * Plans a profile on the given nodes, or on its templates while none of the nodes has a slot.
   *
   * @param templates a node of each kind that spec.nodeTemplates names
   * @throws IllegalArgumentException as {@link #plan(SparkNodeProfileSpec, List, boolean)}
   */
  public static ProfilePlan plan(
      SparkNodeProfileSpec profile,
      List<MatchedNode> nodes,
      List<MatchedNode> templates,
      boolean pinners) {
    ProfilePlan plan = plan(profile, nodes, pinners);
    if (templates.isEmpty() || !plan.slotsByNode().isEmpty()) {
      return plan;
    }
    return new ProfilePlan(
        plan.policy(),
        plan.result(),
        plan.layoutByNode(),
        plan.differing(),
        plan.unusable(),
        plan.whatIf(),
        Optional.of(TemplatePlan.of(plan(profile, templates, pinners))));
  }

  /** Nodes by machine; what is not a machine for this profile goes to the unusable ones. */
  private static Map<Machine, ClassNodes> classes(
      SparkNodeProfileSpec profile,
      List<MatchedNode> nodes,
      boolean pinners,
      Map<String, Machine> differing,
      List<Unusable> unusable) {
    // Reading a topology costs far more than comparing two specs, and most nodes are equal.
    Map<SparkNodeTopologySpec, Reading> readings = new HashMap<>();
    PinningPolicy policy = ProfileTranslator.pinning(profile);
    UnaryOperator<Machine> pinning = machine -> policy.applyTo(machine, pinners);
    Map<Machine, ClassNodes> classes = new LinkedHashMap<>();
    for (MatchedNode node :
        nodes.stream().sorted(Comparator.comparing(MatchedNode::name)).toList()) {
      if (node.topology().isEmpty()) {
        unusable.add(
            new Unusable(
                node.name(),
                NodeReason.NO_TOPOLOGY,
                "no SparkNodeTopology named " + node.name(),
                "make one with `numaspark topology` on the node and apply it"));
        continue;
      }
      SparkNodeTopologySpec spec = node.topology().get().getSpec();
      Reading reading =
          readings.computeIfAbsent(planned(spec), key -> read(profile, pinning, spec, classes));
      if (reading instanceof Readable readable) {
        readable.nodes().names().add(node.name());
        TopologyTranslator.hardware(spec).ifPresent(readable.nodes().hardware()::add);
      } else if (reading instanceof Unreadable unreadable) {
        unusable.add(unreadable.on(node.name()));
        unreadable.machine().ifPresent(machine -> differing.put(node.name(), machine));
      }
    }
    return classes;
  }

  /** What a topology is for a profile. */
  private sealed interface Reading {}

  /** A machine, with the nodes of its class, to be added to. */
  private record Readable(ClassNodes nodes) implements Reading {}

  /** The nodes of one class: their names, and what is known of them beside their machine. */
  private record ClassNodes(List<String> names, Set<Hardware> hardware) {
    ClassNodes() {
      this(new ArrayList<>(), new LinkedHashSet<>());
    }
  }

  /** The part of a topology that is planned by; kernels and knobs differ from node to node. */
  private static SparkNodeTopologySpec planned(SparkNodeTopologySpec spec) {
    return spec == null ? null : new SparkNodeTopologySpec(null, spec.numaNodes(), spec.kubelet());
  }

  /** No machine that the profile can use; empty if it is none at all. */
  private record Unreadable(
      NodeReason reason, String problem, String remedy, Optional<Machine> machine)
      implements Reading {
    Unusable on(String node) {
      return new Unusable(node, reason, problem.replace(NODE, node), remedy);
    }
  }

  private static Reading read(
      SparkNodeProfileSpec profile,
      UnaryOperator<Machine> pinning,
      SparkNodeTopologySpec spec,
      Map<Machine, ClassNodes> classes) {
    Machine machine;
    try {
      machine = TopologyTranslator.machine(spec);
    } catch (IllegalArgumentException e) {
      return new Unreadable(
          NodeReason.TOPOLOGY_INVALID,
          "SparkNodeTopology " + NODE + ": " + e.getMessage(),
          "create it again with `numaspark topology`",
          Optional.empty());
    }
    Optional<TopologyComparison.Difference> difference =
        TopologyComparison.difference(profile.topology(), machine.topology());
    return difference.isPresent()
        ? new Unreadable(
            NodeReason.TOPOLOGY_DIFFERS,
            difference.get().message(),
            difference.get().remedy(),
            Optional.of(pinning.apply(machine.ofNodeClass())))
        : new Readable(
            classes.computeIfAbsent(
                // In this order: what the runtime shares is a part of the class's memory.
                pinning.apply(machine.ofNodeClass()), key -> new ClassNodes()));
  }

  private static Optional<Unusable> unusableBecause(String node, Layout layout, PlanResult result) {
    if (!layout.isUsable()) {
      return layout.findings().stream()
          .filter(finding -> finding.severity() == Finding.Severity.ERROR)
          .findFirst()
          .map(f -> new Unusable(node, f.reason(), f.message(), f.remedy()));
    }
    if (result instanceof PlanResult.Shortfall shortfall) {
      return Optional.of(
          new Unusable(node, shortfall.reason(), shortfall.message(), shortfall.remedy()));
    }
    if (layout.slots().isEmpty()) {
      return Optional.of(
          new Unusable(
              node,
              NodeReason.NO_SLOT,
              "no executor of the chosen shape fits",
              "give these nodes a profile of their own"));
    }
    return Optional.empty();
  }
}
