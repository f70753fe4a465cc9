package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.ExecutorSizing;
import io.numaspark.api.v1alpha1.JvmSpec;
import io.numaspark.api.v1alpha1.PageCache;
import io.numaspark.api.v1alpha1.PinningSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.planner.jvm.Collector;
import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.HeapLimits;
import io.numaspark.planner.jvm.JvmOptionRules;
import io.numaspark.planner.jvm.JvmOptionRules.Objection;
import io.numaspark.planner.jvm.JvmPolicy;
import io.numaspark.planner.jvm.MemoryPolicy;
import io.numaspark.planner.jvm.PageCachePolicy;
import io.numaspark.planner.jvm.TransparentHugePages;
import io.numaspark.planner.jvm.Vendor;
import io.numaspark.planner.plan.RuntimePinning;
import io.numaspark.planner.plan.ShapePolicy;
import io.numaspark.planner.plan.ShapePolicy.CoreRange;
import io.numaspark.planner.plan.ShapePriorities;
import io.numaspark.planner.plan.SmtMode;
import io.numaspark.planner.topology.PinnedBy;
import io.numaspark.render.text.JavaOptionsText;
import io.numaspark.render.text.MemorySize;
import io.numaspark.schema.CustomResourceSchema;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A profile as the planner takes it, with every default of the CRD applied. */
public final class ProfileTranslator {
  private static final int MOST_THREADS_PER_CORE = 8;

  private ProfileTranslator() {}

  /**
   * The policy that a profile asks for.
   *
   * @throws IllegalArgumentException naming the field, if the schema does not admit a value, the
   *     heap is above the limit of its JVM, or a JVM option would undo the plan
   */
  public static ShapePolicy policy(SparkNodeProfileSpec given) {
    SparkNodeProfileSpec spec =
        CustomResourceSchema.of(SparkNodeProfile.class).admitted(given, SparkNodeProfileSpec.class);
    ExecutorSizing executor = spec.executor();
    JvmPolicy jvm = jvm(spec.jvm());
    MemoryPolicy memory = memory(executor);
    CoreRange cores =
        new CoreRange(
            executor.coresPerExecutor().min(),
            executor.coresPerExecutor().max(),
            optional(executor.coresPerExecutor().preferred()));
    checkHeap(memory.maxHeapBytes(), jvm, executor.allowLargeHeap());
    checkOptions(jvm, cores, memory);
    return new ShapePolicy(
        cores,
        SmtMode.valueOf(upper(spec.smt().mode())),
        optional(spec.smt().tasksPerCore()),
        new ShapePriorities(executor.spreadAcrossCaches(), optional(executor.expectedRunSeconds())),
        memory,
        jvm);
  }

  /** Who shall pin, and what the container runtime leaves to other containers where it pins. */
  public static PinningPolicy pinning(SparkNodeProfileSpec given) {
    PinningSpec spec =
        CustomResourceSchema.of(SparkNodeProfile.class)
            .admitted(given, SparkNodeProfileSpec.class)
            .pinning();
    return new PinningPolicy(
        spec.by(),
        spec.mode(),
        new RuntimePinning(
            spec.sharedCores(),
            spec.sharedMemory() == null
                ? OptionalLong.empty()
                : OptionalLong.of(bytes("spec.pinning.sharedMemory", spec.sharedMemory())),
            PinnedBy.Memory.valueOf(upper(spec.memory()))));
  }

  private static OptionalInt optional(Integer value) {
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }

  private static MemoryPolicy memory(ExecutorSizing executor) {
    return new MemoryPolicy(
            bytes("spec.executor.maxHeap", executor.maxHeap()),
            Double.parseDouble(executor.memoryOverhead().factor()),
            bytes("spec.executor.memoryOverhead.min", executor.memoryOverhead().min()),
            bytes("spec.executor.offHeap", executor.offHeap()))
        .withShuffleBytes(bytes("spec.executor.shuffleMemory", executor.shuffleMemory()))
        .withPageCache(pageCache(executor.pageCache()))
        .withFreePercent(executor.freeMemoryPercent());
  }

  private static PageCachePolicy pageCache(PageCache spec) {
    return new PageCachePolicy(
        bytes("spec.executor.pageCache.min", spec.min()),
        spec.max() == null
            ? PageCachePolicy.UNLIMITED
            : bytes("spec.executor.pageCache.max", spec.max()));
  }

  private static void checkHeap(long bytes, JvmPolicy jvm, boolean allowLargeHeap) {
    HeapLimits limits = jvm.heapLimits();
    if (limits.compressedBytes() == 0) {
      // The collector never compresses pointers; the planner says so. What is left to check is that
      // the heap is not larger by mistake.
      limits = HeapLimits.of(jvm.vendor(), Collector.UNSET, jvm.version(), jvm.objectAlignment());
    }
    require(
        allowLargeHeap || bytes <= limits.compressedBytes(),
        "spec.executor.maxHeap: above the compressed-oops limit ("
            + MemorySize.toQuantity(limits.compressedBytes())
            + " for this collector, JDK and object alignment) every object pointer takes 8 bytes;"
            + " lower maxHeap ("
            + MemorySize.toQuantity(limits.zeroBasedBytes())
            + " is best) or set spec.executor.allowLargeHeap: true");
  }

  /** Against the largest executor that the profile admits; applications check the real one. */
  private static void checkOptions(JvmPolicy jvm, CoreRange cores, MemoryPolicy memory) {
    ExecutorCpus largest =
        new ExecutorCpus(cores.max(), cores.max() * MOST_THREADS_PER_CORE, cores.max());
    JvmOptionRules.check(jvm.extraOptions(), jvm, largest, memory.maxHeapBytes()).stream()
        .filter(Objection::refused)
        .findFirst()
        .ifPresent(
            objection -> {
              throw new IllegalArgumentException("spec.jvm.extraOptions: " + objection.message());
            });
    require(
        jvm.collector() == Collector.AUTO || Collector.chosenBy(jvm.extraOptions()).isEmpty(),
        "spec.jvm.extraOptions: spec.jvm.collector chooses a collector already; remove one of the"
            + " two");
  }

  private static long bytes(String field, String quantity) {
    try {
      return MemorySize.ofQuantity(quantity);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
    }
  }

  private static JvmPolicy jvm(JvmSpec jvm) {
    return new JvmPolicy(
        Vendor.valueOf(upper(jvm.vendor())),
        optional(jvm.version()),
        Collector.valueOf(upper(jvm.collector())),
        jvm.objectAlignment(),
        jvm.preTouch(),
        TransparentHugePages.valueOf(upper(jvm.transparentHugePages())),
        extraOptions(jvm.extraOptions()));
  }

  private static List<String> extraOptions(List<String> options) {
    return Objects.requireNonNullElse(options, List.<String>of()).stream()
        .flatMap(text -> JavaOptionsText.split(text).stream())
        .toList();
  }

  private static String upper(Enum<?> value) {
    return value.name().toUpperCase(Locale.ROOT);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
