package io.numaspark.controller.store;

import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.controller.event.Signal;
import io.numaspark.controller.slots.NodePlan;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The newest plan of each profile, from the profile reconciler to those that need it.
 *
 * <p>Held in memory only: after a restart it fills as profiles are reconciled, which is before they
 * are needed.
 */
public final class PlanStore {
  private final Map<String, Entry> plans = new ConcurrentHashMap<>();
  private final Signal<Set<String>> changes = new Signal<>();

  /**
   * What a plan depends on.
   *
   * @param spec of the profile, as it is planned
   * @param topologies edition of the topology of each matched node; empty where there is none
   * @param templates the same of each node template, which is no node
   */
  public record PlanInput(
      String uid,
      SparkNodeProfileSpec spec,
      Map<String, String> topologies,
      Map<String, String> templates) {}

  /**
   * A profile as it was planned.
   *
   * @param input of the plan
   * @param plan empty if the profile contradicts itself
   */
  private record Entry(
      SparkNodeProfile profile, Optional<PlanInput> input, Optional<ProfilePlan> plan) {
    String name() {
      return profile.getMetadata().getName();
    }

    Map<String, Integer> slotsByNode() {
      return plan.map(ProfilePlan::slotsByNode).orElse(Map.of());
    }

    /** Those that it has, with and without slots. */
    Set<String> nodes() {
      return input.map(of -> of.topologies().keySet()).orElse(Set.of());
    }

    boolean hasSlots(String node) {
      Layout layout = layoutByNode().get(node);
      return layout != null && layout.isUsable() && !layout.slots().isEmpty();
    }

    Optional<ProfileContext> context() {
      return plan.flatMap(
          made ->
              made.forApplications()
                  .map(
                      shape ->
                          made.templates().isPresent()
                              ? ProfileContext.onTemplates(
                                  name(), profile.getSpec(), made.policy(), shape)
                              : ProfileContext.onNodes(
                                  name(), profile.getSpec(), made.policy(), shape)));
    }

    Map<String, Layout> layoutByNode() {
      return plan.map(ProfilePlan::layoutByNode).orElse(Map.of());
    }
  }

  /** Emitted with the names of nodes whose plan may be another one now. */
  public Signal<Set<String>> changes() {
    return changes;
  }

  /** Notes what a profile was planned to. */
  public void put(SparkNodeProfile profile, PlanInput input, ProfilePlan plan) {
    Entry entry = new Entry(profile, Optional.of(input), Optional.of(plan));
    emitChanges(plans.put(entry.name(), entry), entry);
  }

  /** Notes that a profile contradicts itself. */
  public void putInvalid(SparkNodeProfile profile) {
    Entry entry = new Entry(profile, Optional.empty(), Optional.empty());
    emitChanges(plans.put(entry.name(), entry), entry);
  }

  /** Forgets a profile that is gone. */
  public void remove(String profile) {
    emitChanges(plans.remove(profile), null);
  }

  /** The plan that was made from this; planning is what costs, and most events change nothing. */
  public Optional<ProfilePlan> plan(String profile, PlanInput input) {
    return Optional.ofNullable(plans.get(profile))
        .filter(entry -> entry.input().equals(Optional.of(input)))
        .flatMap(Entry::plan);
  }

  private void emitChanges(Entry before, Entry after) {
    if (before != null && after != null && before.plan().equals(after.plan())) {
      return;
    }
    // With those that have no slots: what is published there, or pinned, may be older than this
    // process.
    Set<String> nodes = new TreeSet<>();
    Stream.of(Optional.ofNullable(before), Optional.ofNullable(after))
        .flatMap(Optional::stream)
        .forEach(entry -> nodes.addAll(entry.nodes()));
    changes.emit(nodes);
  }

  /** Whether this very edition of the profile was planned. */
  public boolean isPlannedAs(SparkNodeProfile profile) {
    Entry entry = plans.get(profile.getMetadata().getName());
    return entry != null
        && Objects.equals(entry.profile().getMetadata().getUid(), profile.getMetadata().getUid())
        && Objects.equals(
            entry.profile().getMetadata().getGeneration(), profile.getMetadata().getGeneration());
  }

  /** Whether the profile was last planned with this spec. */
  public boolean isPlannedWith(String profile, SparkNodeProfileSpec spec) {
    Entry entry = plans.get(profile);
    return entry != null && entry.input().filter(input -> spec.equals(input.spec())).isPresent();
  }

  /** Whether the profile has been planned since the operator started, with whatever result. */
  public boolean isPlanned(String profile) {
    return plans.containsKey(profile);
  }

  /** Whether the profile has a plan; not before it is planned, and not if it contradicts itself. */
  public boolean hasPlan(String profile) {
    Entry entry = plans.get(profile);
    return entry != null && entry.plan().isPresent();
  }

  /** How a profile lays out a node; empty if it was not planned with it, or could not read it. */
  public Optional<Layout> layout(String profile, String node) {
    return Optional.ofNullable(plans.get(profile)).map(entry -> entry.layoutByNode().get(node));
  }

  /** The plan that holds for a node: that of the oldest profile which has slots there. */
  public Optional<NodePlan> onNode(String node) {
    return plans.values().stream()
        .filter(entry -> entry.hasSlots(node))
        .min(Comparator.comparing(Entry::profile, ProfilePlanner.OLDEST_FIRST))
        .flatMap(
            entry ->
                entry
                    .plan()
                    .filter(plan -> plan.result() instanceof Plan)
                    .map(
                        plan ->
                            new NodePlan(
                                entry.name(),
                                ((Plan) plan.result()).shape(),
                                plan.layoutByNode().get(node))));
  }

  /** What applications need of the profile; empty if it is unknown or no executor fits. */
  public Optional<ProfileContext> context(String profile) {
    return Optional.ofNullable(plans.get(profile)).flatMap(Entry::context);
  }

  /** The machines of a profile's nodes, by node name. */
  public Map<String, Machine> machines(String profile) {
    return Optional.ofNullable(plans.get(profile))
        .flatMap(Entry::plan)
        .map(ProfilePlan::machines)
        .orElse(Map.of());
  }

  /** The machine of a node that a profile plans. */
  public Optional<Machine> machine(String profile, String node) {
    return Optional.ofNullable(plans.get(profile))
        .flatMap(Entry::plan)
        .flatMap(plan -> plan.machine(node));
  }

  /** How many nodes a profile has, with and without slots. */
  public int nodes(String profile) {
    Entry entry = plans.get(profile);
    return entry == null ? 0 : entry.nodes().size();
  }

  /** The plans of all profiles that have one by name, the oldest profile first. */
  public Map<String, ProfilePlan> plans() {
    Map<String, ProfilePlan> oldestFirst = new LinkedHashMap<>();
    plans.values().stream()
        .sorted(Comparator.comparing(Entry::profile, ProfilePlanner.OLDEST_FIRST))
        .forEach(entry -> entry.plan().ifPresent(plan -> oldestFirst.put(entry.name(), plan)));
    return oldestFirst;
  }

  /** Names of the profiles that were planned, with whatever result. */
  public Set<String> profiles() {
    return Set.copyOf(plans.keySet());
  }

  /** Slots of each profile over all its nodes. */
  public Map<String, Integer> totalSlots() {
    Map<String, Integer> slots = new TreeMap<>();
    plans.forEach(
        (profile, entry) ->
            slots.put(
                profile, entry.slotsByNode().values().stream().mapToInt(Integer::intValue).sum()));
    return slots;
  }
}
