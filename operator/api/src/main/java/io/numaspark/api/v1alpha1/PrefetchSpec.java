package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;

/** Hardware prefetchers. */
public record PrefetchSpec(
    @Default("Observe")
        @JsonPropertyDescription(
            "Observe: the agent only compares. Enforce: its privileged writer sets what is not Unmanaged, and restores it"
                + " when the profile or the agent is removed.")
        KnobMode mode,
    @Default("Node")
        @JsonPropertyDescription(
            "Node: all cores. Executors: only cores of running Spark executors, which costs writes whenever an executor"
                + " starts or ends.")
        WantedKnobs.Scope scope,
    @Default("Unmanaged")
        @JsonPropertyDescription(
            "L1 data cache, next line (Intel: DCU, MSR 0x1A4 bit 2). Disabled gained 7.9 % on average on Ivy Bridge.")
        Prefetcher l1NextLine,
    @Default("Unmanaged")
        @JsonPropertyDescription("L1 data cache, stride by instruction (Intel: DCU IP, bit 3).")
        Prefetcher l1Stride,
    @Default("Unmanaged") @JsonPropertyDescription("L1 data cache, region (AMD only, bit 2).")
        Prefetcher l1Region,
    @Default("Unmanaged") @JsonPropertyDescription("L1 data cache, next page (newer Intel, bit 4).")
        Prefetcher l1NextPage,
    @Default("Unmanaged")
        @JsonPropertyDescription("L2, stream (Intel: bit 0; POWER: depth in the DSCR).")
        Prefetcher l2Stream,
    @Default("Unmanaged")
        @JsonPropertyDescription(
            "L2, adjacent line (Intel: bit 1; AMD: Up/Down, the nearest). Disabled gained 2.3 % on average on Ivy Bridge.")
        Prefetcher l2AdjacentLine,
    @Default("Unmanaged")
        @JsonPropertyDescription("L2, adaptive multipath (Intel from Sapphire Rapids on, bit 5).")
        Prefetcher l2AdaptiveMultipath,
    @Default("Unmanaged")
        @JsonPropertyDescription("Last-level cache, page (Intel Granite Rapids, bit 6).")
        Prefetcher llcPage,
    @Default("Unmanaged")
        @JsonPropertyDescription("Array of pointers (Intel Granite Rapids, bit 7).")
        Prefetcher arrayOfPointers,
    @Default("Unmanaged")
        @JsonPropertyDescription(
            "Last-level cache, stream (Intel: MSR 0x6D bit 42, or MSR 0x1320 bit 43 on efficient cores).")
        Prefetcher llcStream) {

  /** Wanted state of a prefetcher. */
  public enum Prefetcher {
    Unmanaged,
    Enabled,
    Disabled
  }
}
