package io.numaspark.planner.jvm;

import java.util.ArrayList;
import java.util.List;

/**
 * JVM options of an executor, without -Xms and -Xmx, which Spark sets itself (both to the heap).
 *
 * <p>Every option carries its reason and source. "Chiba and Onodera 2015" is Workload
 * Characterization and Optimization of TPC-H Queries on Apache Spark (RT0968, POWER8, J9): half of
 * the heap as nursery gave 30 to 40 % on shuffle-heavy queries and nothing on shuffle-light ones
 * (section V.B).
 *
 * <p>Limit: DisableExplicitGC is never set: HotSpot frees direct buffers through System.gc, and
 * without it they run out.
 */
public final class JvmOptions {
  /** Below it the nursery is left to the JVM: half of so small a heap is little either way. */
  private static final long LARGE_HEAP_BYTES = 4L << 30;

  private JvmOptions() {}

  /** Options for one executor, in a fixed order; the policy's own come last and win. */
  public static List<String> of(
      JvmPolicy policy, ExecutorMemory memory, ExecutorCpus cpus, Workload workload) {
    return explained(policy, memory, cpus, workload).stream().map(JvmOption::text).toList();
  }

  /** The same options with the reason for each. */
  public static List<JvmOption> explained(
      JvmPolicy policy, ExecutorMemory memory, ExecutorCpus cpus, Workload workload) {
    List<JvmOption> options = new ArrayList<>();
    if (policy.vendor() == Vendor.OPENJ9) {
      addOpenJ9(options, policy, memory, cpus, workload);
    } else {
      addHotSpot(options, policy, memory, cpus, workload);
    }
    if (policy.preTouch()) {
      options.add(
          new JvmOption(
              "-XX:+AlwaysPreTouch",
              "touches the whole heap at start, while the executor is pinned: every page comes from"
                  + " its NUMA node; spec.jvm.preTouch"));
    }
    addHugePages(options, policy);
    policy
        .extraOptions()
        .forEach(option -> options.add(new JvmOption(option, "spec.jvm.extraOptions")));
    return List.copyOf(options);
  }

  private static void addOpenJ9(
      List<JvmOption> options,
      JvmPolicy policy,
      ExecutorMemory memory,
      ExecutorCpus cpus,
      Workload workload) {
    if (Collector.chosenBy(policy.extraOptions()).isPresent()
        || policy.collector() == Collector.UNSET) {
      return;
    }
    options.add(
        new JvmOption(
            "-Xgcpolicy:gencon", "generational, as the studies ran it; OpenJ9's own default"));
    options.add(
        new JvmOption(
            "-Xgcthreads" + cpus.cores(),
            "one collector thread a core: OpenJ9 counts hardware threads, and too many contend"
                + " (Chiba and Onodera 2015, section IV.A)"));
    long nursery = memory.heapBytes() / nurseryDivisor(workload) / ExecutorMemory.MIB;
    options.add(new JvmOption("-Xmn" + nursery + "m", nurseryReason(workload)));
  }

  private static void addHotSpot(
      List<JvmOption> options,
      JvmPolicy policy,
      ExecutorMemory memory,
      ExecutorCpus cpus,
      Workload workload) {
    if (Collector.chosenBy(policy.extraOptions()).isEmpty()) {
      addCollector(options, resolve(policy.collector(), workload), memory, cpus, workload);
    }
    if (policy.objectAlignment() != 8) {
      options.add(
          new JvmOption(
              "-XX:ObjectAlignmentInBytes=" + policy.objectAlignment(),
              "keeps 4-byte object pointers on heaps up to 63488 MiB (zero-based) at the price of"
                  + " more padding; spec.jvm.objectAlignment"));
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
      List<JvmOption> options,
      Collector collector,
      ExecutorMemory memory,
      ExecutorCpus cpus,
      Workload workload) {
    switch (collector) {
      case PARALLEL -> {
        options.add(
            new JvmOption(
                "-XX:+UseParallelGC",
                "throughput: batch work bears pauses; Chiba and Onodera 2015 and Awan et al. 2016 ran"
                    + " generational stop-the-world collectors"));
        options.add(gcThreads(cpus));
        if (memory.heapBytes() >= LARGE_HEAP_BYTES) {
          options.add(
              new JvmOption(
                  "-XX:NewRatio=" + (nurseryDivisor(workload) - 1), nurseryReason(workload)));
        }
      }
      case G1 -> {
        options.add(
            new JvmOption("-XX:+UseG1GC", "short pauses: a late micro-batch delays the next one"));
        options.add(gcThreads(cpus));
        options.add(
            new JvmOption(
                "-XX:InitiatingHeapOccupancyPercent=35",
                "starts marking before the cached blocks fill the heap; HotSpot's default of 45 is"
                    + " only its first guess"));
        options.add(
            new JvmOption(
                "-XX:+ExplicitGCInvokesConcurrent",
                "System.gc, which frees direct buffers, does not stop the executor"));
      }
      case SERIAL -> options.add(new JvmOption("-XX:+UseSerialGC", "spec.jvm.collector"));
      case SHENANDOAH -> {
        options.add(new JvmOption("-XX:+UseShenandoahGC", "spec.jvm.collector"));
        options.add(gcThreads(cpus));
      }
      case ZGC -> options.add(new JvmOption("-XX:+UseZGC", "spec.jvm.collector"));
      case UNSET -> {}
      case AUTO, GENCON, BALANCED ->
          throw new IllegalArgumentException(collector + " is not a collector of HotSpot");
    }
  }

  private static JvmOption gcThreads(ExecutorCpus cpus) {
    return new JvmOption(
        "-XX:ParallelGCThreads=" + cpus.cores(),
        "one collector thread a core: HotSpot counts hardware threads, and too many contend"
            + " (Chiba and Onodera 2015, section IV.A)");
  }

  private static void addHugePages(List<JvmOption> options, JvmPolicy policy) {
    String option =
        policy.vendor() == Vendor.OPENJ9 ? "TransparentHugePage" : "UseTransparentHugePages";
    switch (policy.transparentHugePages()) {
      case ENABLED ->
          options.add(
              new JvmOption(
                  "-XX:+" + option,
                  "requests huge pages where the kernel is set to madvise;"
                      + " spec.jvm.transparentHugePages"));
      case DISABLED ->
          options.add(
              new JvmOption(
                  "-XX:-" + option, "does not request huge pages; spec.jvm.transparentHugePages"));
      case AUTO -> {}
    }
  }

  /** The nursery is the heap divided by this. */
  private static int nurseryDivisor(Workload workload) {
    return workload == Workload.ITERATIVE ? 3 : 2;
  }

  private static String nurseryReason(Workload workload) {
    return workload == Workload.ITERATIVE
        ? "a third of the heap young: the old generation must hold the cached blocks"
        : "half of the heap young: short-lived shuffle data dies before it is copied to the old"
            + " generation, 30 to 40 % faster on shuffle-heavy queries (Chiba and Onodera 2015, section"
            + " V.B)";
  }
}
