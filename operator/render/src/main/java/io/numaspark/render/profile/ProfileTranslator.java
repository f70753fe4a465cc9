package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.CoresPerExecutor;
import io.numaspark.api.v1alpha1.ExecutorSizing;
import io.numaspark.api.v1alpha1.JvmSpec;
import io.numaspark.api.v1alpha1.MemoryOverhead;
import io.numaspark.api.v1alpha1.SmtSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.planner.jvm.Collector;
import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.HeapLimits;
import io.numaspark.planner.jvm.JvmOptionRules;
import io.numaspark.planner.jvm.JvmOptionRules.Objection;
import io.numaspark.planner.jvm.JvmPolicy;
import io.numaspark.planner.jvm.MemoryPolicy;
import io.numaspark.planner.jvm.TransparentHugePages;
import io.numaspark.planner.jvm.Vendor;
import io.numaspark.planner.plan.ShapePolicy;
import io.numaspark.planner.plan.ShapePolicy.CoreRange;
import io.numaspark.planner.plan.SmtMode;
import io.numaspark.render.JavaOptionsText;
import io.numaspark.render.MemorySize;
import io.numaspark.schema.CustomResourceSchema;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * A profile as the planner takes it, with every default applied.
 *
 * <p>The defaults repeat those of the CRD's schema for files that never went through an API server;
 * a test holds the two together.
 */
public final class ProfileTranslator {
  private static final int DEFAULT_MIN_CORES = 2;
  private static final int DEFAULT_MAX_CORES = 6;
  private static final int MOST_THREADS_PER_CORE = 8;

  private ProfileTranslator() {}

  /**
   * The policy that a profile asks for.
   *
   * @throws IllegalArgumentException naming the field, if the schema does not admit a value, the
   *     heap is above the limit of its JVM, or a JVM option would undo the plan
   */
  public static ShapePolicy policy(SparkNodeProfileSpec spec) {
    CustomResourceSchema.of(SparkNodeProfile.class).requireSpec(spec);
    ExecutorSizing executor =
        Objects.requireNonNullElse(
            spec.executor(), new ExecutorSizing(null, null, null, null, null, null, null));
    JvmPolicy jvm = jvm(spec.jvm());
    MemoryPolicy memory = memory(executor);
    CoreRange cores = cores(executor.coresPerExecutor());
    checkHeap(memory.maxHeapBytes(), jvm, executor.allowLargeHeap());
    checkOptions(jvm, cores, memory);
    SmtSpec smt = Objects.requireNonNullElse(spec.smt(), new SmtSpec(null, null));
    return new ShapePolicy(
        cores,
        SmtMode.valueOf(upper(Objects.requireNonNullElse(smt.mode(), SmtSpec.Mode.Shared))),
        smt.tasksPerCore() == null ? OptionalInt.empty() : OptionalInt.of(smt.tasksPerCore()),
        Objects.requireNonNullElse(executor.spreadAcrossCaches(), false),
        memory,
        jvm);
  }

  private static CoreRange cores(CoresPerExecutor given) {
    CoresPerExecutor cores =
        Objects.requireNonNullElse(given, new CoresPerExecutor(null, null, null));
    return new CoreRange(
        Objects.requireNonNullElse(cores.min(), DEFAULT_MIN_CORES),
        Objects.requireNonNullElse(cores.max(), DEFAULT_MAX_CORES),
        cores.preferred() == null ? OptionalInt.empty() : OptionalInt.of(cores.preferred()));
  }

  private static MemoryPolicy memory(ExecutorSizing executor) {
    MemoryOverhead overhead =
        Objects.requireNonNullElse(executor.memoryOverhead(), new MemoryOverhead(null, null));
    return new MemoryPolicy(
            bytes("spec.executor.maxHeap", executor.maxHeap(), "30Gi"),
            Double.parseDouble(Objects.requireNonNullElse(overhead.factor(), "0.10")),
            bytes("spec.executor.memoryOverhead.min", overhead.min(), "384Mi"),
            bytes("spec.executor.offHeap", executor.offHeap(), "0"))
        .withShuffleBytes(bytes("spec.executor.shuffleMemory", executor.shuffleMemory(), "0"));
  }

  private static void checkHeap(long bytes, JvmPolicy jvm, Boolean allowLargeHeap) {
    HeapLimits limits = jvm.heapLimits();
    if (limits.compressedBytes() == 0) {
      // The collector never compresses pointers; the planner says so. What is left to check is that
      // the heap is not larger by mistake.
      limits = HeapLimits.of(jvm.vendor(), Collector.UNSET, jvm.version(), jvm.objectAlignment());
    }
    require(
        Objects.requireNonNullElse(allowLargeHeap, false) || bytes <= limits.compressedBytes(),
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

  private static long bytes(String field, String quantity, String absent) {
    try {
      return MemorySize.ofQuantity(Objects.requireNonNullElse(quantity, absent));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
    }
  }

  private static JvmPolicy jvm(JvmSpec spec) {
    JvmSpec jvm =
        Objects.requireNonNullElse(spec, new JvmSpec(null, null, null, null, null, null, null));
    Vendor vendor =
        Vendor.valueOf(upper(Objects.requireNonNullElse(jvm.vendor(), JvmSpec.Vendor.HotSpot)));
    return new JvmPolicy(
        vendor,
        jvm.version() == null ? OptionalInt.empty() : OptionalInt.of(jvm.version()),
        Collector.valueOf(
            upper(Objects.requireNonNullElse(jvm.collector(), JvmSpec.Collector.Auto))),
        Objects.requireNonNullElse(jvm.objectAlignment(), 8),
        Objects.requireNonNullElse(jvm.preTouch(), true),
        TransparentHugePages.valueOf(
            upper(
                Objects.requireNonNullElse(
                    jvm.transparentHugePages(), JvmSpec.TransparentHugePages.Auto))),
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
