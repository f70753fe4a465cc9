package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Condition;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.Cache;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.status.ApplicationReason;
import io.numaspark.controller.status.Diagnosis;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.application.ProfileContext;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The profiles as the profile reconciler has planned them. */
final class PlannedProfiles implements ProfileLookup {
  private final PlanStore plans;
  private final Cache<SparkNodeProfile> profiles;

  PlannedProfiles(PlanStore plans, Cache<SparkNodeProfile> profiles) {
    this.plans = plans;
    this.profiles = profiles;
  }

  @Override
  public Found find(SparkApplicationSpec spec) {
    String name = spec.nodeProfile();
    if (name == null) {
      return new Ready(Optional.empty());
    }
    Optional<ProfileContext> planned = plans.context(name);
    if (planned.isPresent()) {
      return new Ready(planned);
    }
    Optional<SparkNodeProfile> profile = profiles.get(new ResourceID(name));
    if (profile.isEmpty()) {
      return new Missing(
          new Diagnosis(
              ApplicationReason.PROFILE_NOT_FOUND,
              "spec.nodeProfile: there is no SparkNodeProfile "
                  + name
                  + "; create it, or name one of: "
                  + profiles
                      .list()
                      .map(p -> p.getMetadata().getName())
                      .sorted()
                      .collect(Collectors.joining(", "))));
    }
    if (!plans.isPlanned(name)) {
      return new NotPlannedYet();
    }
    return new Missing(
        new Diagnosis(
            ApplicationReason.PROFILE_NOT_READY,
            "SparkNodeProfile " + name + " has no executor slot: " + readyMessage(profile.get())));
  }

  @Override
  public Map<String, Machine> machines(String profile) {
    return plans.machines(profile);
  }

  private static String readyMessage(SparkNodeProfile profile) {
    if (profile.getStatus() == null || profile.getStatus().conditions() == null) {
      return "it is not planned yet";
    }
    return profile.getStatus().conditions().stream()
        .filter(condition -> "Ready".equals(condition.getType()))
        .map(Condition::getMessage)
        .findFirst()
        .orElse("it is not planned yet");
  }
}
