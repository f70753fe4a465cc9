package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** The executors' JVM. */
@ValidationRule(
    value = "!has(self.vendor) || self.vendor == 'HotSpot' || self.collector == 'Auto'",
    message = "spec.jvm.collector: OpenJ9 always gets the gencon policy; leave collector at Auto")
@ValidationRule(
    value =
        "!has(self.extraOptions) || self.extraOptions.all(o, !o.startsWith('-Xm') || o.startsWith('-Xmn'))",
    message =
        "spec.jvm.extraOptions: the heap size is set from spec.executor.maxHeap; remove -Xmx and -Xms")
public record JvmSpec(
    @Default("HotSpot") @JsonPropertyDescription("JVM of the Spark image.") Vendor vendor,
    @Default("Auto")
        @JsonPropertyDescription(
            "Garbage collector. Auto chooses by heap size and by the application's workload.")
        Collector collector,
    @Default("true")
        @JsonPropertyDescription(
            "Touch the whole heap at start, so that its pages are on the executor's NUMA node from the beginning. Costs"
                + " about half a CPU second per GiB.")
        Boolean preTouch,
    @Default("Auto")
        @JsonPropertyDescription(
            "Transparent huge pages for the heap: Enabled asks for them, Disabled forbids them, Auto leaves the JVM's"
                + " default.")
        TransparentHugePages transparentHugePages,
    @Size(max = 64) @JsonPropertyDescription("Further JVM options, put last.")
        List<@Size(min = 1, max = 512) String> extraOptions) {

  /** JVM implementation. */
  public enum Vendor {
    HotSpot,
    OpenJ9
  }

  /** HotSpot garbage collector. */
  public enum Collector {
    Auto,
    Parallel,
    G1,
    Serial,
    ZGC
  }

  /** Transparent huge pages of the heap. */
  public enum TransparentHugePages {
    Auto,
    Enabled,
    Disabled
  }
}
