package io.numaspark.render.sparktrial;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Study;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Variant;
import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Role;
import java.util.ArrayList;
import java.util.List;

/** The baseline and the candidates of a study. */
final class StudyArms {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<ArmPlan> arms = new ArrayList<>();

  private StudyArms() {}

  /** The baseline is the first. */
  static List<ArmPlan> of(Study study) {
    StudyArms made = new StudyArms();
    switch (study) {
      case Pinning ->
          made.add("free", "executors have slots, and run on all CPUs", "", pinning("Observe"))
              .add("pinned", "executors have CPUs of their own", "", pinning("Enforce"));
      case ExecutorSize ->
          made.add("planned", "executors as the profile plans them", "", "")
              .add("cores-2", "executors of 2 cores", "", cores(2))
              .add("cores-4", "executors of 4 cores", "", cores(4))
              .add("cores-8", "executors of 8 cores", "", cores(8));
      case Smt ->
          made.add("shared", "a task on each thread of a core", "", smt("Shared"))
              .add("isolated", "one task on each core", "", smt("Isolated"));
      case Nursery ->
          made.add("young-1-3", "a third of the heap is young", "", nursery(2))
              .add("young-1-2", "half of the heap is young", "", nursery(1))
              .add("young-1-4", "a quarter of the heap is young", "", nursery(3));
      case Shuffle ->
          made.add("disk", "shuffle through files on disk", shuffle("Disk"), "")
              .add("memory", "shuffle through files in memory", shuffle("Memory"), "")
              .add("pages", "shuffle through memory pages", shuffle("Pages"), "");
      case AdaptiveExecutors ->
          made.add("all-slots", "all task slots, always", adaptive("Disabled"), "")
              .add("adaptive", "as many slots as the plugin finds useful", adaptive("Dynamic"), "");
      case Prefetch ->
          made.add("enabled", "next-line prefetchers on", "", prefetch("Enabled", "Enabled"))
              .add("l1-off", "without that of the L1 cache", "", prefetch("Disabled", "Enabled"))
              .add("both-off", "without those of L1 and L2", "", prefetch("Disabled", "Disabled"));
    }
    return List.copyOf(made.arms);
  }

  private StudyArms add(String name, String what, String application, String profile) {
    Role role = arms.isEmpty() ? Role.BASELINE : Role.CANDIDATE;
    Variant variant = new Variant(json(application), json(profile));
    arms.add(new ArmPlan(new Arm(name, role), what, variant));
    return this;
  }

  private static String pinning(String mode) {
    return "{\"pinning\": {\"mode\": \"%s\"}}".formatted(mode);
  }

  private static String cores(int cores) {
    return "{\"executor\": {\"coresPerExecutor\": {\"min\": %1$d, \"max\": %1$d, \"preferred\": %1$d}}}"
        .formatted(cores);
  }

  private static String smt(String mode) {
    return "{\"smt\": {\"mode\": \"%s\", \"tasksPerCore\": null}}".formatted(mode);
  }

  /** With the collector of the study. */
  private static String nursery(int newRatio) {
    return "{\"jvm\": {\"collector\": \"Parallel\", \"extraOptions\": [\"-XX:NewRatio=%d\"]}}"
        .formatted(newRatio);
  }

  /** The size is left to what the storage needs. */
  private static String shuffle(String storage) {
    return "{\"shuffle\": {\"storage\": \"%s\", \"size\": null, \"sharing\": null}}"
        .formatted(storage);
  }

  private static String adaptive(String mode) {
    return "{\"adaptiveExecutors\": {\"mode\": \"%s\", \"threads\": null}}".formatted(mode);
  }

  private static String prefetch(String l1, String l2) {
    return "{\"prefetch\": {\"mode\": \"Enforce\", \"l1NextLine\": \"%s\", \"l2AdjacentLine\": \"%s\"}}"
        .formatted(l1, l2);
  }

  private static JsonNode json(String text) {
    try {
      return text.isEmpty() ? null : JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("written here: " + text, e);
    }
  }
}
