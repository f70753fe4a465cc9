package io.numaspark.controller.application;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.status.ApplicationReason;
import io.numaspark.controller.status.Conditions;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.proof.Diagnosis;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an application learns of the profile that it names, as the profile was planned.
 *
 * @param profiles those that exist
 */
public record ProfileLookup(PlanStore plans, Supplier<Stream<SparkNodeProfile>> profiles) {
  private static final String NOT_PLANNED = "it is not planned yet";

  /** An answer. */
  sealed interface Found {}

  /**
   * The application can be rendered.
   *
   * @param context empty for an application without a profile
   */
  record Ready(Optional<ProfileContext> context) implements Found {}

  /** The profile does not exist or has no slot. */
  record Missing(Diagnosis why) implements Found {}

  /** The operator has just started and has not planned the profile yet. */
  record NotPlannedYet() implements Found {}

  /** Whether an application of this spec has the profile that it needs. */
  Found find(SparkApplicationSpec spec) {
    String name = spec.nodeProfile();
    if (name == null) {
      return new Ready(Optional.empty());
    }
    Optional<ProfileContext> planned = plans.context(name);
    if (planned.isPresent()) {
      return new Ready(planned);
    }
    Map<String, SparkNodeProfile> existing =
        profiles
            .get()
            .collect(
                Collectors.toMap(
                    profile -> profile.getMetadata().getName(), Function.identity(), (a, b) -> a));
    if (!existing.containsKey(name)) {
      return new Missing(
          new Diagnosis(
              ApplicationReason.PROFILE_NOT_FOUND,
              "spec.nodeProfile: there is no SparkNodeProfile "
                  + name
                  + "; create it, or name one of: "
                  + existing.keySet().stream().sorted().collect(Collectors.joining(", "))));
    }
    if (!plans.isPlanned(name)) {
      return new NotPlannedYet();
    }
    return new Missing(
        new Diagnosis(
            ApplicationReason.PROFILE_NOT_READY,
            "SparkNodeProfile "
                + name
                + " has no executor slot: "
                + readyMessage(existing.get(name))));
  }

  /** The machine of each node that the profile plans, by node name. */
  Map<String, Machine> machines(String profile) {
    return plans.machines(profile);
  }

  private static String readyMessage(SparkNodeProfile profile) {
    return Optional.ofNullable(profile.getStatus())
        .flatMap(status -> Conditions.named("Ready", status.conditions()))
        .map(Condition::getMessage)
        .orElse(NOT_PLANNED);
  }
}
