package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.CoresPerExecutor;
import io.numaspark.api.v1alpha1.ExecutorSizing;
import io.numaspark.api.v1alpha1.ExpectedTopology;
import io.numaspark.api.v1alpha1.JvmSpec;
import io.numaspark.api.v1alpha1.MemoryOverhead;
import io.numaspark.api.v1alpha1.SmtSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.planner.jvm.Collector;
import io.numaspark.planner.jvm.JvmPolicy;
import io.numaspark.planner.jvm.MemoryPolicy;
import io.numaspark.planner.jvm.TransparentHugePages;
import io.numaspark.planner.jvm.Vendor;
import io.numaspark.planner.plan.ShapePolicy;
import io.numaspark.planner.plan.ShapePolicy.CoreRange;
import io.numaspark.planner.plan.SmtMode;
import io.numaspark.render.Bounds;
import io.numaspark.render.MemorySize;
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
  private static final int MOST_CORES = 256;
  private static final long SMALLEST_HEAP = 512 * MemorySize.MIB;
  private static final long LARGEST_HOTSPOT_HEAP = 32256 * MemorySize.MIB;
  private static final long LARGEST_OPENJ9_HEAP = 57 * MemorySize.GIB;

  private ProfileTranslator() {}

  /**
   * The policy that a profile asks for.
   *
   * @throws IllegalArgumentException naming the field, if a value is outside of what the schema
   *     admits
   */
  public static ShapePolicy policy(SparkNodeProfileSpec spec) {
    ExecutorSizing executor =
        Objects.requireNonNullElse(
            spec.executor(), new ExecutorSizing(null, null, null, null, null, null));
    JvmPolicy jvm = jvm(spec.jvm());
    MemoryPolicy memory = memory(executor);
    checkHeap(memory.maxHeapBytes(), jvm.vendor(), executor.allowLargeHeap());
    SmtSpec smt = Objects.requireNonNullElse(spec.smt(), new SmtSpec(null, null));
    check(spec.topology());
    check(smt);
    return new ShapePolicy(
        cores(executor.coresPerExecutor()),
        SmtMode.valueOf(upper(Objects.requireNonNullElse(smt.mode(), SmtSpec.Mode.Shared))),
        smt.tasksPerCore() == null ? OptionalInt.empty() : OptionalInt.of(smt.tasksPerCore()),
        Objects.requireNonNullElse(executor.spreadAcrossCaches(), false),
        memory,
        jvm);
  }

  private static void check(ExpectedTopology topology) {
    if (topology != null) {
      Bounds.within("spec.topology.sockets", topology.sockets(), 1, 64);
      Bounds.within("spec.topology.numaNodesPerSocket", topology.numaNodesPerSocket(), 1, 64);
      Bounds.within("spec.topology.coresPerNumaNode", topology.coresPerNumaNode(), 1, 1024);
      Bounds.within("spec.topology.threadsPerCore", topology.threadsPerCore(), 1, 8);
    }
  }

  private static void check(SmtSpec smt) {
    Bounds.within("spec.smt.tasksPerCore", smt.tasksPerCore(), 1, 8);
    require(
        smt.mode() == null
            || smt.mode() == SmtSpec.Mode.Shared
            || Objects.requireNonNullElse(smt.tasksPerCore(), 1) == 1,
        "spec.smt.tasksPerCore: only mode Shared runs more than one task on a core; leave it out or"
            + " set mode: Shared");
  }

  private static CoreRange cores(CoresPerExecutor cores) {
    if (cores == null) {
      return new CoreRange(DEFAULT_MIN_CORES, DEFAULT_MAX_CORES, OptionalInt.empty());
    }
    Bounds.within("spec.executor.coresPerExecutor.min", cores.min(), 1, MOST_CORES);
    Bounds.within("spec.executor.coresPerExecutor.max", cores.max(), 1, MOST_CORES);
    Bounds.within("spec.executor.coresPerExecutor.preferred", cores.preferred(), 1, MOST_CORES);
    CoreRange range =
        new CoreRange(
            Objects.requireNonNullElse(cores.min(), DEFAULT_MIN_CORES),
            Objects.requireNonNullElse(cores.max(), DEFAULT_MAX_CORES),
            cores.preferred() == null ? OptionalInt.empty() : OptionalInt.of(cores.preferred()));
    require(
        range.min() <= range.max(),
        "spec.executor.coresPerExecutor: min "
            + range.min()
            + " is larger than max "
            + range.max()
            + "; lower min or raise max");
    return range;
  }

  private static MemoryPolicy memory(ExecutorSizing executor) {
    MemoryOverhead overhead =
        Objects.requireNonNullElse(executor.memoryOverhead(), new MemoryOverhead(null, null));
    return new MemoryPolicy(
        bytes("spec.executor.maxHeap", executor.maxHeap(), "30Gi"),
        factor(Objects.requireNonNullElse(overhead.factor(), "0.10")),
        bytes("spec.executor.memoryOverhead.min", overhead.min(), "384Mi"),
        bytes("spec.executor.offHeap", executor.offHeap(), "0"));
  }

  private static void checkHeap(long bytes, Vendor vendor, Boolean allowLargeHeap) {
    require(
        bytes >= SMALLEST_HEAP,
        "spec.executor.maxHeap: Spark needs a heap of at least 512Mi; raise it");
    require(
        Objects.requireNonNullElse(allowLargeHeap, false)
            || bytes <= (vendor == Vendor.OPENJ9 ? LARGEST_OPENJ9_HEAP : LARGEST_HOTSPOT_HEAP),
        "spec.executor.maxHeap: above the compressed-oops limit (32256Mi on HotSpot, 57Gi on"
            + " OpenJ9) every object pointer takes 8 bytes; lower maxHeap (30Gi is best) or set"
            + " spec.executor.allowLargeHeap: true");
  }

  private static long bytes(String field, String quantity, String absent) {
    try {
      long bytes = MemorySize.ofQuantity(Objects.requireNonNullElse(quantity, absent));
      require(bytes >= 0, field + ": must not be negative, but is " + quantity);
      return bytes;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          field + ": '" + quantity + "' is no quantity of bytes; write for example 30Gi", e);
    }
  }

  private static double factor(String factor) {
    try {
      double value = Double.parseDouble(factor);
      require(value >= 0 && value <= 1, "out of range");
      return value;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "spec.executor.memoryOverhead.factor: '" + factor + "' is no number from 0 to 1", e);
    }
  }

  private static JvmPolicy jvm(JvmSpec spec) {
    JvmSpec jvm = Objects.requireNonNullElse(spec, new JvmSpec(null, null, null, null, null));
    List<String> options = Objects.requireNonNullElse(jvm.extraOptions(), List.of());
    require(
        options.stream().noneMatch(o -> o.startsWith("-Xm") && !o.startsWith("-Xmn")),
        "spec.jvm.extraOptions: the heap size is set from spec.executor.maxHeap; remove -Xmx and"
            + " -Xms");
    require(
        jvm.vendor() != JvmSpec.Vendor.OpenJ9
            || jvm.collector() == null
            || jvm.collector() == JvmSpec.Collector.Auto,
        "spec.jvm.collector: OpenJ9 always gets the gencon policy; leave collector at Auto");
    return new JvmPolicy(
        Vendor.valueOf(upper(Objects.requireNonNullElse(jvm.vendor(), JvmSpec.Vendor.HotSpot))),
        Collector.valueOf(
            upper(Objects.requireNonNullElse(jvm.collector(), JvmSpec.Collector.Auto))),
        Objects.requireNonNullElse(jvm.preTouch(), true),
        TransparentHugePages.valueOf(
            upper(
                Objects.requireNonNullElse(
                    jvm.transparentHugePages(), JvmSpec.TransparentHugePages.Auto))),
        options);
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
