package io.numaspark.cli.trial;

import io.numaspark.trial.verdict.ArmResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The SparkNodeProfile that a trial recommends, as YAML with the reason of each field.
 *
 * <p>Limit: it has the fields that the arm was measured with, and no others.
 */
final class RecommendedProfile {
  private RecommendedProfile() {}

  /**
   * @return empty if the arm is nothing that a profile says
   */
  static Optional<String> of(LocalArm arm, Setting setting, ArmResult result) {
    List<String> fields = new ArrayList<>();
    if (arm.binding().setsCpus() || arm.executors() > 1) {
      int cores = setting.places().cores() / arm.executors();
      fields.add("  executor:");
      fields.add(
          "    # %d executors on %d cores.".formatted(arm.executors(), setting.places().cores()));
      fields.add("    coresPerExecutor: {preferred: %d}".formatted(Math.max(1, cores)));
    }
    if (arm.taskSlots() * arm.executors() < setting.threads()) {
      fields.add("  # One task per core.");
      fields.add("  smt: {mode: Isolated}");
    }
    if (!arm.jvmOptions().isEmpty()) {
      fields.add("  # As measured.");
      fields.add("  jvm:");
      fields.add("    extraOptions:");
      for (String option : arm.jvmOptions().split(" ")) {
        fields.add("      - \"" + option + "\"");
      }
    }
    if (fields.isEmpty() || !arm.properties().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        """
        # Recommended by a trial: %s
        # It holds for the application, the input and the kind of machine that were measured.
        apiVersion: numaspark.io/v1alpha1
        kind: SparkNodeProfile
        metadata:
          name: from-trial
        spec:
          nodeSelector:
            matchLabels:
              node.example.com/pool: spark   # your label
        %s
        """
            .formatted(result.reason(), String.join("\n", fields)));
  }
}
