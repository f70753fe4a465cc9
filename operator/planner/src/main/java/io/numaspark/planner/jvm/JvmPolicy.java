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
}
