package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/**
 * What an executor does with its CPUs, on average since it was first counted; a field is absent if
 * its node cannot count it.
 */
public record ExecutorCounters(
    @JsonPropertyDescription("Instructions per cycle, in steps of 0.1.")
        Double instructionsPerCycle,
    @JsonPropertyDescription(
            "Percent of the cache lines from memory that came from another socket or NUMA node.")
        Integer remoteAccessPercent,
    @JsonPropertyDescription(
            "Percent of the slots in which no operation began because the backend had no room.")
        Integer stalledPercent,
    @JsonPropertyDescription("Switches between threads each second, on all its CPUs together.")
        Integer switchesPerSecond,
    @JsonPropertyDescription(
            "Megabytes that its CPUs have read from memory each second: 64 bytes for each cache line. With processors that do not count"
                + " prefetches it is less than what was read.")
        Integer memoryReadMegabytesPerSecond) {
  /** Nothing is counted. */
  public static final ExecutorCounters NONE = new ExecutorCounters(null, null, null, null, null);
}
