package io.numaspark.planner.jvm;

import java.util.List;
import java.util.OptionalInt;

/**
 * What a profile says about the JVM; all defaults are applied.
 *
 * @param version feature version of the JDK (17, 21); empty if the profile does not say
 * @param objectAlignment bytes that objects are aligned to, 8 or 16
 * @param extraOptions the profile's own options, put last
 */
public record JvmPolicy(
    Vendor vendor,
    OptionalInt version,
    Collector collector,
    int objectAlignment,
    boolean preTouch,
    TransparentHugePages transparentHugePages,
    List<String> extraOptions) {
  public JvmPolicy {
    extraOptions = List.copyOf(extraOptions);
  }

  /**
   * A policy without a JDK version and with the JVM's own object alignment of 8 bytes.
   *
   * @param extraOptions the profile's own options, put last
   */
  public JvmPolicy(
      Vendor vendor,
      Collector collector,
      boolean preTouch,
      TransparentHugePages transparentHugePages,
      List<String> extraOptions) {
    this(vendor, OptionalInt.empty(), collector, 8, preTouch, transparentHugePages, extraOptions);
  }

  /** The limits of the collector that really runs: one chosen in the extra options wins. */
  public HeapLimits heapLimits() {
    return heapLimits(List.of());
  }

  /** The limits of the collector that runs if an application adds the given options. */
  public HeapLimits heapLimits(List<String> applicationOptions) {
    Collector runs =
        Collector.chosenBy(applicationOptions)
            .or(() -> Collector.chosenBy(extraOptions))
            .orElse(collector);
    return HeapLimits.of(vendor, runs, version, objectAlignment);
  }

  /**
   * The same policy, but without a collector of its own, neither as field nor as option, if one of
   * the given options chooses it.
   */
  public JvmPolicy yieldingCollectorTo(List<String> options) {
    if (options.stream().noneMatch(Collector::isChosenBy)) {
      return this;
    }
    return new JvmPolicy(
        vendor,
        version,
        Collector.UNSET,
        objectAlignment,
        preTouch,
        transparentHugePages,
        extraOptions.stream().filter(option -> !Collector.isChosenBy(option)).toList());
  }
}
