package io.numaspark.planner.capacity;

import io.numaspark.planner.capacity.ExactFit.ClassExecutors;
import io.numaspark.planner.capacity.ExactFit.DoesNotFit;
import io.numaspark.planner.capacity.ExactFit.Fits;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.NumaLayout;
import io.numaspark.planner.plan.PlanResult.Plan;
import java.util.List;

/**
 * An executor that keeps the size its application wrote, on nodes that are cut into slots of
 * another.
 *
 * <p>It needs w = max(ceil(p / c), ceil(m / M)) free slots in one NUMA node, but the scheduler
 * knows only how many the node has. A node with k free slots has w of them in one NUMA node
 * whatever their distribution if k exceeds the sum of min(w - 1, S(n)) over the NUMA nodes (the
 * pigeonhole principle; N (w - 1) + 1 for N equal ones). A class without a NUMA node of w slots
 * asks for one slot more than it has, so the largest number over all classes is right for all of
 * them, and the executor reaches no node that cannot hold it. It keeps its k slots while it runs,
 * which is always safe ({@link SlotCapacity}), and wastes k - w of them.
 *
 * <p>Limit: an executor that fits an empty NUMA node only together with what is left there beside
 * the slots is refused, because other pods may sit there without taking a slot.
 *
 * @param cpus CPUs of the pod, at least 1
 * @param memoryBytes memory of the pod, at least 1
 */
public record ExactShape(int cpus, long memoryBytes) {
  public ExactShape {
    if (cpus < 1 || memoryBytes < 1) {
      throw new IllegalArgumentException(
          "an executor of %d CPUs and %d bytes: both must be at least 1"
              .formatted(cpus, memoryBytes));
    }
  }

  /** What to request for it on the nodes of a plan. */
  public ExactFit fit(Plan plan) {
    int slotCpus = plan.shape().cpus().cpus();
    int threads = slotCpus / plan.shape().cpus().cores();
    if (cpus % threads != 0) {
      return new DoesNotFit(
          "an executor of %s is not made of whole cores, which have %d threads here"
              .formatted(size(), threads),
          "request %d CPUs".formatted((long) (cpus / threads + 1) * threads));
    }
    long slotBytes = plan.shape().memory().podBytes();
    long width =
        Math.max(NodeSlots.ceiling(cpus, slotCpus), NodeSlots.ceiling(memoryBytes, slotBytes));
    int widest = plan.layouts().stream().mapToInt(ExactShape::mostSlotsOfANumaNode).max().orElse(0);
    if (width > widest) {
      return new DoesNotFit(
          "an executor of %s takes %d slots of %s in one NUMA node, and the largest has %d"
              .formatted(size(), width, size(slotCpus, slotBytes), widest),
          "request at most %s, or use a profile with larger NUMA nodes"
              .formatted(size(widest * slotCpus, widest * slotBytes)));
    }
    int slots =
        plan.layouts().stream()
            .mapToInt(layout -> guaranteeing((int) width, layout))
            .max()
            .orElseThrow();
    List<ClassExecutors> classes =
        plan.layouts().stream()
            .map(
                layout ->
                    new ClassExecutors(layout.nodeClass().name(), layout.slots().size() / slots))
            .toList();
    if (classes.stream().allMatch(ofClass -> ofClass.executors() == 0)) {
      return new DoesNotFit(
          "an executor of %s takes %d slots of %s in one NUMA node; to be sure of them on every node class it would have"
                  .formatted(size(), width, size(slotCpus, slotBytes))
              + " to request %d slots, more than any node that can hold it has".formatted(slots),
          "give the nodes with the largest NUMA nodes a profile of their own, or request a smaller executor");
    }
    return new Fits(
        slots, (int) width, classes, why((int) width, slots, size(slotCpus, slotBytes)));
  }

  private String why(int width, int slots, String slot) {
    String takes =
        "an executor of %s takes up to %s of %s in one NUMA node"
            .formatted(size(), width == 1 ? "1 slot" : width + " slots", slot);
    return slots == width
        ? takes
        : takes
            + "; only with %d free slots on a node are %d of them sure to be in one NUMA node, so it holds %d more than it takes"
                .formatted(slots, width, slots - width);
  }

  /** The least number of free slots on a node of which some NUMA node must have the given one. */
  private static int guaranteeing(int width, Layout layout) {
    return 1
        + layout.numaNodes().stream()
            .map(NumaLayout::slots)
            .mapToInt(slots -> Math.min(width - 1, slots.size()))
            .sum();
  }

  private static int mostSlotsOfANumaNode(Layout layout) {
    return layout.numaNodes().stream().mapToInt(numa -> numa.slots().size()).max().orElse(0);
  }

  private String size() {
    return size(cpus, memoryBytes);
  }

  /** Memory is rounded up to MiB. */
  private static String size(int cpus, long bytes) {
    return "%d %s and %d MiB"
        .formatted(cpus, cpus == 1 ? "CPU" : "CPUs", NodeSlots.ceiling(bytes, ExecutorMemory.MIB));
  }
}
