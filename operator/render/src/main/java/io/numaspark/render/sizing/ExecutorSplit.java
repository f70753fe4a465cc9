package io.numaspark.render.sizing;

import io.numaspark.api.v1alpha1.ExecutorSpec;
import io.numaspark.api.v1alpha1.ExecutorSpec.Sizing;
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
import io.numaspark.render.application.DynamicExecutors;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.JavaOptionsField;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.ShuffleSize;
import io.numaspark.render.application.SizedExecutors;
import io.numaspark.render.application.SizedExecutors.Refused;
import io.numaspark.render.application.SizedExecutors.Sized;
import io.numaspark.render.application.SparkMemory;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.MemorySize;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;

/**
 * The executors of an application in number and size. With a profile, the total that the
 * application asks for is turned into executors of the profile's shape.
 *
 * <p>The total is task slots (instances x cores) and heap (instances x memory); the larger of the
 * two numbers of executors is taken, so that neither is less than asked for.
 */
public final class ExecutorSplit {
  private ExecutorSplit() {}

  /**
   * The executors that an application gets.
   *
   * @param profile empty for an ordinary application
   */
  public static SizedExecutors of(SparkApplicationSpec spec, Optional<ProfileContext> profile) {
    if (profile.isEmpty()) {
      return ordinary(spec);
    }
    return spec.executor().sizing() == Sizing.Exact
        ? ExactExecutors.of(spec, profile.get())
        : sized(spec, profile.get());
  }

  /** The executors of a profile's shape, or why the profile's pod leaves no heap for them. */
  private static SizedExecutors sized(SparkApplicationSpec spec, ProfileContext profile) {
    return memory(spec, profile)
        .<SizedExecutors>map(memory -> sized(spec, profile, memory))
        .orElseGet(() -> new Refused(memoryTooSmall(spec, profile)));
  }

  /** The same number of executors for another operator, without dynamic allocation. */
  public static Optional<ExecutorRequest> pinned(
      SparkApplicationSpec spec, ProfileContext profile) {
    return memory(spec, profile).map(memory -> fixed(spec, profile, memory));
  }

  static Sized ordinary(SparkApplicationSpec spec) {
    ExecutorSpec executor = spec.executor();
    ExecutorRequest fixed =
        new ExecutorRequest(
            Objects.requireNonNullElse(executor.instances(), 1),
            Objects.requireNonNullElse(executor.cores(), 1),
            MemorySize.ofSpark(
                Objects.requireNonNullElse(executor.memory(), SparkMemory.DEFAULT_HEAP)),
            Optional.empty());
    Optional<DynamicExecutors> dynamic =
        DynamicExecutors.of(
            spec,
            Objects.requireNonNullElse(executor.instances(), 0),
            IntUnaryOperator.identity(),
            OptionalInt.empty());
    return new Sized(dynamic.map(fixed::changing).orElse(fixed), dynamic, List.of());
  }

  private static Sized sized(
      SparkApplicationSpec spec, ProfileContext profile, ExecutorMemory memory) {
    ExecutorRequest fixed = fixed(spec, profile, memory);
    ExecutorSpec executor = spec.executor();
    boolean asksFor = executor.nodes() != null || executor.instances() != null;
    Optional<DynamicExecutors> dynamic =
        DynamicExecutors.of(
            spec,
            asksFor ? fixed.instances() : 0,
            number -> split(number, executor, profile.plan(), memory),
            profile.bound(profile.plan().totalSlots()));
    return new Sized(dynamic.map(fixed::changing).orElse(fixed), dynamic, List.of());
  }

  private static ExecutorRequest fixed(
      SparkApplicationSpec spec, ProfileContext profile, ExecutorMemory memory) {
    ExecutorCpus cpus = profile.plan().shape().cpus();
    List<JvmOption> options =
        JvmOptions.explained(
            profile.policy().jvm().yieldingCollectorTo(JavaOptionsField.of(spec).options()),
            memory,
            cpus,
            workload(spec));
    return new ExecutorRequest(
        instances(spec.executor(), profile.plan(), memory),
        cpus.taskSlots(),
        memory.heapBytes(),
        Optional.of(ExecutorRequest.Pinned.of(profile, cpus, memory, options, 1, 1)));
  }

  private static Refusal memoryTooSmall(SparkApplicationSpec spec, ProfileContext profile) {
    if (ShuffleSize.inMemory(spec)) {
      return new Refusal(
          RefusalReason.EXECUTOR_MEMORY_TOO_SMALL,
          "spec.shuffle.size: "
              + (spec.shuffle().size() == null ? "what is taken" : spec.shuffle().size())
              + " for shuffle data in memory leaves no heap in the executors of profile "
              + profile.name()
              + ", whose pods have "
              + MemorySize.toQuantity(profile.plan().shape().memory().podBytes())
              + "; give less, or raise spec.executor.coresPerExecutor.min of the profile so that"
              + " executors are larger");
    }
    return new Refusal(
        RefusalReason.EXECUTOR_MEMORY_TOO_SMALL,
        "spec.type: a "
            + spec.type()
            + " application keeps 40 % of the heap, and what spark.executor.pyspark.memory says,"
            + " for its workers, which leaves too little heap in the executors of profile "
            + profile.name()
            + "; raise spec.executor.coresPerExecutor.min of the profile so that executors are"
            + " larger");
  }

  public static Workload workload(SparkApplicationSpec spec) {
    return switch (spec.workload()) {
      case General -> Workload.GENERAL;
      case ShuffleHeavy -> Workload.SHUFFLE_HEAVY;
      case Iterative -> Workload.ITERATIVE;
      case Streaming -> Workload.STREAMING;
      case Scan -> Workload.SCAN;
    };
  }

  /**
   * The pod keeps the slot's size; Python and R workers, and shuffle data in memory, take their
   * part of it from the page cache, and from the heap if that is not enough.
   */
  private static Optional<ExecutorMemory> memory(
      SparkApplicationSpec spec, ProfileContext profile) {
    ExecutorMemory shape = profile.plan().shape().memory();
    MemoryPolicy policy = profile.policy().memory();
    Optional<ExecutorMemory> without = Optional.of(withoutShuffle(shape));
    if (spec.type() == Type.Python || spec.type() == Type.R) {
      policy =
          policy
              .withOverheadFactorAtLeast(MemoryPolicy.NON_JVM_OVERHEAD_FACTOR)
              .withPysparkBytes(pysparkBytes(spec));
      without = largestIn(shape.podBytes(), policy.withShuffleBytes(0));
    }
    if (!ShuffleSize.inMemory(spec) || without.isEmpty()) {
      return without;
    }
    long shuffle = ShuffleSize.bytesOutOf(without.get(), policy.shuffleBytes(), spec);
    return largestIn(shape.podBytes(), policy.withShuffleBytes(shuffle));
  }

  /** The rest is page cache: the pod is exactly as large as the slot. */
  private static Optional<ExecutorMemory> largestIn(long podBytes, MemoryPolicy policy) {
    return ExecutorMemory.largestWithin(podBytes, policy).map(memory -> memory.filling(podBytes));
  }

  /** What a profile keeps for shuffle data is page cache where there is none in memory. */
  public static ExecutorMemory withoutShuffle(ExecutorMemory shape) {
    return shape.withShuffleBytes(0).filling(shape.podBytes());
  }

  /** Spark adds it for Python only, in whole MiB rounded down. */
  private static long pysparkBytes(SparkApplicationSpec spec) {
    String size = SparkProperties.orEmpty(spec.sparkConf()).get(SparkKeys.PYSPARK_MEMORY);
    return size == null || spec.type() != Type.Python
        ? 0
        : MemorySize.ofSpark(size) / MemorySize.MIB * MemorySize.MIB;
  }

  private static int instances(ExecutorSpec executor, Plan plan, ExecutorMemory memory) {
    if (executor.nodes() != null) {
      return executor.nodes() * slotsPerNode(plan);
    }
    return split(Objects.requireNonNullElse(executor.instances(), 1), executor, plan, memory);
  }

  /** Executors of the profile's shape for a number of those that the application describes. */
  private static int split(int instances, ExecutorSpec executor, Plan plan, ExecutorMemory memory) {
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
