package io.numaspark.cli.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ArmInfo;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Recommendation;
import io.numaspark.api.v1alpha1.SparkTrialStatus.RunInfo;
import io.numaspark.render.text.Labels;
import io.numaspark.render.text.OneLine;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** A trial in some lines: the answer first, then the arms, or what it waits for. */
final class TrialText {
  private TrialText() {}

  static String of(SparkTrial trial) {
    SparkTrialStatus status = trial.getStatus();
    StringBuilder text = new StringBuilder();
    if (status == null || status.phase() == null) {
      return "The operator has not read this trial yet. Does it run?\n";
    }
    if (status.summary() != null) {
      text.append(status.summary()).append('\n');
    } else {
      text.append(status.phase());
      condition(status, "Ready")
          .ifPresent(ready -> text.append(": ").append(OneLine.of(ready.getMessage())));
      text.append('\n');
      if (status.rounds() != null) {
        text.append(
            "%d of %d rounds count, %d were disturbed%s%n"
                .formatted(
                    status.rounds().done(),
                    status.rounds().planned(),
                    status.rounds().disturbed(),
                    status.remainingMinutes() == null
                        ? ""
                        : "; about %d min remain".formatted(status.remainingMinutes())));
      }
    }
    for (ArmInfo arm : Objects.requireNonNullElse(status.arms(), List.<ArmInfo>of())) {
      text.append(
          "  %-16s %s%s%n"
              .formatted(
                  arm.name(),
                  arm.verdict() == null
                      ? ""
                      : arm.verdict().toLowerCase(Locale.ROOT).replace('_', ' ') + ": ",
                  OneLine.of(arm.reason())));
    }
    Objects.requireNonNullElse(status.runs(), List.<RunInfo>of()).stream()
        .filter(run -> run.remark() != null)
        .map(
            run ->
                "  %s, round %d, %s: %s%n"
                    .formatted(
                        run.phase().toLowerCase(Locale.ROOT), run.round(), run.arm(), run.remark()))
        .distinct()
        .limit(20)
        .forEach(text::append);
    if (status.recommendation() != null) {
      recommend(trial, status.recommendation(), text);
    }
    return text.toString();
  }

  private static void recommend(SparkTrial trial, Recommendation recommended, StringBuilder text) {
    if (recommended.application() != null) {
      text.append("Change the spec of the application: ")
          .append(OneLine.of(recommended.application().toString()))
          .append('\n');
    }
    if (recommended.profile() != null) {
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      patch
          .putObject("metadata")
          .putObject("annotations")
          .put(
              Labels.EVIDENCE,
              "%s/%s: %s"
                  .formatted(
                      trial.getMetadata().getNamespace(),
                      trial.getMetadata().getName(),
                      recommended.reason()));
      patch.set("spec", recommended.profile());
      text.append(
          "Change the profile: kubectl patch sparknodeprofiles.numaspark.io %s --type merge -p '%s'%n"
              .formatted(
                  trial.getSpec().template().nodeProfile(),
                  // For a shell: the reason has an apostrophe.
                  OneLine.of(patch.toString()).replace("'", "'\\''")));
    }
  }

  private static Optional<Condition> condition(SparkTrialStatus status, String type) {
    return Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream()
        .filter(condition -> type.equals(condition.getType()))
        .findFirst();
  }
}
