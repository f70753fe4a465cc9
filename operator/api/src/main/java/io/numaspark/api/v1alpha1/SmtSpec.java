package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;

/** How the hardware threads of a core are used. */
@ValidationRule(
    value = "self.mode == 'Shared' || !has(self.tasksPerCore) || self.tasksPerCore == 1",
    message =
        "spec.smt.tasksPerCore: only mode Shared runs more than one task on a core; leave it out or set mode: Shared")
public record SmtSpec(
    @Default("Shared")
        @JsonPropertyDescription(
            "Shared: every hardware thread may run a task. Isolated: one task a core, its other threads stay idle."
                + " Disabled: SMT is expected to be off in the firmware or kernel.")
        Mode mode,
    @Min(1)
        @Max(8)
        @JsonPropertyDescription(
            "Task slots that one physical core gives (1-8). Absent: one for each hardware thread, but at most 4, in mode"
                + " Shared, else 1.")
        Integer tasksPerCore) {

  /** Use of the threads of a core. */
  public enum Mode {
    Shared,
    Isolated,
    /** SMT is off; not called Off because YAML 1.1 reads a bare Off as false. */
    Disabled
  }
}
