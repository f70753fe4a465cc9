package io.numaspark.sparkbench;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One way to run the same queries.
 *
 * @param name in tables and plots
 * @param executors that share the cores and the memory of the run
 * @param slots tasks at a time of all executors; 0 means as many as cores
 * @param localDir where Spark's own shuffle and spills go
 * @param memory empty: the heap of the run, and what the suite leaves for files
 * @param properties of Spark that this variant sets
 * @param against name of the variant that this one is compared with; null for the suite's baseline
 */
record Variant(
    String name,
    int executors,
    int slots,
    LocalDir localDir,
    Optional<Memory> memory,
    Map<String, String> properties,
    String against) {

  /** What {@code spark.local.dir} is on. */
  enum LocalDir {
    /** The machine's own disk, or the emulated device in a suite that has one. */
    DISK,
    TMPFS
  }

  /**
   * Memory as a pod has it.
   *
   * @param heapMebibytes of all executors together
   * @param limitMebibytes of everything that driver and executors touch, page cache included
   */
  record Memory(int heapMebibytes, int limitMebibytes) {}

  Variant {
    properties = Map.copyOf(properties);
  }

  static Variant named(String name) {
    return new Variant(name, 1, 0, LocalDir.DISK, Optional.empty(), Map.of(), null);
  }

  Variant executors(int count) {
    return new Variant(name, count, slots, localDir, memory, properties, against);
  }

  Variant slots(int count) {
    return new Variant(name, executors, count, localDir, memory, properties, against);
  }

  Variant onTmpfs() {
    return new Variant(name, executors, slots, LocalDir.TMPFS, memory, properties, against);
  }

  Variant within(Memory limits) {
    return new Variant(name, executors, slots, localDir, Optional.of(limits), properties, against);
  }

  Variant with(String property, String value) {
    Map<String, String> more = new TreeMap<>(properties);
    more.put(property, value);
    return new Variant(name, executors, slots, localDir, memory, more, against);
  }

  Variant against(String other) {
    return new Variant(name, executors, slots, localDir, memory, properties, other);
  }
}
