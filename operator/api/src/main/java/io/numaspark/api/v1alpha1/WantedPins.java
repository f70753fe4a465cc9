package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** How the container runtime of one node shall divide its CPUs. */
public record WantedPins(
    @Required @Size(max = 253) @JsonPropertyDescription("The profile of this layout.")
        String profile,
    @Required
        @Size(min = 1, max = 64)
        @JsonPropertyDescription("Another value after each change of the other fields.")
        String generation,
    @Required
        @JsonPropertyDescription(
            "Pin: executors get slots, all other containers the shared CPUs. Observe: nothing is changed, executors are reported."
                + " Release: all containers get all CPUs again.")
        Mode mode,
    @Required
        @JsonPropertyDescription(
            "Bind: executors get memory of their NUMA node only. Local: of their NUMA node first.")
        PinningSpec.Memory memory,
    @Required
        @Size(min = 1, max = 4096)
        @JsonPropertyDescription("CPUs of all other containers, in Linux list form.")
        String sharedCpus,
    @Size(max = 512) @JsonPropertyDescription("The slots, each for one executor.")
        List<WantedSlot> slots) {

  /** What is done. */
  public enum Mode {
    Pin,
    Observe,
    /** Not called Off, because YAML 1.1 reads a bare Off as false. */
    Release
  }

  /** Room for one executor. */
  public record WantedSlot(
      @Required @Size(min = 1, max = 64) @JsonPropertyDescription("Its name on this node.")
          String id,
      @Required
          @Min(0)
          @Max(8191)
          @JsonPropertyDescription("The NUMA node of its CPUs and its memory.")
          Integer numaNode,
      @Required @Size(min = 1, max = 4096) @JsonPropertyDescription("Its CPUs, in Linux list form.")
          String cpus) {}
}
