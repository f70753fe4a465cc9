package io.numaspark.controller.profile;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.profile.ProfilePlanning.Planned;
import io.numaspark.controller.status.Conditions;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.render.inject.Injection;
import io.numaspark.render.inject.PinningOffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Plans all profiles for executors that others create.
 *
 * <p>Limit: a trial that tries another shape on a profile's nodes is not known here.
 */
public record OfferPlanning(ProfilePlanning planning, PlanStore plans) {

  /** What each of these profiles offers, by its name; there are no others. */
  public Map<String, PinningOffer> offers(List<SparkNodeProfile> profiles, Instant now) {
    Map<String, PinningOffer> offers = new HashMap<>();
    for (SparkNodeProfile profile : profiles) {
      String name = profile.getMetadata().getName();
      List<SparkNodeProfile> others =
          profiles.stream().filter(other -> !other.getMetadata().getName().equals(name)).toList();
      offers.put(name, offer(profile, others, now));
    }
    plans.profiles().stream().filter(name -> !offers.containsKey(name)).forEach(plans::remove);
    return offers;
  }

  private PinningOffer offer(SparkNodeProfile profile, List<SparkNodeProfile> others, Instant now) {
    String name = profile.getMetadata().getName();
    try {
      Planned planned = planning.plan(profile, others, now);
      return plans
          .context(name)
          .<PinningOffer>map(
              context ->
                  new PinningOffer.Usable(
                      new Injection(context, profile.getSpec().nodeSelector(), true)))
          .orElseGet(() -> new PinningOffer.None(none(name, ready(planned))));
    } catch (IllegalArgumentException e) {
      plans.putInvalid(profile);
      return new PinningOffer.None(none(name, e.getMessage()));
    }
  }

  private static String none(String profile, String why) {
    return "SparkNodeProfile %s has no executor slot: %s".formatted(profile, why);
  }

  private static String ready(Planned planned) {
    return Optional.ofNullable(planned.status().conditions())
        .flatMap(conditions -> Conditions.named("Ready", conditions))
        .map(Condition::getMessage)
        .orElse("no node has one");
  }
}
