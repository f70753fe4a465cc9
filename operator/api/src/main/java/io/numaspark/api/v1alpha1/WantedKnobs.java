package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Map;

/** What a profile wants of the knobs of one node: prefetchers and memory policy. */
public record WantedKnobs(
    @Required @Size(max = 253) @JsonPropertyDescription("The profile that wants it.")
        String profile,
    @Default("Node")
        @JsonPropertyDescription(
            "Node: the whole node. Executors: prefetchers of the cores of Spark executors only; memory policy is always"
                + " the node's.")
        Scope scope,
    @Size(max = 32)
        @JsonPropertyDescription(
            "Wanted value by knob, for example {\"prefetch.l1NextLine\": \"Disabled\", \"memory.swappiness\": \"1\"}."
                + " A knob that is not named is not changed.")
        Map<String, @Pattern("^[A-Za-z0-9]{1,16}$") String> settings,
    @Size(max = 32)
        @JsonPropertyDescription(
            "Names of the knobs in settings that the agent sets. It only compares the others.")
        List<String> enforced) {

  /** Which cores. */
  public enum Scope {
    Node,
    Executors
  }
}
