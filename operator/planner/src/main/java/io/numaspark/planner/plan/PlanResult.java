package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Machine;
import java.util.List;

/** What planning came to: a plan, or the reason why there is none. */
public sealed interface PlanResult {

  /** One layout for each class, in the order given. */
  List<Layout> layouts();

  /**
   * A shape and where its executors fit.
   *
   * @param why why this shape won, as a sentence
   * @param runnersUp the next best shapes, at most three
   */
  record Plan(ExecutorShape shape, String why, List<Candidate> runnersUp, List<Layout> layouts)
      implements PlanResult {
    public Plan {
      runnersUp = List.copyOf(runnersUp);
      layouts = List.copyOf(layouts);
    }

    /** What pins executors on the nodes that have slots. */
    public Pins pins() {
      List<Machine> machines =
          layouts.stream()
              .filter(layout -> !layout.slots().isEmpty())
              .map(layout -> layout.nodeClass().machine())
              .toList();
      if (machines.stream().allMatch(Machine::isPinnedByRuntime) && !machines.isEmpty()) {
        return Pins.RUNTIME;
      }
      if (machines.stream().anyMatch(Machine::isPinnedByRuntime)) {
        return Pins.BOTH;
      }
      return machines.stream().allMatch(machine -> machine.pinnedBy().enforced())
          ? Pins.KUBELET
          : Pins.NOTHING;
    }

    /** Slots over all nodes of all classes. */
    public int totalSlots() {
      return layouts.stream()
          .mapToInt(layout -> layout.slots().size() * layout.nodeClass().nodes())
          .sum();
    }
  }

  /** No executor fits. */
  record Shortfall(Reason reason, String message, String remedy, List<Layout> layouts)
      implements PlanResult {
    public Shortfall {
      layouts = List.copyOf(layouts);
    }
  }

  /**
   * A shape that was considered, with its numbers over all nodes.
   *
   * @param strandedCpus CPUs that are neither reserved nor in a slot
   * @param strandedMemoryBytes allocatable memory that no slot takes
   * @param straddling slots that touch more last-level caches than as many CPUs have to
   * @param cacheDomains the most last-level caches that one slot touches
   * @param classes the slots of each usable class
   */
  record Candidate(
      ExecutorShape shape,
      int slots,
      int strandedCpus,
      long strandedMemoryBytes,
      int straddling,
      int cacheDomains,
      List<ClassSlots> classes) {
    public Candidate {
      classes = List.copyOf(classes);
    }
  }

  /**
   * Slots of one node of a class.
   *
   * @param perNumaNode slots of each NUMA node, in order of their ids
   */
  record ClassSlots(String nodeClass, List<Integer> perNumaNode) {
    public ClassSlots {
      perNumaNode = List.copyOf(perNumaNode);
    }
  }
}
