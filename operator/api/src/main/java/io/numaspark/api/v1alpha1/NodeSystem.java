package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;

/** What a node runs on, beside its CPUs and NUMA nodes; as far as its agent can read it. */
public record NodeSystem(
    @Size(max = 32)
        @JsonPropertyDescription("Machine architecture, as `uname -m` prints it: x86_64.")
        String architecture,
    @Size(max = 128) @JsonPropertyDescription("Kernel release, as `uname -r` prints it.")
        String kernel,
    @Size(max = 64)
        @JsonPropertyDescription(
            "Hypervisor that the node is a guest of, for example kvm. Absent on a physical machine.")
        String hypervisor,
    @Size(max = 32) @JsonPropertyDescription("Kind of memory modules, for example DDR4.")
        String memoryType,
    @Min(0)
        @Max(100000)
        @JsonPropertyDescription(
            "Speed in MT/s (millions of transfers a second) that the firmware has set for the slowest memory module.")
        Integer memorySpeed,
    @Min(0)
        @Max(100000)
        @JsonPropertyDescription("Highest speed in MT/s of the slowest memory module.")
        Integer memoryRatedSpeed,
    @Min(0) @Max(4096) @JsonPropertyDescription("Number of memory modules.")
        Integer memoryModules) {}
