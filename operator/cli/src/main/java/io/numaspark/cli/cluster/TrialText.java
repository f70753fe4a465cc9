package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ArmInfo;
import io.numaspark.api.v1alpha1.SparkTrialStatus.RunInfo;
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
      condition(status, "Ready").ifPresent(ready -> text.append(": ").append(ready.getMessage()));
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
                  arm.reason()));
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
      text.append("Apply to the application: ")
          .append(patch(status.recommendation().application()))
          .append("\nApply to the profile: ")
          .append(patch(status.recommendation().profile()))
          .append('\n');
    }
    return text.toString();
  }

  private static String patch(Object patch) {
    return patch == null ? "nothing" : patch.toString();
  }

  private static Optional<Condition> condition(SparkTrialStatus status, String type) {
    return Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream()
        .filter(condition -> type.equals(condition.getType()))
        .findFirst();
  }
}
