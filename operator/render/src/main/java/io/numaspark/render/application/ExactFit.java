package io.numaspark.render.application;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.NumaLayout;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.render.MemorySize;
import java.util.Optional;

/**
 * How many slots of a plan an executor of another size has to ask for.
 *
 * @param slots of one executor
 * @param perNode executors of the node class with the fewest that holds any
 * @param room executors that all nodes hold
 * @param refusal why no NUMA node can hold one, with the remedy; empty if one can
 */
record ExactFit(int slots, int perNode, int room, Optional<String> refusal) {

  /**
   * With w slots needed in one NUMA node a pod asks for one more than the largest number of free
   * slots that may lie so that no NUMA node has w of them (the pigeonhole principle).
   */
  static ExactFit of(Plan plan, ExecutorCpus cpus, ExecutorMemory memory) {
    int slotCpus = plan.shape().cpus().cpus();
    long slotBytes = plan.shape().memory().podBytes();
    long width = Math.max(ceilDiv(cpus.cpus(), slotCpus), ceilDiv(memory.podBytes(), slotBytes));
    int widest =
        plan.layouts().stream()
            .flatMap(layout -> layout.numaNodes().stream())
            .mapToInt(numa -> numa.slots().size())
            .max()
            .orElse(0);
    if (width > widest) {
      return new ExactFit(
          0,
          0,
          0,
          Optional.of(
              "an executor of %d CPUs and %s takes %d slots of one NUMA node, which has at most %d; lower spec.executor.cores or memory, or remove sizing, so that the total is split"
                  .formatted(
                      cpus.cpus(), MemorySize.toQuantity(memory.podBytes()), width, widest)));
    }
    int slots =
        plan.layouts().stream()
            .mapToInt(layout -> guaranteeing((int) width, layout))
            .max()
            .orElse(1);
    int room =
        plan.layouts().stream()
            .mapToInt(layout -> layout.slots().size() / slots * layout.nodeClass().nodes())
            .sum();
    int perNode =
        plan.layouts().stream()
            .mapToInt(layout -> layout.slots().size() / slots)
            .filter(executors -> executors > 0)
            .min()
            .orElse(0);
    return room > 0
        ? new ExactFit(slots, perNode, room, Optional.empty())
        : new ExactFit(
            0,
            0,
            0,
            Optional.of(
                "an executor of %d CPUs and %s would have to ask for %d slots to be sure of %d in one NUMA node, which no node has; lower spec.executor.cores or memory, or remove sizing, so that the total is split"
                    .formatted(
                        cpus.cpus(), MemorySize.toQuantity(memory.podBytes()), slots, width)));
  }

  private static int guaranteeing(int width, Layout layout) {
    return 1
        + layout.numaNodes().stream()
            .map(NumaLayout::slots)
            .mapToInt(slots -> Math.min(width - 1, slots.size()))
            .sum();
  }

  private static long ceilDiv(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }
}
