package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Memory policy of the kernel. */
public record MemoryPolicySpec(
    @Default("Observe")
        @JsonPropertyDescription(
            "Observe: the agent only compares. Enforce: its privileged writer sets what is not Unmanaged, and restores it"
                + " when the profile or the agent is removed.")
        KnobMode mode,
    @Default("Unmanaged")
        @JsonPropertyDescription(
            "Transparent huge pages (/sys/kernel/mm/transparent_hugepage/enabled). Madvise leaves it to each JVM.")
        HugePages transparentHugePages,
    @Default("Unmanaged")
        @JsonPropertyDescription(
            "Automatic NUMA balancing (kernel.numa_balancing). Pages of pinned executors are local already, so that its"
                + " scans only cost.")
        Switch numaBalancing,
    @Default("Unmanaged")
        @JsonPropertyDescription(
            "Reclaiming local memory before remote memory is taken (vm.zone_reclaim_mode 1 or 0).")
        Switch zoneReclaim,
    @Min(0)
        @Max(200)
        @JsonPropertyDescription("vm.swappiness (0-200); 1 to 10 for JVMs. Absent: unmanaged.")
        Integer swappiness) {

  /** Wanted state of a switch. */
  public enum Switch {
    Unmanaged,
    Enabled,
    Disabled
  }

  /** Wanted mode of transparent huge pages. */
  public enum HugePages {
    Unmanaged,
    Always,
    Madvise,
    Never
  }
}
