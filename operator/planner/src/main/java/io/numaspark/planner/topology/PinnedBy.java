package io.numaspark.planner.topology;

/**
 * What gives executors of a node their CPUs. If it is not enforced, executors have slots and sizes
 * as if they were pinned, and run on all CPUs.
 */
public sealed interface PinnedBy {

  boolean enforced();

  /** The same, not enforced. */
  PinnedBy observed();

  /** The kubelet's static CPU manager, as the machine's settings say. */
  record Kubelet(boolean enforced) implements PinnedBy {
    @Override
    public PinnedBy observed() {
      return new Kubelet(false);
    }
  }

  /**
   * The container runtime, by a layout of numaspark's own; the machine's kubelet settings are then
   * those that would guarantee the same.
   *
   * @param actual the machine as its kubelet has it, with all cores
   * @param memory what a slot means for memory
   */
  record Runtime(Machine actual, Memory memory, boolean enforced) implements PinnedBy {
    public Runtime(Machine actual, Memory memory) {
      this(actual, memory, true);
    }

    @Override
    public PinnedBy observed() {
      return new Runtime(actual, memory, false);
    }
  }

  /** What a slot means for memory. */
  enum Memory {
    /** All memory comes from the slot's NUMA node; the kernel kills rather than take another's. */
    BIND,
    /** Memory comes from the NUMA node that touches it first, while that has some. */
    LOCAL
  }
}
