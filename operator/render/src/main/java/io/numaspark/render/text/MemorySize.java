package io.numaspark.render.text;

import java.math.BigDecimal;
import java.util.Locale;

/** Sizes of memory in bytes, from Spark's and Kubernetes' notations and back. */
public final class MemorySize {
  public static final long KIB = 1L << 10;
  public static final long MIB = 1L << 20;
  public static final long GIB = 1L << 30;

  /** No machine has more; it keeps totals over 100,000 executors within 64 bits. */
  private static final long LARGEST = GIB << 16;

  private MemorySize() {}

  /**
   * Bytes of a Kubernetes quantity such as 30Gi.
   *
   * @throws IllegalArgumentException if it is none; the custom resources' schemas admit only
   *     quantities
   */
  public static long ofQuantity(String quantity) {
    BigDecimal bytes = KubernetesQuantity.parse(quantity);
    if (bytes.compareTo(BigDecimal.valueOf(LARGEST)) > 0) {
      throw tooLarge(quantity);
    }
    return bytes.longValue();
  }

  /**
   * Bytes of a Spark memory string such as 512m or 4g, where every unit is binary and no unit means
   * MiB as for spark.executor.memory (JavaUtils.byteStringAsMb).
   *
   * @throws IllegalArgumentException if it is none
   */
  public static long ofSpark(String size) {
    String lower = size.trim().toLowerCase(Locale.ROOT);
    int digits = 0;
    while (digits < lower.length() && Character.isDigit(lower.charAt(digits))) {
      digits++;
    }
    if (digits == 0) {
      throw unreadable(size);
    }
    if (digits > 17) {
      throw tooLarge(size);
    }
    long number = Long.parseLong(lower.substring(0, digits));
    long unit =
        switch (lower.substring(digits)) {
          case "b" -> 1;
          case "k", "kb", "ki" -> KIB;
          case "", "m", "mb", "mi" -> MIB;
          case "g", "gb", "gi" -> GIB;
          case "t", "tb", "ti" -> GIB << 10;
          default -> throw unreadable(size);
        };
    if (number > LARGEST / unit) {
      throw tooLarge(size);
    }
    return number * unit;
  }

  private static IllegalArgumentException unreadable(String size) {
    return new IllegalArgumentException(
        "'" + size + "' is not a memory size: write for example 512m or 4g");
  }

  private static IllegalArgumentException tooLarge(String size) {
    return new IllegalArgumentException(
        "'" + size + "' is too large: no machine has it; give at most 64t");
  }

  /** Spark's notation in whole MiB, rounded down. */
  public static String toSpark(long bytes) {
    return bytes / MIB + "m";
  }

  /** Kubernetes' notation in the largest binary unit that is exact, MiB at least (rounded down). */
  public static String toQuantity(long bytes) {
    return bytes % GIB == 0 ? bytes / GIB + "Gi" : bytes / MIB + "Mi";
  }
}
