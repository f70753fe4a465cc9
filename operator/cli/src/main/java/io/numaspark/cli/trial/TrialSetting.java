package io.numaspark.cli.trial;

import io.numaspark.planner.sysfs.CpuIdentity;
import io.numaspark.planner.sysfs.SystemIdentity;
import io.numaspark.planner.topology.NodeTopology;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What all arms of a trial share, and what the machine allows.
 *
 * @param processor in words, for the report
 * @param sizes of all executors of an arm together
 * @param numactl whether memory can be bound
 * @param javaHomes of other JDKs to compare
 * @param plugin the Spark plugin's jar, if there is one
 * @param counters whether perf counts each run
 */
record TrialSetting(
    NodeTopology topology,
    String processor,
    Sizes sizes,
    boolean numactl,
    List<String> javaHomes,
    Optional<String> plugin,
    boolean counters) {

  /** Spark refuses to start an executor with less than 450 MiB. */
  static final int LEAST_EXECUTOR_MEBIBYTES = 512;

  /**
   * What the executors of an arm share.
   *
   * @param memoryMebibytes limit of all processes of a run together; empty for none
   * @param taskSlots tasks at once; empty for one on each hardware thread
   * @param executors the counts that are compared, besides one
   */
  record Sizes(
      int heapMebibytes,
      OptionalInt memoryMebibytes,
      OptionalInt taskSlots,
      List<Integer> executors) {
    Sizes {
      executors = List.copyOf(executors);
    }
  }

  /** A processor's name, and whether a hypervisor is between it and the times that are measured. */
  static String words(CpuIdentity cpu, SystemIdentity system) {
    String name = cpu.name().orElse("unknown processor");
    if (name.startsWith("QEMU") || name.contains("TCG")) {
      return name + " (emulated: its times mean nothing)";
    }
    return name + (system.hypervisor().isPresent() ? " (virtual machine)" : "");
  }

  CoreShares shares() {
    return new CoreShares(topology);
  }

  int threads() {
    return topology.cpus().size();
  }

  int heapMebibytes() {
    return sizes.heapMebibytes();
  }

  OptionalInt memoryMebibytes() {
    return sizes.memoryMebibytes();
  }

  /** Tasks that all executors of an arm run at once. */
  int taskSlots() {
    return sizes.taskSlots().orElse(threads());
  }

  /** Whether executors so many can share the task slots and the cores alike. */
  boolean divides(int executors) {
    return sizes.taskSlots().isPresent()
        ? taskSlots() % executors == 0
        : shares().cores() % executors == 0;
  }

  /** Whether executors so many can share the heap. */
  boolean hasHeapFor(int executors) {
    return heapMebibytes() / executors >= LEAST_EXECUTOR_MEBIBYTES;
  }
}
