package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Node;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.apply.OrphanSlotSweep;
import io.numaspark.controller.apply.SlotPublisher;
import io.numaspark.controller.observe.NodeSelector;
import io.numaspark.controller.status.ProfileStatusAssembler;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plans a profile whenever it, a node or a topology changes, and publishes its slots.
 *
 * <p>It has no finalizer, so that a profile can always be deleted: the deletion event and the sweep
 * take slots off nodes.
 */
@ControllerConfiguration(name = "profile", triggerReconcilerOnAllEvents = true)
public final class ProfileReconciler implements Reconciler<SparkNodeProfile> {
  private static final Comparator<SparkNodeProfile> OLDEST_FIRST =
      Comparator.comparing(
              (SparkNodeProfile profile) -> profile.getMetadata().getCreationTimestamp())
          .thenComparing(profile -> profile.getMetadata().getName());

  private final SlotPublisher publisher;
  private final OrphanSlotSweep sweep;
  private final PlanStore plans;
  private final Clock clock;
  private InformerEventSource<Node, SparkNodeProfile> nodes;
  private InformerEventSource<SparkNodeTopology, SparkNodeProfile> topologies;

  public ProfileReconciler(SlotPublisher publisher, PlanStore plans, Clock clock) {
    this.publisher = publisher;
    this.sweep = new OrphanSlotSweep(publisher);
    this.plans = plans;
    this.clock = clock;
  }

  @Override
  public List<EventSource<?, SparkNodeProfile>> prepareEventSources(
      EventSourceContext<SparkNodeProfile> context) {
    nodes =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Node.class, SparkNodeProfile.class)
                .withName("nodes")
                .withSecondaryToPrimaryMapper(node -> everyProfile(context))
                .withOnUpdateFilter(ProfileReconciler::concernsPlacement)
                .build(),
            context);
    topologies =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeTopology.class, SparkNodeProfile.class)
                .withName("topologies")
                .withSecondaryToPrimaryMapper(topology -> everyProfile(context))
                .build(),
            context);
    return List.of(nodes, topologies);
  }

  /** Profiles are few; which of them a node concerns is decided when they are planned. */
  private static Set<ResourceID> everyProfile(EventSourceContext<SparkNodeProfile> context) {
    return context
        .getPrimaryCache()
        .list()
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  /** Leaves out the kubelet's heartbeats. */
  private static boolean concernsPlacement(Node after, Node before) {
    return !Objects.equals(after.getMetadata().getLabels(), before.getMetadata().getLabels())
        || !Objects.equals(after.getStatus().getCapacity(), before.getStatus().getCapacity())
        || !Objects.equals(after.getStatus().getAllocatable(), before.getStatus().getAllocatable());
  }

  @Override
  public UpdateControl<SparkNodeProfile> reconcile(
      SparkNodeProfile profile, Context<SparkNodeProfile> context) {
    String name = profile.getMetadata().getName();
    List<SparkNodeProfile> others =
        context
            .getPrimaryCache()
            .list()
            .filter(other -> !other.getMetadata().getName().equals(name))
            .toList();
    if (context.isPrimaryResourceDeleted() || profile.isMarkedForDeletion()) {
      plans.remove(name);
      sweep.sweep(nodes.list().toList(), names(others.stream()));
      return UpdateControl.noUpdate();
    }
    sweep.sweep(nodes.list().toList(), names(Stream.concat(others.stream(), Stream.of(profile))));

    SparkNodeProfileStatus status;
    try {
      status = plan(profile, others);
    } catch (IllegalArgumentException e) {
      plans.remove(name);
      publish(name, Map.of());
      status = ProfileStatusAssembler.invalid(profile, e.getMessage(), clock.instant());
    }
    return StatusUpdate.of(profile, new SparkNodeProfile(), status);
  }

  private SparkNodeProfileStatus plan(SparkNodeProfile profile, List<SparkNodeProfile> others) {
    String name = profile.getMetadata().getName();
    List<Node> selected = nodes.list(selects(profile)).toList();
    List<Unusable> unusable = new ArrayList<>();
    List<MatchedNode> matched = new ArrayList<>();
    Map<String, Predicate<Node>> claims = olderClaims(profile, others);
    for (Node node : selected) {
      String nodeName = node.getMetadata().getName();
      Optional<String> claimant =
          claims.entrySet().stream()
              .filter(claim -> claim.getValue().test(node))
              .map(Map.Entry::getKey)
              .findFirst();
      if (claimant.isPresent()) {
        unusable.add(
            new Unusable(
                nodeName,
                "NodeHasAnotherProfile",
                "the older profile " + claimant.get() + " selects this node too",
                "make the selectors disjoint"));
      } else {
        matched.add(new MatchedNode(nodeName, topologies.get(new ResourceID(nodeName))));
      }
    }
    ProfilePlan plan = ProfilePlanner.plan(profile.getSpec(), matched);
    unusable.addAll(plan.unusable());
    plans.put(name, plan, profile.getSpec().tolerations());
    publish(name, plan.slotsByNode());
    return ProfileStatusAssembler.planned(
        profile, selected.size(), plan, unusable, clock.instant());
  }

  /** What each older profile selects, the oldest first; made once for all nodes. */
  private static Map<String, Predicate<Node>> olderClaims(
      SparkNodeProfile profile, List<SparkNodeProfile> others) {
    Map<String, Predicate<Node>> claims = new LinkedHashMap<>();
    others.stream()
        .filter(other -> OLDEST_FIRST.compare(other, profile) < 0)
        .sorted(OLDEST_FIRST)
        .forEach(other -> claims.put(other.getMetadata().getName(), claim(other)));
    return claims;
  }

  private static Predicate<Node> selects(SparkNodeProfile profile) {
    NodeSelector selector = new NodeSelector(profile.getSpec().nodeSelector());
    return node -> selector.matches(node.getMetadata().getLabels());
  }

  /** A profile with a bad selector claims nothing; its own status says so. */
  private static Predicate<Node> claim(SparkNodeProfile profile) {
    try {
      return selects(profile);
    } catch (IllegalArgumentException e) {
      return node -> false;
    }
  }

  private void publish(String profile, Map<String, Integer> slotsByNode) {
    String resource = ApiGroup.slotResource(profile);
    nodes
        .list()
        .forEach(
            node ->
                publisher.publish(
                    node,
                    resource,
                    Optional.ofNullable(slotsByNode.get(node.getMetadata().getName()))));
  }

  private static Set<String> names(Stream<SparkNodeProfile> profiles) {
    return profiles.map(profile -> profile.getMetadata().getName()).collect(Collectors.toSet());
  }
}
