package io.numaspark.planner.jvm;

import java.util.List;

/** What a profile says about the JVM; all defaults are applied. */
public record JvmPolicy(
    Vendor vendor,
    Collector collector,
    boolean preTouch,
    TransparentHugePages transparentHugePages,
    List<String> extraOptions) {
  public JvmPolicy {
    extraOptions = List.copyOf(extraOptions);
  }

  /** The same policy, but without a collector of its own if one of the given options chooses it. */
  public JvmPolicy yieldingCollectorTo(List<String> options) {
    return options.stream().anyMatch(JvmOptions::choosesCollector)
        ? new JvmPolicy(vendor, Collector.UNSET, preTouch, transparentHugePages, extraOptions)
        : this;
  }
}
