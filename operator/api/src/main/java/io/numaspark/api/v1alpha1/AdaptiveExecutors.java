package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;

/** How many of an executor's task slots work at once. */
@ValidationRule(
    value = "!has(self.threads) || (has(self.mode) && self.mode == 'Static')",
    message =
        "spec.adaptiveExecutors.threads: only mode: Static has a fixed number; remove it, or set mode: Static")
@ValidationRule(
    value = "!has(self.mode) || self.mode != 'Static' || has(self.threads)",
    message = "spec.adaptiveExecutors.threads: mode: Static needs it; give the number of tasks")
public record AdaptiveExecutors(
    @Default("Disabled")
        @JsonPropertyDescription(
            "Disabled: every task slot works. Static: in stages that read or write files, only threads of them. Dynamic:"
                + " each executor finds the number for each stage, and uses fewer slots only where tasks wait for input"
                + " and output. Static and Dynamic need the Spark plugin.")
        Mode mode,
    @Min(1)
        @Max(1024)
        @JsonPropertyDescription(
            "With mode Static: tasks of one executor that work at once in stages that read or write files (1-1024); more"
                + " than the executor has task slots means all of them.")
        Integer threads) {

  /** How the number is found. */
  public enum Mode {
    Disabled,
    Static,
    Dynamic
  }
}
