package io.numaspark.planner.jvm;

/**
 * Largest heaps whose object pointers are compressed to 4 bytes.
 *
 * <p>HotSpot's values were measured with JDK 17.0.15 and Temurin 25.0.3 by bisecting -Xmx; the
 * smaller of the two is taken (G1 on 25 with an explicit region size stops at 32256 MiB). OpenJ9's
 * is documented.
 */
public final class CompressedOops {
  private CompressedOops() {}

  /** Largest heap with compressed pointers in bytes; 0 for a collector that never has them. */
  public static long limitBytes(Vendor vendor, Collector collector) {
    if (vendor == Vendor.OPENJ9) {
      return 57L * 1024 * ExecutorMemory.MIB;
    }
    return switch (collector) {
      case PARALLEL, SERIAL -> 32766 * ExecutorMemory.MIB;
      case G1, AUTO, UNSET -> 32256 * ExecutorMemory.MIB;
      case ZGC -> 0;
    };
  }

  /**
   * Largest heap in bytes whose compressed pointers need no base added (zero-based), which is
   * fastest on HotSpot.
   */
  public static long zeroBasedLimitBytes(Vendor vendor, Collector collector) {
    return vendor == Vendor.HOTSPOT && collector != Collector.ZGC
        ? 30720 * ExecutorMemory.MIB
        : limitBytes(vendor, collector);
  }
}
