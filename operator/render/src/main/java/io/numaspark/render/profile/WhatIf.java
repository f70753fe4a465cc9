package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinningWay;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Findings;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.LayoutPlanner;
import io.numaspark.planner.plan.NodeClass;
import io.numaspark.planner.plan.PlanResult;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.RuntimePinning;
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
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The nodes of a profile as they are, with the kubelet settings that we recommend, and pinned by
 * the container runtime; each planned with the one shape that suits it best.
 *
 * <p>Limit: whether a node's runtime can pin is not known here.
 */
public final class WhatIf {
  private final ShapePolicy policy;
  private final RuntimePinning runtime;
  private final List<NodeClass> classes;

  private WhatIf(ShapePolicy policy, RuntimePinning runtime, List<NodeClass> classes) {
    this.policy = policy;
    this.runtime = runtime;
    this.classes = classes;
  }

  /** The three ways for a planned profile; none if no topology is known. */
  public static List<PinningWay> of(ProfilePlanner.ProfilePlan plan, PinningPolicy pinning) {
    List<NodeClass> classes =
        plan.result().layouts().stream().map(Layout::nodeClass).map(WhatIf::asItIs).toList();
    return classes.isEmpty()
        ? List.of()
        : new WhatIf(plan.policy(), pinning.runtime(), classes).ways();
  }

  /** Whether a kubelet of these nodes keeps executors from being pinned. */
  public static boolean isOfInterest(ProfilePlanner.ProfilePlan plan) {
    return plan.result().layouts().stream()
        .map(layout -> asItIs(layout.nodeClass()).machine())
        .anyMatch(WhatIf::hasError);
  }

  private static boolean hasError(Machine machine) {
    return Findings.of(machine).stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
  }

  private static NodeClass asItIs(NodeClass nodeClass) {
    Machine machine = nodeClass.machine();
    return machine.pinnedBy() instanceof PinnedBy.Runtime byRuntime
        ? with(nodeClass, new Machine(machine.topology(), byRuntime.actual()))
        : nodeClass;
  }

  private static NodeClass with(NodeClass nodeClass, Machine machine) {
    return new NodeClass(nodeClass.name(), nodeClass.nodes(), machine, nodeClass.hardware());
  }

  private List<PinningWay> ways() {
    boolean pinsNow = classes.stream().noneMatch(nodeClass -> hasError(nodeClass.machine()));
    boolean isManaged = classes.stream().anyMatch(nodeClass -> setsCpusets(nodeClass.machine()));
    return List.of(
        way("as it is", UnaryOperator.identity(), "nothing"),
        way(
            "kubelet configured",
            this::configured,
            pinsNow
                ? "`numaspark kubelet-config` compares the settings"
                : "configure each kubelet (`numaspark kubelet-config`): drain the node, delete the kubelet's state files, restart it"),
        way(
            "pinned by the runtime",
            machine -> runtime.pin(unmanaged(machine)),
            isManaged
                ? "switch the kubelet's static managers off, and install the chart with agent.pinner.enabled=true"
                : "install the chart with agent.pinner.enabled=true"));
  }

  private PinningWay way(String name, UnaryOperator<Machine> change, String todo) {
    List<NodeClass> changed =
        classes.stream().map(each -> with(each, change.apply(each.machine()))).toList();
    PlanResult result = LayoutPlanner.plan(changed, policy);
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
    return new PinningWay(name, slots, cores, executorCpus, stranded, cpus, todo);
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
            kubelet.featureGates()));
  }
}
