package io.numaspark.render.sparktrial;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Phase;
import io.numaspark.render.trial.TrialReport;
import io.numaspark.trial.engine.Action.Ending;
import io.numaspark.trial.engine.Run;
import io.numaspark.trial.verdict.Judge;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the page of a SparkTrial shows. */
public final class TrialReports {
  private static final int ANY_MINUTES = 1440;

  private TrialReports() {}

  /**
   * The report of a trial that has ended.
   *
   * @throws IllegalArgumentException if it has not, or its status was written by something else
   */
  public static TrialReport of(SparkTrial trial) {
    SparkTrialStatus status = trial.getStatus();
    if (status == null || status.phase() != Phase.Completed || status.ending() == null) {
      throw new IllegalArgumentException(
          "the trial %s has not ended%s; its status says how far it is"
              .formatted(
                  trial.getMetadata().getName(),
                  status == null || status.phase() == null ? "" : ", it is " + status.phase()));
    }
    TrialPlan plan = TrialPlan.of(trial, ANY_MINUTES);
    List<Run> runs = RunLines.read(status);
    SparkApplicationSpec template = trial.getSpec().template();
    return new TrialReport(
        "SparkTrial %s/%s"
            .formatted(trial.getMetadata().getNamespace(), trial.getMetadata().getName()),
        command(template),
        "nodes of SparkNodeProfile %s; image %s".formatted(template.nodeProfile(), image(template)),
        Judge.result(plan.design(), runs, Ending.valueOf(status.ending())),
        runs,
        plan.arms().stream()
            .collect(Collectors.toMap(arm -> arm.arm().name(), TrialReports::words)),
        RunLines.knowOthers(runs)
            ? List.of()
            : List.of(
                "What else used the CPUs of the nodes during the runs: no agent reported it."),
        List.of(),
        "kubectl create -f the same SparkTrial with spec.seed: " + plan.design().seed());
  }

  private static String words(ArmPlan arm) {
    return Stream.of(arm.what(), patch("application", arm), patch("profile", arm))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private static String patch(String of, ArmPlan arm) {
    var patch = of.equals("profile") ? arm.variant().profile() : arm.variant().application();
    return patch == null || patch.isNull() ? "" : of + ": " + patch;
  }

  private static String image(SparkApplicationSpec template) {
    return template.image() == null ? "of driver and executors" : template.image();
  }

  private static String command(SparkApplicationSpec template) {
    return Stream.concat(
            Stream.of(
                template.mainClass() == null
                    ? template.mainApplicationFile()
                    : template.mainClass() + " in " + template.mainApplicationFile()),
            (template.arguments() == null ? List.<String>of() : template.arguments()).stream())
        .collect(Collectors.joining(" "));
  }
}
