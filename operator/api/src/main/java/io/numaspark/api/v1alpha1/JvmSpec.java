package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** The executors' JVM. */
@ValidationRule(
    value = "!has(self.vendor) || self.vendor == 'HotSpot' || self.collector == 'Auto'",
    message = "spec.jvm.collector: OpenJ9 always gets the gencon policy; leave collector at Auto")
@ValidationRule(
    value =
        "!has(self.objectAlignment) || self.objectAlignment == 8 || (self.objectAlignment == 16 && self.vendor == 'HotSpot')",
    message =
        "spec.jvm.objectAlignment: give 8 or 16; OpenJ9 has compressed pointers up to 57Gi without it, leave it at 8")
@ValidationRule(
    value = "!has(self.extraOptions) || self.extraOptions.all(o, !o.matches('^-Xm[xs][0-9]'))",
    message =
        "spec.jvm.extraOptions: the heap size is set from spec.executor.maxHeap; remove -Xmx and -Xms")
public record JvmSpec(
    @Default("HotSpot") @JsonPropertyDescription("JVM of the Spark image.") Vendor vendor,
    @Min(8)
        @Max(99)
        @JsonPropertyDescription(
            "Feature version of the JDK in the image (8-99; for example 17). With it the heap's limits are those measured"
                + " for this version (11, 17, 21 and 25 were); absent: the smallest of all.")
        Integer version,
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
            "Transparent huge pages for the heap: Enabled requests them, Disabled forbids them, Auto leaves the JVM's"
                + " default.")
        TransparentHugePages transparentHugePages,
    @Default("8")
        @JsonPropertyDescription(
            "Bytes that objects are aligned to (8 or 16). 16 keeps 4-byte object pointers up to a maxHeap of 62Gi"
                + " (zero-based), but pads objects more; HotSpot only. For executors that must be one large JVM.")
        Integer objectAlignment,
    @Size(max = 64)
        @JsonPropertyDescription(
            "Further JVM options, put last; options that would undo the plan are refused with the reason.")
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
    Shenandoah,
    ZGC
  }

  /** Transparent huge pages of the heap. */
  public enum TransparentHugePages {
    Auto,
    Enabled,
    Disabled
  }
}
