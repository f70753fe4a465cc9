package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.ExecutorSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.JvmOption;
import io.numaspark.planner.jvm.JvmOptions;
import io.numaspark.planner.jvm.MemoryPolicy;
import io.numaspark.planner.jvm.Workload;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.render.MemorySize;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Turns the total that an application asks for into executors of its profile's shape.
 *
 * <p>The total is task slots (instances x cores) and heap (instances x memory); the larger of the
 * two numbers of executors is taken, so that neither is less than asked for.
 */
final class ExecutorSplit {
  private ExecutorSplit() {}

  /** The executors, or empty if the profile's pod leaves no heap for this language. */
  static Optional<ExecutorRequest> pinned(SparkApplicationSpec spec, ProfileContext profile) {
    Plan plan = profile.plan();
    ExecutorCpus cpus = plan.shape().cpus();
    return memory(spec, profile)
        .map(
            memory -> {
              List<JvmOption> options =
                  JvmOptions.explained(
                      profile
                          .policy()
                          .jvm()
                          .yieldingCollectorTo(JavaOptionsField.of(spec).options()),
                      memory,
                      cpus,
                      workload(spec));
              return new ExecutorRequest(
                  instances(spec.executor(), plan, memory),
                  cpus.taskSlots(),
                  memory.heapBytes(),
                  Optional.of(new ExecutorRequest.Pinned(profile.name(), cpus, memory, options)));
            });
  }

  static ExecutorRequest ordinary(SparkApplicationSpec spec) {
    ExecutorSpec executor = spec.executor();
    return new ExecutorRequest(
        Objects.requireNonNullElse(executor.instances(), 1),
        Objects.requireNonNullElse(executor.cores(), 1),
        MemorySize.ofSpark(Objects.requireNonNullElse(executor.memory(), "1g")),
        Optional.empty());
  }

  static Workload workload(SparkApplicationSpec spec) {
    return switch (Objects.requireNonNullElse(
        spec.workload(), SparkApplicationSpec.Workload.General)) {
      case General -> Workload.GENERAL;
      case ShuffleHeavy -> Workload.SHUFFLE_HEAVY;
      case Iterative -> Workload.ITERATIVE;
      case Streaming -> Workload.STREAMING;
      case Scan -> Workload.SCAN;
    };
  }

  /** The pod keeps the slot's size; Python and R workers take their part of it from the heap. */
  private static Optional<ExecutorMemory> memory(
      SparkApplicationSpec spec, ProfileContext profile) {
    ExecutorMemory shape = profile.plan().shape().memory();
    if (spec.type() != Type.Python && spec.type() != Type.R) {
      return Optional.of(shape);
    }
    MemoryPolicy policy =
        profile
            .policy()
            .memory()
            .withOverheadFactorAtLeast(MemoryPolicy.NON_JVM_OVERHEAD_FACTOR)
            .withPysparkBytes(pysparkBytes(spec));
    // What rounding leaves goes to the overhead: the pod is exactly as large as the slot.
    return ExecutorMemory.largestWithin(shape.podBytes(), policy)
        .map(memory -> memory.withOverheadOfPod(shape.podBytes()));
  }

  /** Spark adds it for Python only, in whole MiB rounded down. */
  private static long pysparkBytes(SparkApplicationSpec spec) {
    String size = SparkConf.orEmpty(spec.sparkConf()).get(ConfRules.PYSPARK_MEMORY);
    return size == null || spec.type() != Type.Python
        ? 0
        : MemorySize.ofSpark(size) / MemorySize.MIB * MemorySize.MIB;
  }

  private static int instances(ExecutorSpec executor, Plan plan, ExecutorMemory memory) {
    if (executor.nodes() != null) {
      return executor.nodes() * slotsPerNode(plan);
    }
    int instances = Objects.requireNonNullElse(executor.instances(), 1);
    long wanted = instances;
    if (executor.cores() != null) {
      wanted = ceilDiv((long) instances * executor.cores(), plan.shape().cpus().taskSlots());
    }
    if (executor.memory() != null) {
      long heap = Math.multiplyExact(instances, MemorySize.ofSpark(executor.memory()));
      long forHeap = ceilDiv(heap, memory.heapBytes());
      wanted = executor.cores() == null ? forHeap : Math.max(wanted, forHeap);
    }
    return (int) Math.min(wanted, Integer.MAX_VALUE);
  }

  /**
   * In a mixed fleet the smallest class counts, so that n nodes of any class hold what is asked
   * for.
   */
  private static int slotsPerNode(Plan plan) {
    return plan.layouts().stream()
        .filter(Layout::isUsable)
        .mapToInt(layout -> layout.slots().size())
        .filter(slots -> slots > 0)
        .min()
        .orElse(0);
  }

  private static long ceilDiv(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }
}
