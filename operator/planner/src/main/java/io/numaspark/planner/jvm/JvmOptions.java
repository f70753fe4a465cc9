package io.numaspark.planner.jvm;

import java.util.ArrayList;
import java.util.List;

/**
 * JVM options of an executor, without -Xms and -Xmx, which Spark sets itself (both to the heap).
 *
 * <p>DisableExplicitGC is never set: HotSpot frees direct buffers through System.gc, and without it
 * they run out.
 */
public final class JvmOptions {
  private static final long LARGE_HEAP_BYTES = 4L << 30;

  private JvmOptions() {}

  /** Options for one executor, in a fixed order; the policy's own come last and win. */
  public static List<String> of(
      JvmPolicy policy, ExecutorMemory memory, ExecutorCpus cpus, Workload workload) {
    List<String> options = new ArrayList<>();
    if (policy.vendor() == Vendor.OPENJ9) {
      options.add("-Xgcpolicy:gencon");
      // Half of the heap for the nursery: fewer copies of short-lived shuffle data (seed study
      // 000).
      options.add("-Xmn" + memory.heapBytes() / 2 / ExecutorMemory.MIB + "m");
      if (policy.preTouch()) {
        options.add("-XX:+AlwaysPreTouch");
      }
    } else {
      addHotSpot(options, policy, memory, cpus, workload);
    }
    options.addAll(policy.extraOptions());
    return List.copyOf(options);
  }

  /**
   * Whether an option chooses HotSpot's collector; two such options make HotSpot refuse to start.
   */
  public static boolean choosesCollector(String option) {
    return option.matches("-XX:\\+Use(Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC");
  }

  private static void addHotSpot(
      List<String> options,
      JvmPolicy policy,
      ExecutorMemory memory,
      ExecutorCpus cpus,
      Workload workload) {
    if (policy.extraOptions().stream().noneMatch(JvmOptions::choosesCollector)) {
      addCollector(options, resolve(policy.collector(), workload), memory, cpus, workload);
    }
    if (policy.preTouch()) {
      options.add("-XX:+AlwaysPreTouch");
    }
    switch (policy.transparentHugePages()) {
      case ENABLED -> options.add("-XX:+UseTransparentHugePages");
      case DISABLED -> options.add("-XX:-UseTransparentHugePages");
      case AUTO -> {}
    }
  }

  /**
   * Parallel for throughput; G1 where pauses or a large cache count. Serial is never chosen: it
   * would use one thread of the executor's cores.
   */
  private static Collector resolve(Collector wanted, Workload workload) {
    if (wanted != Collector.AUTO) {
      return wanted;
    }
    return switch (workload) {
      case STREAMING -> Collector.G1;
      case GENERAL, SHUFFLE_HEAVY, ITERATIVE, SCAN -> Collector.PARALLEL;
    };
  }

  private static void addCollector(
      List<String> options,
      Collector collector,
      ExecutorMemory memory,
      ExecutorCpus cpus,
      Workload workload) {
    switch (collector) {
      case PARALLEL -> {
        options.add("-XX:+UseParallelGC");
        // One collector thread a core: siblings share the core's load ports and only add stealing.
        options.add("-XX:ParallelGCThreads=" + cpus.cores());
        if (memory.heapBytes() >= LARGE_HEAP_BYTES) {
          // Half of the heap young, except where the old generation must hold the cache.
          options.add("-XX:NewRatio=" + (workload == Workload.ITERATIVE ? 2 : 1));
        }
      }
      case G1 -> {
        options.add("-XX:+UseG1GC");
        options.add("-XX:ParallelGCThreads=" + cpus.cores());
        options.add("-XX:InitiatingHeapOccupancyPercent=35");
        options.add("-XX:+ExplicitGCInvokesConcurrent");
      }
      case SERIAL -> options.add("-XX:+UseSerialGC");
      case ZGC -> options.add("-XX:+UseZGC");
      case UNSET -> {}
      case AUTO -> throw new IllegalArgumentException("AUTO is resolved before");
    }
  }
}
