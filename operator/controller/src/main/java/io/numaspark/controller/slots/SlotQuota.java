package io.numaspark.controller.slots;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaSpec;
import io.fabric8.kubernetes.api.model.ResourceQuotaStatus;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.controller.slots.StartDecision.Waiting;
import io.numaspark.controller.slots.StartDecision.WaitingReason;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What a ResourceQuota lets a namespace have of a profile's slots.
 *
 * <p>Limit: a quota with a scopeSelector is left out, because it depends on the priority class of
 * each pod.
 *
 * @param name of the ResourceQuota
 * @param resource that it limits, for example {@code requests.slots.numaspark.io/dual-socket}
 * @param hard slots that the namespace may have
 * @param used slots that its pods have, as the API server counts them
 */
public record SlotQuota(String name, String resource, long hard, long used) {
  /** Kubernetes has no other form for extended resources (isExtendedResourceNameForQuota). */
  private static final String PREFIX = "requests.";

  /** Those that executors are in: they have requests and no deadline. */
  private static final Set<String> SCOPES = Set.of("NotTerminating", "NotBestEffort");

  /** Those of a namespace that limit the slots of a profile. */
  public static List<SlotQuota> of(Collection<ResourceQuota> quotas, String profile) {
    String resource = PREFIX + ApiGroup.slotResource(profile);
    return quotas.stream()
        .filter(quota -> quota.getSpec() != null && countsExecutors(quota.getSpec()))
        .flatMap(quota -> of(quota, resource).stream())
        .toList();
  }

  private static boolean countsExecutors(ResourceQuotaSpec spec) {
    return spec.getScopeSelector() == null
        && SCOPES.containsAll(Objects.requireNonNullElse(spec.getScopes(), List.of()));
  }

  private static Optional<SlotQuota> of(ResourceQuota quota, String resource) {
    return amount(quota.getSpec().getHard(), resource)
        .map(
            hard ->
                new SlotQuota(
                    quota.getMetadata().getName(),
                    resource,
                    hard,
                    Optional.ofNullable(quota.getStatus())
                        .map(ResourceQuotaStatus::getUsed)
                        .flatMap(used -> amount(used, resource))
                        .orElse(0L)));
  }

  private static Optional<Long> amount(Map<String, Quantity> amounts, String resource) {
    return Optional.ofNullable(amounts)
        .map(all -> all.get(resource))
        .map(quantity -> quantity.getNumericalAmount().longValue());
  }

  /**
   * Why the API server would refuse executors; empty if it would not.
   *
   * @param slots that they need together
   * @param claimed slots of applications that started before, some of whose pods may not exist yet
   */
  public Optional<Waiting> refusal(long slots, long claimed) {
    if (slots > hard) {
      return Optional.of(
          new Waiting(
              WaitingReason.QUOTA_TOO_SMALL,
              "needs %d slots, but ResourceQuota %s allows %d of %s in the namespace; request fewer executors, or have it raised"
                  .formatted(slots, name, hard, resource)));
    }
    long taken = Math.max(used, claimed);
    return slots + taken <= hard
        ? Optional.empty()
        : Optional.of(
            new Waiting(
                WaitingReason.WAITING_FOR_QUOTA,
                "needs %d slots, but %d of the %d are in use that ResourceQuota %s allows of %s in the namespace; it starts when enough are free"
                    .formatted(slots, taken, hard, name, resource)));
  }
}
