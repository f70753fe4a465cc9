package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest plan of each profile, from the profile reconciler to the application reconciler.
 *
 * <p>Held in memory only: after a restart it fills as profiles are reconciled, which is before they
 * are needed.
 */
public final class PlanStore {
  private final Map<String, Entry> plans = new ConcurrentHashMap<>();

  private record Entry(ProfilePlan plan, List<Toleration> tolerations) {}

  void put(String profile, ProfilePlan plan, List<Toleration> tolerations) {
    plans.put(profile, new Entry(plan, Objects.requireNonNullElse(tolerations, List.of())));
  }

  void remove(String profile) {
    plans.remove(profile);
  }

  /** Whether the profile has been planned since the operator started, with whatever result. */
  boolean isPlanned(String profile) {
    return plans.containsKey(profile);
  }

  /** What applications need of the profile; empty if it is unknown or no executor fits. */
  Optional<ProfileContext> context(String profile) {
    Entry entry = plans.get(profile);
    if (entry == null || !(entry.plan().result() instanceof Plan plan) || plan.totalSlots() == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new ProfileContext(profile, entry.plan().policy(), plan, entry.tolerations()));
  }

  /** The machines of a profile's nodes, by node name. */
  Map<String, Machine> machines(String profile) {
    Map<String, Machine> machines = new TreeMap<>();
    Optional.ofNullable(plans.get(profile))
        .ifPresent(
            entry ->
                entry
                    .plan()
                    .layoutByNode()
                    .forEach((node, layout) -> machines.put(node, layout.nodeClass().machine())));
    return machines;
  }

  /** Slots of each profile over all its nodes. */
  public Map<String, Integer> totalSlots() {
    Map<String, Integer> slots = new TreeMap<>();
    plans.forEach(
        (profile, entry) ->
            slots.put(
                profile,
                entry.plan().slotsByNode().values().stream().mapToInt(Integer::intValue).sum()));
    return slots;
  }

  /** CPUs that no slot can use, of each profile over all its nodes. */
  public Map<String, Integer> strandedCpus() {
    Map<String, Integer> stranded = new TreeMap<>();
    plans.forEach(
        (profile, entry) ->
            stranded.put(
                profile,
                entry.plan().layoutByNode().values().stream()
                    .mapToInt(layout -> layout.strandedCpus().size())
                    .sum()));
    return stranded;
  }
}
