package io.numaspark.planner.plan;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.HeapLimits;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.PlanResult.Candidate;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Chooses the one executor shape of a profile and lays its executors out on every node class.
 *
 * <p>Total and deterministic: equal input gives an equal result, and what a user got wrong is a
 * {@link Shortfall}. Limit: all executors are equal and nothing else on the node has exclusive CPUs
 * (the closed form, not the kubelet's full admission).
 */
public final class LayoutPlanner {
  /** The executor size that the studies found best on average. */
  private static final int FAVOURED_CORES = 6;

  private static final int RUNNERS_UP = 3;

  /**
   * Order of shapes: fewest stranded CPUs, then the size nearest to {@value #FAVOURED_CORES} cores,
   * then the least stranded memory. Memory comes last because what no heap uses still serves as
   * page cache, while an idle core serves nobody.
   */
  private static final Comparator<Candidate> BEST_FIRST =
      Comparator.comparingInt(Candidate::strandedCpus)
          .thenComparingInt(
              candidate -> Math.abs(FAVOURED_CORES - candidate.shape().cpus().cores()))
          .thenComparingLong(Candidate::strandedMemoryBytes)
          .thenComparingInt(candidate -> -candidate.shape().cpus().cores());

  private final List<NodeClass> classes;
  private final ShapePolicy policy;
  private final List<List<Finding>> findings;
  private final List<NodeClass> usable;

  private LayoutPlanner(List<NodeClass> classes, ShapePolicy policy) {
    this.classes = classes;
    this.policy = policy;
    OptionalInt threads = usualThreadsPerCore();
    this.findings = classes.stream().map(nodeClass -> findings(nodeClass, threads)).toList();
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
    OptionalInt preferred = policy.cores().preferred();
    if (preferred.isPresent()) {
      Optional<Candidate> candidate = candidate(preferred.getAsInt());
      if (candidate.isPresent()) {
        return plan(candidate.get(), "it is the preferred size", others(candidate.get()));
      }
    }
    List<Candidate> candidates = candidates();
    if (candidates.isEmpty()) {
      return noShapeFits();
    }
    Candidate best = candidates.get(0);
    String why =
        "of %d to %d cores it strands the fewest CPUs and is nearest to %d cores"
            .formatted(policy.cores().min(), policy.cores().max(), FAVOURED_CORES);
    if (preferred.isPresent()) {
      why +=
          "; the preferred size of " + preferred.getAsInt() + " cores does not fit any NUMA node";
    }
    return plan(best, why, others(best));
  }

  private List<Candidate> candidates() {
    return IntStream.rangeClosed(policy.cores().min(), policy.cores().max())
        .mapToObj(this::candidate)
        .flatMap(Optional::stream)
        .sorted(BEST_FIRST)
        .toList();
  }

  private List<Candidate> others(Candidate best) {
    return candidates().stream()
        .filter(candidate -> !candidate.equals(best))
        .limit(RUNNERS_UP)
        .toList();
  }

  /** The shape with the given cores, or empty if no executor of it fits anywhere. */
  private Optional<Candidate> candidate(int cores) {
    if (cores < 1) {
      return Optional.empty();
    }
    ExecutorCpus cpus = policy.cpus(cores, usable.get(0).machine().topology().threadsPerCore());
    long podLimit = Long.MAX_VALUE;
    int slots = 0;
    int strandedCpus = 0;
    for (NodeClass nodeClass : usable) {
      NumaFill fill = new NumaFill(nodeClass.machine(), cpus);
      for (NumaNode numaNode : nodeClass.machine().topology().numaNodes()) {
        int here = fill.slots(numaNode);
        if (here > 0) {
          podLimit =
              Math.min(podLimit, nodeClass.machine().allocatableMemoryBytes(numaNode) / here);
        }
      }
      int leftOut = leftOut(nodeClass.machine(), fill);
      slots += (fill.slots() - leftOut) * nodeClass.nodes();
      strandedCpus += (fill.strandedCpus() + leftOut * cpus.cpus()) * nodeClass.nodes();
    }
    if (slots == 0) {
      return Optional.empty();
    }
    int totalSlots = slots;
    int totalStranded = strandedCpus;
    return ExecutorMemory.largestWithin(podLimit, policy.memory())
        .map(
            memory ->
                new Candidate(
                    new ExecutorShape(cpus, memory),
                    totalSlots,
                    totalStranded,
                    allocatableMemory() - totalSlots * memory.podBytes()));
  }

  private long allocatableMemory() {
    return usable.stream()
        .mapToLong(
            nodeClass ->
                nodeClass.nodes()
                    * nodeClass.machine().topology().numaNodes().stream()
                        .mapToLong(nodeClass.machine()::allocatableMemoryBytes)
                        .sum())
        .sum();
  }

  private Plan plan(Candidate chosen, String because, List<Candidate> runnersUp) {
    List<Layout> layouts = new ArrayList<>();
    for (int i = 0; i < classes.size(); i++) {
      layouts.add(layout(classes.get(i), findings.get(i), chosen.shape()));
    }
    // Counted from the layouts, which may have left a slot out, so that the sentence agrees with
    // them.
    int slots = 0;
    int strandedCpus = 0;
    for (Layout layout : layouts) {
      slots += layout.slots().size() * layout.nodeClass().nodes();
      if (layout.isUsable()) {
        strandedCpus += layout.strandedCpus().size() * layout.nodeClass().nodes();
      }
    }
    String why =
        "%d cores an executor: %d slots, %d CPUs stranded; %s"
            .formatted(chosen.shape().cpus().cores(), slots, strandedCpus, because);
    return new Plan(chosen.shape(), why, runnersUp, layouts);
  }

  private Layout layout(NodeClass nodeClass, List<Finding> classFindings, ExecutorShape shape) {
    Machine machine = nodeClass.machine();
    if (!isUsable(classFindings)) {
      return new Layout(
          nodeClass, NumaFill.empty(machine, "the node class has an error"), classFindings);
    }
    NumaFill fill = new NumaFill(machine, shape.cpus());
    List<Finding> all = new ArrayList<>(classFindings);
    addHeapFinding(all, shape);
    int leftOut = leftOut(machine, fill);
    if (leftOut > 0) {
      all.add(
          new Finding(
              Severity.WARNING,
              Reason.STRICT_RESERVATION_FULLY_PACKED,
              "with strict-cpu-reservation and every other CPU exclusive the shared pool is empty and a restarted kubelet"
                  + " refuses its state; one slot is left out",
              "switch strict-cpu-reservation off, or choose an executor size that leaves a core free"));
    }
    return new Layout(nodeClass, fill.layouts(shape.memory().podBytes(), leftOut), all);
  }

  /**
   * Slots that must stay empty: one if all slots together would empty the shared pool of a kubelet
   * with strict-cpu-reservation.
   */
  private static int leftOut(Machine machine, NumaFill fill) {
    boolean strict = machine.kubelet().hasOption(KubeletSettings.STRICT_CPU_RESERVATION);
    return strict && fill.slots() > 0 && fill.strandedCpus() == 0 ? 1 : 0;
  }

  private void addHeapFinding(List<Finding> all, ExecutorShape shape) {
    long heap = shape.memory().heapBytes();
    HeapLimits limits = policy.jvm().heapLimits();
    if (heap > limits.compressedBytes()) {
      all.add(
          new Finding(
              Severity.WARNING,
              Reason.HEAP_NOT_COMPRESSED,
              "a heap of %d MiB has 8-byte object pointers".formatted(heap / ExecutorMemory.MIB),
              limits.remedy() + ", or take more and smaller executors"));
    } else if (heap > limits.zeroBasedBytes()) {
      all.add(
          new Finding(
              Severity.INFO,
              Reason.HEAP_NOT_ZERO_BASED,
              "a heap of %d MiB has compressed object pointers that need a base added"
                  .formatted(heap / ExecutorMemory.MIB),
              limits.remedy()));
    }
  }

  private Shortfall noShapeFits() {
    int largest = policy.cores().max();
    if (largest < 1 || policy.cores().min() > largest) {
      return shortfall(
          Reason.CORE_RANGE_EMPTY,
          "spec.executor.coresPerExecutor.min is %d and max is %d: no size of 1 core or more is in between"
              .formatted(policy.cores().min(), largest),
          "set spec.executor.coresPerExecutor.max to at least min and at least 1");
    }
    int smallest = Math.max(1, policy.cores().min());
    int largestNumaNode =
        usable.stream()
            .flatMap(c -> c.machine().topology().numaNodes().stream().map(c.machine()::freeCores))
            .mapToInt(List::size)
            .max()
            .orElse(0);
    if (largestNumaNode < smallest) {
      return shortfall(
          Reason.EXECUTOR_TOO_LARGE,
          "spec.executor.coresPerExecutor.min is %d, but the largest NUMA node has %d cores without reserved threads"
              .formatted(smallest, largestNumaNode),
          largestNumaNode == 0
              ? "reserve fewer CPUs in the kubelet configuration"
              : "set spec.executor.coresPerExecutor.min to at most " + largestNumaNode);
    }
    if (IntStream.rangeClosed(smallest, Math.min(largest, largestNumaNode))
        .allMatch(this::leavesNoSlot)) {
      return shortfall(
          Reason.STRICT_RESERVATION_FULLY_PACKED,
          "with strict-cpu-reservation one slot has to stay empty so that the kubelet can restart, and there is only one",
          "switch strict-cpu-reservation off, or choose an executor size that leaves a core free");
    }
    return shortfall(
        Reason.EXECUTOR_MEMORY_TOO_SMALL,
        "the memory of a NUMA node, divided by its executors, leaves no heap of %d MiB beside overhead and off-heap memory"
            .formatted(ExecutorMemory.SMALLEST_HEAP_BYTES / ExecutorMemory.MIB),
        "raise spec.executor.coresPerExecutor.min so that fewer executors share a NUMA node, or lower"
            + " spec.executor.offHeap and memoryOverhead.min");
  }

  private Shortfall shortfall(Reason reason, String message, String remedy) {
    List<Layout> layouts = new ArrayList<>();
    for (int i = 0; i < classes.size(); i++) {
      layouts.add(
          new Layout(
              classes.get(i),
              NumaFill.empty(classes.get(i).machine(), "no executor fits"),
              findings.get(i)));
    }
    return new Shortfall(reason, message, remedy, layouts);
  }

  private boolean leavesNoSlot(int cores) {
    return usable.stream()
        .map(NodeClass::machine)
        .allMatch(
            machine -> {
              NumaFill fill =
                  new NumaFill(machine, policy.cpus(cores, machine.topology().threadsPerCore()));
              return fill.slots() == leftOut(machine, fill);
            });
  }

  private List<Finding> findings(NodeClass nodeClass, OptionalInt usualThreads) {
    List<Finding> found = new ArrayList<>(Findings.of(nodeClass.machine(), policy));
    int threads = nodeClass.machine().topology().threadsPerCore();
    if (usualThreads.isPresent() && usualThreads.getAsInt() != threads) {
      found.add(
          new Finding(
              Severity.ERROR,
              Reason.MIXED_THREADS_PER_CORE,
              "cores have %d threads here and %d on most nodes of the profile: one executor shape cannot fit both"
                  .formatted(threads, usualThreads.getAsInt()),
              "give these nodes a profile of their own"));
    }
    return List.copyOf(found);
  }

  /**
   * Threads a core on most nodes that have no error of their own; ties go to the class that comes
   * first. Nodes that cannot be used must not make the others unusable.
   */
  private OptionalInt usualThreadsPerCore() {
    Map<Integer, Integer> nodesByThreads = new LinkedHashMap<>();
    for (NodeClass nodeClass : classes) {
      if (isUsable(Findings.of(nodeClass.machine(), policy))) {
        nodesByThreads.merge(
            nodeClass.machine().topology().threadsPerCore(), nodeClass.nodes(), Integer::sum);
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
