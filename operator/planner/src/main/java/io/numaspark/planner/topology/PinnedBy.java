package io.numaspark.planner.topology;

/** What gives executors of a node their CPUs. */
public sealed interface PinnedBy {

  /** The kubelet's static CPU manager, as the machine's settings say. */
  record Kubelet() implements PinnedBy {}

  /**
   * The container runtime, by a layout of numaspark's own; the machine's kubelet settings are then
   * those that would guarantee the same.
   *
   * @param actual the machine as its kubelet has it, with all cores
   * @param memory what a slot means for memory
   */
  record Runtime(Machine actual, Memory memory) implements PinnedBy {}

  /** What a slot means for memory. */
  enum Memory {
    /** All memory comes from the slot's NUMA node; the kernel kills rather than take another's. */
    BIND,
    /** Memory comes from the NUMA node that touches it first, while that has some. */
    LOCAL
  }
}
