package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;

/** What gives executors their CPUs, and what it leaves to all other containers. */
public record PinningSpec(
    @Default("Auto")
        @JsonPropertyDescription(
            "Kubelet: its static CPU manager and Topology Manager, which have to be configured. Runtime: the container runtime, through"
                + " the agent's pinner; the kubelet keeps its default policies. Auto: Runtime on nodes whose kubelet has neither a static"
                + " CPU manager nor a static memory manager, if the chart has agent.pinner.enabled; else Kubelet.")
        By by,
    @Default("Enforce")
        @JsonPropertyDescription(
            "Enforce: executors get CPUs of their own. Observe: they have the same slots and sizes and run on all CPUs, for comparisons;"
                + " see SparkTrial.")
        Mode mode,
    @Default("Bind")
        @JsonPropertyDescription(
            "Where the runtime pins. Bind: executors get memory from the NUMA node of their CPUs only. Local: from the NUMA node that"
                + " touches it first while that has some, then from another one.")
        Memory memory,
    @Default("1")
        @Min(0)
        @Max(64)
        @JsonPropertyDescription(
            "Where the runtime pins: whole cores of each NUMA node that all other containers share (0-64). The cores that the kubelet"
                + " reserves are shared too, and at least one core of the node.")
        Integer sharedCores,
    @Pattern(Patterns.BYTES)
        @Size(max = 16)
        @JsonPropertyDescription(
            "Where the runtime pins: memory of each NUMA node that no executor gets, for example 2Gi. Absent: a twentieth, at least"
                + " 512Mi.")
        String sharedMemory) {

  /** What pins. */
  public enum By {
    Kubelet,
    Runtime,
    Auto
  }

  /** Whether executors are pinned. */
  public enum Mode {
    Enforce,
    Observe
  }

  /** What a slot means for memory. */
  public enum Memory {
    Bind,
    Local
  }
}
