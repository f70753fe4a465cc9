package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.CoresPerExecutor;
import io.numaspark.api.v1alpha1.ExecutorSizing;
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
            spec.executor(), new ExecutorSizing(null, null, null, null, null));
    JvmPolicy jvm = jvm(spec.jvm());
    SmtSpec smt = Objects.requireNonNullElse(spec.smt(), new SmtSpec(null, null));
    return new ShapePolicy(
        cores(executor.coresPerExecutor()),
        SmtMode.valueOf(upper(Objects.requireNonNullElse(smt.mode(), SmtSpec.Mode.Shared))),
        smt.tasksPerCore() == null ? OptionalInt.empty() : OptionalInt.of(smt.tasksPerCore()),
        memory(executor),
        jvm);
  }

  private static CoreRange cores(CoresPerExecutor cores) {
    if (cores == null) {
      return new CoreRange(DEFAULT_MIN_CORES, DEFAULT_MAX_CORES, OptionalInt.empty());
    }
    CoreRange range =
        new CoreRange(
            Objects.requireNonNullElse(cores.min(), DEFAULT_MIN_CORES),
            Objects.requireNonNullElse(cores.max(), DEFAULT_MAX_CORES),
            cores.preferred() == null ? OptionalInt.empty() : OptionalInt.of(cores.preferred()));
    require(
        range.min() >= 1,
        "spec.executor.coresPerExecutor.min: at least 1 is needed, not " + range.min());
    require(
        range.min() <= range.max(),
        "spec.executor.coresPerExecutor: min "
            + range.min()
            + " is larger than max "
            + range.max());
    require(
        range.preferred().orElse(1) >= 1,
        "spec.executor.coresPerExecutor.preferred: at least 1 is needed, not "
            + range.preferred().orElse(1));
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
    return new JvmPolicy(
        Vendor.valueOf(upper(Objects.requireNonNullElse(jvm.vendor(), JvmSpec.Vendor.HotSpot))),
        Collector.valueOf(
            upper(Objects.requireNonNullElse(jvm.collector(), JvmSpec.Collector.Auto))),
        Objects.requireNonNullElse(jvm.preTouch(), true),
        TransparentHugePages.valueOf(
            upper(
                Objects.requireNonNullElse(
                    jvm.transparentHugePages(), JvmSpec.TransparentHugePages.Auto))),
        Objects.requireNonNullElse(jvm.extraOptions(), List.of()));
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
