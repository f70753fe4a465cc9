package io.numaspark.planner.plan;

import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.PlanResult.Candidate;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Chooses the one executor shape of a profile and lays its executors out on every node class.
 *
 * <p>Total and deterministic: equal input gives an equal result, and what a user got wrong is a
 * {@link Shortfall}. Limit: all executors are equal and nothing else on the node has exclusive
 * CPUs.
 */
public final class LayoutPlanner {
  /** Who gives out CPUs, as the planner knows it. */
  static final SlotModel NODE = new NodeSlotModel();

  private static final int RUNNERS_UP = 3;

  private final List<NodeClass> classes;
  private final ShapePolicy policy;
  private final List<List<Finding>> findings;
  private final List<NodeClass> usable;

  private LayoutPlanner(List<NodeClass> classes, ShapePolicy policy) {
    this.classes = classes;
    this.policy = policy;
    this.findings = findings();
    this.usable =
        IntStream.range(0, classes.size())
            .filter(i -> isUsable(findings.get(i)))
            .mapToObj(classes::get)
            .toList();
  }

  /** Plans one shape for all given classes together. */
  public static PlanResult plan(List<NodeClass> classes, ShapePolicy policy) {
    return new LayoutPlanner(List.copyOf(classes), policy).plan();
  }

  private PlanResult plan() {
    if (usable.isEmpty()) {
      return shortfall(
          Reason.NO_USABLE_NODE,
          classes.isEmpty()
              ? "no node with a known topology"
              : "every node class has an error: " + firstError(),
          classes.isEmpty()
              ? "apply a SparkNodeTopology for each node"
              : "see the findings of the node classes");
    }
    ShapeSearch search = new ShapeSearch(usable, policy, NODE);
    Ranking ranking = Ranking.of(search, policy);
    return ranking.best().map(best -> plan(best, ranking)).orElseGet(() -> noShapeFits(search));
  }

  private PlanResult plan(Candidate best, Ranking ranking) {
    LayoutBuilder builder = new LayoutBuilder(best.shape(), policy, NODE);
    List<Layout> layouts = new ArrayList<>();
    for (int i = 0; i < classes.size(); i++) {
      layouts.add(
          isUsable(findings.get(i))
              ? builder.layout(classes.get(i), findings.get(i))
              : LayoutBuilder.empty(
                  classes.get(i), findings.get(i), "the node class has an error"));
    }
    String why =
        "%s an executor: %d slots, %d CPUs stranded; %s"
            .formatted(Objective.cores(best), best.slots(), best.strandedCpus(), ranking.whyBest());
    Plan plan =
        new Plan(
            best.shape(), why, ranking.runnersUp().stream().limit(RUNNERS_UP).toList(), layouts);
    return plan.pins() == Pins.BOTH ? throttled(plan) : plan;
  }

  /** The kubelet pins pods with a limit only, and all executors of a profile are alike. */
  private static Plan throttled(Plan plan) {
    Finding finding =
        new Finding(
            Severity.WARNING,
            Reason.CPU_LIMIT_THROTTLES,
            "the kubelet pins on other nodes of this profile, so executors have a CPU limit: here, where the container runtime pins,"
                + " its quota throttles them",
            "give these nodes a profile of their own, or set spec.pinning.by to Runtime and let the runtime pin on all nodes");
    return new Plan(
        plan.shape(),
        plan.why(),
        plan.runnersUp(),
        plan.layouts().stream()
            .map(
                layout ->
                    layout.nodeClass().machine().isPinnedByRuntime() && layout.isUsable()
                        ? layout.with(finding)
                        : layout)
            .toList());
  }

  private Shortfall noShapeFits(ShapeSearch search) {
    int largest = policy.cores().max();
    if (largest < 1 || policy.cores().min() > largest) {
      return shortfall(
          Reason.CORE_RANGE_EMPTY,
          "spec.executor.coresPerExecutor.min is %d and max is %d: no size of 1 core or more is in between"
              .formatted(policy.cores().min(), largest),
          "set spec.executor.coresPerExecutor.max to at least min and at least 1");
    }
    int smallest = Math.max(1, policy.cores().min());
    int largestNumaNode = search.mostFreeCores();
    if (largestNumaNode < smallest) {
      return shortfall(
          Reason.EXECUTOR_TOO_LARGE,
          "spec.executor.coresPerExecutor.min is %d, but the largest NUMA node has %d cores without reserved threads"
              .formatted(smallest, largestNumaNode),
          largestNumaNode == 0
              ? byRuntime(
                  "lower spec.pinning.sharedCores, or reserve fewer CPUs in the kubelet configuration",
                  "reserve fewer CPUs in the kubelet configuration")
              : "set spec.executor.coresPerExecutor.min to at most " + largestNumaNode);
    }
    if (IntStream.rangeClosed(smallest, Math.min(largest, largestNumaNode))
        .allMatch(search::leavesNoSlot)) {
      return shortfall(
          Reason.STRICT_RESERVATION_FULLY_PACKED,
          "with strict-cpu-reservation one slot has to stay empty so that the kubelet can restart, and there is only one",
          "switch strict-cpu-reservation off, or choose an executor size that leaves a core free");
    }
    return shortfall(
        Reason.EXECUTOR_MEMORY_TOO_SMALL,
        "no NUMA node has memory for an executor with a heap of %d MiB in addition to its overhead, off-heap and shuffle memory"
            .formatted(ExecutorMemory.SMALLEST_HEAP_BYTES / ExecutorMemory.MIB),
        byRuntime(
            "lower spec.executor.offHeap, shuffleMemory and memoryOverhead.min, lower spec.pinning.sharedMemory, or free huge pages",
            "lower spec.executor.offHeap, shuffleMemory and memoryOverhead.min, or free huge pages and reserved memory; where"
                + " memoryManagerPolicy is None every executor of a NUMA node must fit: set it to Static, or raise"
                + " spec.executor.coresPerExecutor.min"));
  }

  /** A remedy for nodes that the runtime pins if all are such nodes, else one for the kubelet. */
  private String byRuntime(String remedy, String otherwise) {
    return usable.stream().allMatch(nodeClass -> nodeClass.machine().isPinnedByRuntime())
        ? remedy
        : otherwise;
  }

  private Shortfall shortfall(Reason reason, String message, String remedy) {
    List<Layout> layouts =
        IntStream.range(0, classes.size())
            .mapToObj(i -> LayoutBuilder.empty(classes.get(i), findings.get(i), "no executor fits"))
            .toList();
    return new Shortfall(reason, message, remedy, layouts);
  }

  /** The findings of each class, with an error for those that no shape of the others can fit. */
  private List<List<Finding>> findings() {
    List<List<Finding>> own = classes.stream().map(c -> Findings.of(c.machine(), policy)).toList();
    OptionalInt usual = usualThreadsPerCore(own);
    List<List<Finding>> all = new ArrayList<>();
    for (int i = 0; i < classes.size(); i++) {
      List<Finding> found = new ArrayList<>(own.get(i));
      NodeClass nodeClass = classes.get(i);
      found.addAll(Findings.advice(nodeClass.hardware()));
      int threads = classes.get(i).machine().topology().threadsPerCore();
      if (usual.isPresent() && usual.getAsInt() != threads) {
        found.add(
            new Finding(
                Severity.ERROR,
                Reason.MIXED_THREADS_PER_CORE,
                "cores have %d threads here and %d on most nodes of the profile: one executor shape cannot fit both"
                    .formatted(threads, usual.getAsInt()),
                "give these nodes a profile of their own"));
      }
      all.add(List.copyOf(found));
    }
    return all;
  }

  /**
   * Threads a core on most nodes that have no error of their own; ties go to the class that comes
   * first. Nodes that cannot be used must not make the others unusable.
   */
  private OptionalInt usualThreadsPerCore(List<List<Finding>> own) {
    Map<Integer, Integer> nodesByThreads = new LinkedHashMap<>();
    for (int i = 0; i < classes.size(); i++) {
      if (isUsable(own.get(i))) {
        nodesByThreads.merge(
            classes.get(i).machine().topology().threadsPerCore(),
            classes.get(i).nodes(),
            Integer::sum);
      }
    }
    OptionalInt usual = OptionalInt.empty();
    int most = -1;
    for (Map.Entry<Integer, Integer> entry : nodesByThreads.entrySet()) {
      if (entry.getValue() > most) {
        most = entry.getValue();
        usual = OptionalInt.of(entry.getKey());
      }
    }
    return usual;
  }

  private String firstError() {
    return findings.stream()
        .flatMap(List::stream)
        .filter(finding -> finding.severity() == Severity.ERROR)
        .map(Finding::message)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isUsable(List<Finding> findings) {
    return findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
  }
}
