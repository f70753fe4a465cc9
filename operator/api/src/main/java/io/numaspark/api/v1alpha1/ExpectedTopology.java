package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** The shape that nodes of a profile are expected to have; an absent field is not checked. */
public record ExpectedTopology(
    @Min(1) @Max(64) @JsonPropertyDescription("Processor sockets in a node (1-64).")
        Integer sockets,
    @Min(1) @Max(64) @JsonPropertyDescription("NUMA nodes with CPUs in a socket (1-64).")
        Integer numaNodesPerSocket,
    @Min(1) @Max(1024) @JsonPropertyDescription("Physical cores in a NUMA node (1-1024).")
        Integer coresPerNumaNode,
    @Min(1) @Max(8) @JsonPropertyDescription("Hardware threads of a physical core (1-8).")
        Integer threadsPerCore) {}
