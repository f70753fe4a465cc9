package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.PinningSpec.By;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinningWay;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Findings;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.LayoutPlanner;
import io.numaspark.planner.plan.NodeClass;
import io.numaspark.planner.plan.PlanResult;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.ShapePolicy;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.KubeletSettings.CpuManager;
import io.numaspark.planner.topology.KubeletSettings.MemoryManager;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.PinnedBy;
import io.numaspark.render.kubelet.KubeletAdvisor;
import io.numaspark.render.kubelet.SystemReserve;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The nodes of a profile as they are, with the kubelet settings that we recommend, and pinned by
 * the container runtime; each planned with the one shape that suits it best.
 *
 * <p>Limit: whether a node's runtime can pin is not known here.
 */
public final class WhatIf {
  private static final String OTHER_BY = "set spec.pinning.by to %s in the profile";
  private static final String PINNER = "install the chart with agent.pinner.enabled=true";

  private final ShapePolicy policy;
  private final PinningPolicy pinning;
  private final List<NodeClass> classes;
  private final List<PinningWay> ways = new ArrayList<>();
  private final Map<String, Integer> mostSlots = new TreeMap<>();

  private WhatIf(ShapePolicy policy, PinningPolicy pinning, List<NodeClass> classes) {
    this.policy = policy;
    this.pinning = pinning;
    this.classes = classes;
  }

  /**
   * What the ways to pin give.
   *
   * @param ways the three, over all nodes; none if no topology is known
   * @param mostSlots of one node of each class, by the class's name, in the way that is best for it
   */
  public record Comparison(List<PinningWay> ways, Map<String, Integer> mostSlots) {
    public Comparison {
      ways = List.copyOf(ways);
      mostSlots = Map.copyOf(mostSlots);
    }

    /** Slots that one node of a class lacks; 0 if it has as many as in any way. */
    public int lacking(Layout layout) {
      return Math.max(
          0, mostSlots.getOrDefault(layout.nodeClass().name(), 0) - layout.slots().size());
    }
  }

  /** Compares the ways for the classes of a plan. */
  static Comparison of(PlanResult result, ShapePolicy policy, PinningPolicy pinning) {
    List<NodeClass> classes =
        result.layouts().stream().map(Layout::nodeClass).map(WhatIf::asItIs).toList();
    WhatIf whatIf = new WhatIf(policy, pinning, classes);
    if (!classes.isEmpty()) {
      whatIf.compare();
    }
    return new Comparison(whatIf.ways, whatIf.mostSlots);
  }

  private static boolean hasError(Machine machine) {
    return Findings.of(machine).stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
  }

  private static NodeClass asItIs(NodeClass nodeClass) {
    Machine machine = nodeClass.machine();
    return machine.pinnedBy() instanceof PinnedBy.Runtime byRuntime
        ? with(nodeClass, byRuntime.actual())
        : nodeClass;
  }

  private static NodeClass with(NodeClass nodeClass, Machine machine) {
    return new NodeClass(nodeClass.name(), nodeClass.nodes(), machine, nodeClass.hardware());
  }

  private void compare() {
    boolean pinsNow = classes.stream().noneMatch(nodeClass -> hasError(nodeClass.machine()));
    boolean isManaged = classes.stream().anyMatch(nodeClass -> setsCpusets(nodeClass.machine()));
    boolean onlyRuntime = pinning.by() == By.Runtime;
    String byKubelet = OTHER_BY.formatted("Auto or Kubelet");
    add("as it is", UnaryOperator.identity(), pinsNow && onlyRuntime ? byKubelet : "nothing");
    add(
        "kubelet configured",
        this::configured,
        (onlyRuntime ? byKubelet + "; " : "")
            + (pinsNow
                ? "`numaspark kubelet-config` compares the settings"
                : "configure each kubelet (`numaspark kubelet-config`): drain the node, delete the kubelet's state files, restart it"));
    add(
        "pinned by the runtime",
        machine -> pinning.runtime().pin(unmanaged(machine)),
        (pinning.by() == By.Kubelet ? OTHER_BY.formatted("Auto or Runtime") + "; " : "")
            + (isManaged ? "switch the kubelet's static managers off, and " + PINNER : PINNER));
  }

  private void add(String name, UnaryOperator<Machine> change, String todo) {
    List<NodeClass> changed =
        classes.stream().map(each -> with(each, change.apply(each.machine()))).toList();
    PlanResult result = LayoutPlanner.plan(changed, policy);
    for (Layout layout : result.layouts()) {
      mostSlots.merge(layout.nodeClass().name(), layout.slots().size(), Math::max);
    }
    int slots = result instanceof Plan plan ? plan.totalSlots() : 0;
    int cores = result instanceof Plan plan ? plan.shape().cpus().cores() : 0;
    int executorCpus = result instanceof Plan plan ? slots * plan.shape().cpus().cpus() : 0;
    int stranded =
        result.layouts().stream()
            .mapToInt(layout -> layout.strandedCpus().size() * layout.nodeClass().nodes())
            .sum();
    int cpus =
        classes.stream()
            .mapToInt(each -> each.machine().topology().cpus().size() * each.nodes())
            .sum();
    ways.add(new PinningWay(name, slots, cores, executorCpus, stranded, cpus, todo));
  }

  /** With the recommended settings; as it is, if none would pin. */
  private Machine configured(Machine machine) {
    if (!hasError(machine)) {
      return machine;
    }
    try {
      return KubeletAdvisor.configured(machine.topology(), policy, SystemReserve.DEFAULT);
    } catch (IllegalArgumentException e) {
      return machine; // the plan then has its findings
    }
  }

  private static boolean setsCpusets(Machine machine) {
    return machine.kubelet().cpuManagerPolicy() == CpuManagerPolicy.STATIC
        || machine.kubelet().memoryManagerPolicy() == MemoryManagerPolicy.STATIC;
  }

  /** The same reservations, and no manager that sets cpusets. */
  private static Machine unmanaged(Machine machine) {
    KubeletSettings kubelet = machine.kubelet();
    return new Machine(
        machine.topology(),
        new KubeletSettings(
            new CpuManager(CpuManagerPolicy.NONE, new TreeMap<>(), kubelet.reservedCpus()),
            kubelet.topologyManager(),
            new MemoryManager(
                MemoryManagerPolicy.NONE, kubelet.memoryManager().reservedBytes(), new TreeMap<>()),
            kubelet.featureGates(),
            kubelet.version()));
  }
}
