package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/**
 * Bounds within which the planner chooses the one shape of a profile's executors.
 *
 * <p>Rules here and in the other nested records guard each field with {@code has}: the API server
 * checks them against the default {@code {}} before nested defaults are filled in.
 */
@ValidationRule(
    value = "!has(self.maxHeap) || quantity(self.maxHeap).compareTo(quantity('512Mi')) >= 0",
    message = "spec.executor.maxHeap: Spark needs a heap of at least 512Mi; raise it")
public record ExecutorSizing(
    @Default("{}") @JsonPropertyDescription("Physical cores of one executor.")
        CoresPerExecutor coresPerExecutor,
    @Default("\"30Gi\"")
        @Pattern(Patterns.BYTES)
        @Size(max = 16)
        @JsonPropertyDescription(
            "Largest JVM heap of an executor in bytes, as a Kubernetes quantity (30Gi). At most 30Gi keeps compressed,"
                + " zero-based object pointers on HotSpot (62Gi with jvm.objectAlignment: 16); above 32256Mi to 32766Mi,"
                + " by collector and JDK (57Gi on OpenJ9), allowLargeHeap is needed.")
        String maxHeap,
    @Default("false") @JsonPropertyDescription("Allow heaps above the compressed-oops limit.")
        Boolean allowLargeHeap,
    @Default("{}") @JsonPropertyDescription("Memory of an executor outside of its heap.")
        MemoryOverhead memoryOverhead,
    @Default("\"0\"")
        @Pattern(Patterns.BYTES)
        @Size(max = 16)
        @JsonPropertyDescription(
            "Spark off-heap memory of an executor (spark.memory.offHeap.size) in bytes, as a Kubernetes quantity; \"0\""
                + " means none.")
        String offHeap,
    @Default("\"0\"")
        @Pattern(Patterns.BYTES)
        @Size(max = 16)
        @JsonPropertyDescription(
            "Memory of an executor that is kept for shuffle data, in bytes as a Kubernetes quantity: applications with"
                + " spec.shuffle.storage Memory or Pages use it unless they say a size, in others it is page cache. \"0\" means"
                + " none: what they use comes out of the page cache, then out of the heap.")
        String shuffleMemory,
    @Default("{}")
        @JsonPropertyDescription(
            "Memory for files that an executor reads and writes, which counts in its pod's limit. A slot's share of its NUMA node"
                + " that heap, overhead and the other parts leave becomes page cache of the executor.")
        PageCache pageCache,
    @Default("5")
        @Min(0)
        @Max(90)
        @JsonPropertyDescription(
            "On nodes that the kubelet pins: percent of the allocatable memory of each NUMA node that executors leave to other pods, such as"
                + " DaemonSets and drivers (0-90). On nodes that the runtime pins, spec.pinning.sharedMemory says it.")
        Integer freeMemoryPercent,
    @Default("false")
        @JsonPropertyDescription(
            "true: the planner ignores how many executors straddle last-level caches. false: it chooses a size of which many"
                + " straddle only if every other size strands clearly more CPUs.")
        Boolean spreadAcrossCaches,
    @Min(10)
        @Max(604800)
        @JsonPropertyDescription(
            "How long applications on these nodes usually run, in seconds (10-604800). The start of each executor takes CPU time; with"
                + " this field the planner counts it like stranded CPUs, so that short applications get fewer, larger executors."
                + " Absent: it does not count, which is right if they run for some minutes.")
        Integer expectedRunSeconds) {}
