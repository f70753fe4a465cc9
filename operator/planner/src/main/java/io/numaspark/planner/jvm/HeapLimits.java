package io.numaspark.planner.jvm;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Largest heaps of a JVM whose object pointers are compressed to 4 bytes.
 *
 * <p>HotSpot's rows were measured by bisecting -Xmx with bench/jvm/heap-limits.sh on JDK 11.0.13,
 * 17.0.15, 21.0.8 and 25.0.2 (x86-64), without further options and with an explicit G1 region size,
 * transparent huge pages and compact object headers; a row holds the smallest of these. OpenJ9's
 * row is documented (-Xcompressedrefs: 57 GB for every policy but metronome) and was not measured.
 *
 * <p>Limit: -XX:HeapBaseMinAddress, which would raise the zero-based limit, is not considered.
 *
 * @param compressedBytes largest heap with compressed pointers; 0 if there is none
 * @param zeroBasedBytes largest heap whose compressed pointers need no base added, which is fastest
 *     on HotSpot: the heap starts at 2 GiB and must end below 32 GiB (64 GiB with 16-byte
 *     alignment)
 * @param basis where the numbers come from
 */
public record HeapLimits(long compressedBytes, long zeroBasedBytes, Basis basis) {

  /** Where a limit comes from. */
  public enum Basis {
    /** This collector of this JDK was measured. */
    MEASURED,
    /** The JVM's documentation says so. */
    DOCUMENTED,
    /** Collector or JDK is unknown or was not measured: the smallest limit of those that were. */
    ASSUMED
  }

  /** A collector's limits in MiB, for some feature versions of the JDK. */
  private record Row(
      Collector collector, Set<Integer> versions, int alignment, long compressed, long zeroBased) {
    boolean isOf(OptionalInt version) {
      return version.isPresent() && versions.contains(version.getAsInt());
    }
  }

  private static final Set<Integer> ALL = Set.of(11, 17, 21, 25);

  private static final List<Row> HOTSPOT =
      List.of(
          new Row(Collector.SERIAL, ALL, 8, 32766, 30720),
          new Row(Collector.SERIAL, ALL, 16, 65534, 63488),
          new Row(Collector.PARALLEL, ALL, 8, 32766, 30720),
          new Row(Collector.PARALLEL, ALL, 16, 65534, 63488),
          new Row(Collector.SHENANDOAH, ALL, 8, 32736, 30720),
          new Row(Collector.SHENANDOAH, ALL, 16, 65504, 63488),
          new Row(Collector.G1, Set.of(11, 17), 8, 32736, 30720),
          new Row(Collector.G1, Set.of(11, 17), 16, 65504, 63488),
          // 21 always, 25 with an explicit -XX:G1HeapRegionSize.
          new Row(Collector.G1, Set.of(21, 25), 8, 32256, 30720),
          new Row(Collector.G1, Set.of(21, 25), 16, 65024, 63488),
          new Row(Collector.ZGC, ALL, 8, 0, 0),
          new Row(Collector.ZGC, ALL, 16, 0, 0));

  private static final HeapLimits OPENJ9 =
      new HeapLimits(
          57 * 1024 * ExecutorMemory.MIB, 57 * 1024 * ExecutorMemory.MIB, Basis.DOCUMENTED);

  /**
   * The limits of a JVM.
   *
   * @param collector AUTO and UNSET get the smallest limits of the collectors that compress
   * @param version feature version of the JDK; absent or not measured: the smallest limits of all
   * @param objectAlignment 8 or 16 bytes; OpenJ9's limit is known for 8 only and taken for both
   */
  public static HeapLimits of(
      Vendor vendor, Collector collector, OptionalInt version, int objectAlignment) {
    if (vendor == Vendor.OPENJ9) {
      return OPENJ9;
    }
    List<Row> rows =
        HOTSPOT.stream()
            .filter(row -> row.alignment == objectAlignment)
            .filter(row -> isUnknown(collector) ? row.compressed > 0 : row.collector == collector)
            .toList();
    boolean measured = !isUnknown(collector) && rows.stream().anyMatch(row -> row.isOf(version));
    Stream<Row> candidates =
        rows.stream().anyMatch(row -> row.isOf(version))
            ? rows.stream().filter(row -> row.isOf(version))
            : rows.stream();
    return candidates
        .min(Comparator.comparingLong(Row::compressed))
        .map(
            row ->
                new HeapLimits(
                    row.compressed * ExecutorMemory.MIB,
                    row.zeroBased * ExecutorMemory.MIB,
                    measured ? Basis.MEASURED : Basis.ASSUMED))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "object alignment: "
                        + objectAlignment
                        + " has no measured heap limits; give 8 or 16"));
  }

  /** What to change in a profile so that its heap gets the fastest pointers. */
  public String remedy() {
    return zeroBasedBytes == 0
        ? "choose a collector other than ZGC, which never compresses them"
        : "lower spec.executor.maxHeap to " + (zeroBasedBytes >> 30) + "Gi";
  }

  private static boolean isUnknown(Collector collector) {
    return switch (collector) {
      case AUTO, UNSET, GENCON, BALANCED -> true;
      case PARALLEL, G1, SERIAL, SHENANDOAH, ZGC -> false;
    };
  }
}
