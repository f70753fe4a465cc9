package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Map;

/** One NUMA node: a memory controller with its cores. */
public record NumaNodeSpec(
    @Required @Min(0) @Max(1023) @JsonPropertyDescription("Linux's number of the NUMA node.")
        Integer id,
    @Required @Min(0) @Max(1023) @JsonPropertyDescription("Number of the socket it belongs to.")
        Integer socket,
    @Required @Min(0) @JsonPropertyDescription("Memory in bytes: MemTotal of the NUMA node.")
        Long memory,
    @JsonPropertyDescription(
            "Preallocated huge pages: number of pages by page size, for example {\"2Mi\": 512}. The kubelet takes them out"
                + " of the memory that pods can request.")
        Map<String, Long> hugepages,
    @Size(max = 1024)
        @JsonPropertyDescription(
            "Relative distances to all NUMA nodes in order of their ids; 10 is local.")
        List<Integer> distances,
    @Required
        @Size(max = 1024)
        @JsonPropertyDescription(
            "The physical cores, one entry each: the core's online hardware threads in Linux list form, for example"
                + " \"0,24\". Empty for a NUMA node that has only memory.")
        List<@Pattern("^[0-9]+([,-][0-9]+)*$") @Size(max = 128) String> cores,
    @Size(max = 256)
        @JsonPropertyDescription(
            "The last-level cache domains, one entry each: the hardware threads that share one cache, in Linux list form.")
        List<@Pattern("^[0-9]+([,-][0-9]+)*$") @Size(max = 2048) String> caches) {}
