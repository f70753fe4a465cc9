package io.numaspark.cli.trial;

import io.numaspark.trial.verdict.ArmResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The SparkNodeProfile that a trial recommends, as YAML with the reason of each field.
 *
 * <p>Limit: it has the fields that the arm was measured with, and no others. An arm that a profile
 * cannot say has none: another JDK belongs into the image, Spark properties into the application.
 */
final class RecommendedProfile {
  /** The largest heap of which pointers need no base, which is the profile's own default. */
  private static final int LARGEST_HEAP_MEBIBYTES = 30 << 10;

  private static final String PARALLEL = "-XX:+UseParallelGC";

  private RecommendedProfile() {}

  static Optional<String> of(LocalArm arm, TrialSetting setting, ArmResult result) {
    if (arm.executors() > setting.shares().cores()
        || arm.javaHome() != null
        || !arm.properties().isEmpty()
        || !arm.jvmOptions().matches("(" + Pattern.quote(PARALLEL) + " -XX:NewRatio=\\d)?")) {
      return Optional.empty();
    }
    List<String> fields = new ArrayList<>(executor(arm, setting));
    if (arm.binding().setsCpus()) {
      fields.add(
          arm.binding().setsMemory()
              ? "  # Executors had CPUs and memory of their NUMA node."
              : "  # Executors had CPUs of one NUMA node, and memory by first touch.");
      fields.add(
          "  pinning: {memory: %s}".formatted(arm.binding().setsMemory() ? "Bind" : "Local"));
    }
    // A remainder of --task-slots that no executor has is no idle thread.
    int threadsPerCore = setting.topology().threadsPerCore();
    if (threadsPerCore > 1
        && arm.taskSlots() * arm.executors() <= setting.taskSlots() / threadsPerCore) {
      fields.add("  # One task per core was measured; the other threads were idle.");
      fields.add("  smt: {mode: Isolated}");
    }
    if (!arm.jvmOptions().isEmpty()) {
      fields.add("  # The options of the executors that were measured.");
      fields.add(
          "  jvm: {collector: Parallel, extraOptions: [\"%s\"]}"
              .formatted(arm.jvmOptions().substring(PARALLEL.length() + 1)));
    }
    return Optional.of(
        """
        # Recommended by a trial: %1$s
        # It holds for the application, the input and the kind of machine that were measured.
        apiVersion: numaspark.io/v1alpha1
        kind: SparkNodeProfile
        metadata:
          name: from-trial
          annotations:
            numaspark.io/evidence: "numaspark trial: %1$s"
        spec:
          # Replace it by the label of your nodes.
          nodeSelector: {matchLabels: {node.example.com/pool: spark}}
        %2$s
        """
            .formatted(result.reason(), String.join("\n", fields)));
  }

  /** The size of an executor. */
  private static List<String> executor(LocalArm arm, TrialSetting setting) {
    int cores = setting.shares().cores() / arm.executors();
    int heap = setting.heapMebibytes() / arm.executors();
    List<String> fields = new ArrayList<>();
    fields.add("  executor:");
    fields.add(
        "    # %d executors on %d cores, of which some may be reserved for the system on your nodes."
            .formatted(arm.executors(), setting.shares().cores()));
    fields.add("    coresPerExecutor: {min: 1, max: %1$d, preferred: %1$d}".formatted(cores));
    if (heap <= LARGEST_HEAP_MEBIBYTES) {
      fields.add("    # Measured with a heap of as much.");
      fields.add("    maxHeap: %dMi".formatted(heap));
    } else {
      fields.add(
          "    # Measured with a heap of %d MiB each. The default of maxHeap is less, which has shorter pointers and pauses."
              .formatted(heap));
    }
    return fields;
  }
}
