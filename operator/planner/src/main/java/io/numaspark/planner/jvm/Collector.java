package io.numaspark.planner.jvm;

import java.util.List;
import java.util.Optional;

/**
 * Garbage collector; AUTO is chosen by {@link JvmOptions}, UNSET is left to options given
 * elsewhere.
 */
public enum Collector {
  AUTO,
  PARALLEL,
  G1,
  SERIAL,
  SHENANDOAH,
  ZGC,
  /** OpenJ9's generational policy, its default. */
  GENCON,
  /** OpenJ9's region-based policy for large heaps. */
  BALANCED,
  UNSET;

  private static final String HOTSPOT =
      "-XX:\\+Use(Serial|Parallel|ParallelOld|G1|Z|Shenandoah|Epsilon|ConcMarkSweep)GC";
  private static final String OPENJ9 = "-Xgcpolicy:.*";

  /** Whether an option chooses a collector; two such options make HotSpot refuse to start. */
  public static boolean isChosenBy(String option) {
    return option.matches(HOTSPOT) || option.matches(OPENJ9);
  }

  /**
   * The collector that the options choose.
   *
   * @return empty if they choose none; {@link #UNSET} for one that has no limits of its own here,
   *     such as Epsilon
   */
  public static Optional<Collector> chosenBy(List<String> options) {
    return options.stream().filter(Collector::isChosenBy).findFirst().map(Collector::of);
  }

  private static Collector of(String option) {
    return switch (option) {
      case "-XX:+UseParallelGC", "-XX:+UseParallelOldGC" -> PARALLEL;
      case "-XX:+UseG1GC" -> G1;
      case "-XX:+UseSerialGC" -> SERIAL;
      case "-XX:+UseShenandoahGC" -> SHENANDOAH;
      case "-XX:+UseZGC" -> ZGC;
      case "-Xgcpolicy:gencon" -> GENCON;
      case "-Xgcpolicy:balanced" -> BALANCED;
      default -> UNSET;
    };
  }
}
