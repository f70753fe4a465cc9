package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Who may have the nodes of a profile for a trial: others' applications wait meanwhile. */
public record TrialPermission(
    @Size(max = 64)
        @JsonPropertyDescription(
            "Namespaces whose SparkTrials may have these nodes for themselves; \"*\" is all of them. Absent: none.")
        List<@Size(min = 1, max = 63) String> namespaces,
    @Min(5)
        @Max(2880)
        @Default("480")
        @JsonPropertyDescription("Minutes after which a trial ends in any case (5-2880).")
        Integer maximumMinutes,
    @Size(max = 6)
        @JsonPropertyDescription(
            "Parts of this spec that a trial may plan otherwise while it runs. Absent: pinning, executor, jvm and smt. prefetch and memory"
                + " are settings of the kernel and the processor, for everything that runs on the node.")
        List<Part> mayChange) {

  /** Part of a profile's spec, by the name of its field. */
  public enum Part {
    pinning,
    executor,
    jvm,
    smt,
    prefetch,
    memory
  }
}
