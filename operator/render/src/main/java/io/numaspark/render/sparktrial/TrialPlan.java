package io.numaspark.render.sparktrial;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialSpec;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Study;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Variant;
import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Metric;
import io.numaspark.trial.design.Role;
import io.numaspark.trial.design.TrialDesign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A SparkTrial that was found to be consistent: the design for the engine, and how each arm is
 * made.
 *
 * @param arms the baseline first, then the controls
 * @param longest it may have the nodes, whatever its budget
 */
public record TrialPlan(TrialDesign design, List<ArmPlan> arms, Duration longest) {
  private static final String DELAY = "spark.numaspark.trial.delayPercent";

  public TrialPlan {
    arms = List.copyOf(arms);
  }

  /**
   * The plan.
   *
   * @param maximumMinutes that the profile allows
   * @throws IllegalArgumentException naming the field that is wrong and the remedy
   */
  public static TrialPlan of(SparkTrial trial, int maximumMinutes) {
    SparkTrialSpec spec = trial.getSpec();
    List<ArmPlan> arms = new ArrayList<>(given(spec));
    ArmPlan baseline = arms.get(0);
    arms.add(1, control(baseline, "same", Role.SAME, "the baseline again: must not differ"));
    if (spec.delayPercent() > 0) {
      arms.add(2, delayed(baseline, spec.delayPercent()));
    }
    return new TrialPlan(
        new TrialDesign(
            seed(trial),
            arms.stream().map(ArmPlan::arm).toList(),
            metric(spec.metric()),
            spec.rounds(),
            spec.minimumEffectPercent() / 100.0,
            spec.delayPercent() / 100.0,
            Duration.ofMinutes(Math.min(spec.budgetMinutes(), maximumMinutes))),
        arms,
        Duration.ofMinutes(maximumMinutes));
  }

  private static Metric metric(SparkTrialSpec.Metric wanted) {
    return switch (Objects.requireNonNullElse(wanted, SparkTrialSpec.Metric.Duration)) {
      case Duration -> Metric.DURATION;
      case ExecutorTime -> Metric.EXECUTOR_TIME;
      case Cost -> Metric.COST;
    };
  }

  private static List<ArmPlan> given(SparkTrialSpec spec) {
    if (spec.study() == Study.ExecutorSize && !isSplit(spec.template())) {
      throw new IllegalArgumentException(
          "spec.template.executor.nodes: the study ExecutorSize compares sizes of executors on the same CPUs; give nodes, and no instances");
    }
    if (spec.study() != null) {
      return StudyArms.of(spec.study());
    }
    List<ArmPlan> arms = new ArrayList<>();
    Variant baseline = Objects.requireNonNullElse(spec.baseline(), Variant.NONE);
    arms.add(
        new ArmPlan(
            new Arm("baseline", Role.BASELINE),
            spec.baseline() == null
                ? "template and profile as they are"
                : "the baseline of the spec",
            baseline));
    for (SparkTrialSpec.Arm arm : spec.arms()) {
      int changes = MergePatch.changes(arm.application()) + MergePatch.changes(arm.profile());
      if (changes == 0) {
        throw new IllegalArgumentException(
            "spec.arms[%s]: changes nothing; give it application or profile".formatted(arm.name()));
      }
      arms.add(
          new ArmPlan(
              new Arm(arm.name(), Role.CANDIDATE, changes),
              Objects.requireNonNullElse(arm.description(), ""),
              arm.variant()));
    }
    return arms;
  }

  /** Whether the number of executors follows from their size. */
  private static boolean isSplit(SparkApplicationSpec template) {
    return template.executor() != null && template.executor().nodes() != null;
  }

  private static ArmPlan control(ArmPlan baseline, String name, Role role, String what) {
    return new ArmPlan(new Arm(name, role), what, baseline.variant());
  }

  private static ArmPlan delayed(ArmPlan baseline, int percent) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("sparkConf").put(DELAY, Integer.toString(percent));
    patch.putObject("sparkPlugin").put("enabled", true);
    Variant variant = baseline.variant();
    return new ArmPlan(
        new Arm("delayed", Role.DELAYED),
        "the baseline, whose tasks wait %d %% longer on purpose: must look slower"
            .formatted(percent),
        new Variant(
            variant.application() == null ? patch : MergePatch.apply(variant.application(), patch),
            variant.profile()));
  }

  /** A seed of its own for each trial, and the same after a restart. */
  private static long seed(SparkTrial trial) {
    return trial.getSpec().seed() == null
        ? trial.getMetadata().getUid().hashCode() & 0xffffffffL
        : trial.getSpec().seed();
  }

  /**
   * How an arm is made.
   *
   * @throws IllegalArgumentException if there is no such arm
   */
  public ArmPlan arm(String name) {
    return arms.stream()
        .filter(arm -> arm.arm().name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no arm " + name));
  }

  /**
   * Tries each arm's template and profile against their schemas.
   *
   * @throws IllegalArgumentException naming the arm, the field and the remedy
   */
  public void check(SparkTrial trial, SparkNodeProfileSpec profile) {
    for (ArmPlan arm : arms) {
      try {
        RunSpec.application(trial, arm, "run", 0);
        ProfileVariant.of(profile, arm.variant());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "arm %s: %s".formatted(arm.arm().name(), e.getMessage()), e);
      }
    }
  }
}
