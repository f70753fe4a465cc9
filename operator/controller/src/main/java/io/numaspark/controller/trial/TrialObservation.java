package io.numaspark.controller.trial;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.Load;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ActiveRun;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Phase;
import io.numaspark.api.v1alpha1.TrialPermission;
import io.numaspark.controller.lifecycle.SpecDigest;
import io.numaspark.controller.lifecycle.TrialSituation;
import io.numaspark.controller.lifecycle.TrialSituation.Nodes;
import io.numaspark.controller.lifecycle.TrialSituation.RunSeen;
import io.numaspark.controller.lifecycle.TrialSituation.TrialProblem;
import io.numaspark.controller.lifecycle.TrialSituation.TrialProblem.Kind;
import io.numaspark.controller.observe.NodeAgents;
import io.numaspark.controller.status.Conditions;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.controller.store.TrialLocks;
import io.numaspark.controller.store.TrialLocks.Holder;
import io.numaspark.render.sparktrial.ProfileVariant;
import io.numaspark.render.sparktrial.RunLines;
import io.numaspark.render.sparktrial.TrialPlan;
import io.numaspark.trial.engine.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Looks at everything that a trial depends on.
 *
 * @param profiles a profile by its name
 * @param runs the application of a run by namespace and name
 * @param plugin whether the operator knows where the Spark plugin is
 */
record TrialObservation(
    TrialLocks locks,
    SlotBoard board,
    PlanStore plans,
    NodeAgents agents,
    Function<String, Optional<SparkNodeProfile>> profiles,
    BiFunction<String, String, Optional<SparkApplication>> runs,
    boolean plugin) {
  private static final Set<State> ENDED =
      Set.of(State.COMPLETED, State.FAILED, State.SUBMISSION_FAILED);
  private static final Set<State> STARTED = Set.of(State.RUNNING, State.UNKNOWN);

  /** Knobs are set by agents, which the profile's status shows a little later. */
  private static final Duration LEAST_KNOB_TIME = Duration.ofSeconds(15);

  private static final int USUAL_MINUTES = 480;

  TrialSituation of(SparkTrial trial, Instant now) {
    String profile = trial.getSpec().template().nodeProfile();
    Optional<SparkNodeProfile> found = profiles.apply(profile);
    Optional<TrialPlan> plan = Optional.empty();
    // One that has ended or is suspended is not measured, whatever its spec says.
    boolean isMeasured = isMeasured(trial);
    Optional<TrialProblem> problem = isMeasured ? permission(trial, found) : Optional.empty();
    List<Run> lines = List.of();
    if (isMeasured && problem.isEmpty()) {
      try {
        lines = RunLines.read(trial.getStatus());
        plan = Optional.of(plan(trial, found.orElseThrow()));
      } catch (IllegalArgumentException e) {
        problem = Optional.of(new TrialProblem(Kind.INVALID, e.getMessage()));
      }
    }
    ActiveRun active = active(trial);
    return new TrialSituation(
        trial,
        plan,
        problem,
        lines,
        nodes(trial, profile),
        active == null
            ? Optional.empty()
            : runs.apply(trial.getMetadata().getNamespace(), active.name())
                .map(TrialObservation::seen),
        active != null
            && plan.isPresent()
            && isPlanned(found.orElseThrow(), plan.get(), active, now),
        now);
  }

  private static boolean isMeasured(SparkTrial trial) {
    boolean isCompleted = trial.getStatus() != null && trial.getStatus().phase() == Phase.Completed;
    return !isCompleted && !Boolean.TRUE.equals(trial.getSpec().suspend());
  }

  private static ActiveRun active(SparkTrial trial) {
    return trial.getStatus() == null ? null : trial.getStatus().run();
  }

  private TrialPlan plan(SparkTrial trial, SparkNodeProfile profile) {
    TrialPlan plan = TrialPlan.of(trial, maximumMinutes(profile));
    if (plan.design().delay() > 0 && !plugin && ownPlugin(trial).isEmpty()) {
      throw new IllegalArgumentException(
          "spec.delayPercent: the control needs the Spark plugin, and the operator does not know where it is; set the chart's sparkPlugin.image, or spec.template.sparkPlugin.path, or delayPercent: 0");
    }
    plan.check(trial, profile.getSpec());
    return plan;
  }

  private static Optional<String> ownPlugin(SparkTrial trial) {
    return Optional.ofNullable(trial.getSpec().template().sparkPlugin())
        .flatMap(given -> Optional.ofNullable(given.path()));
  }

  private static int maximumMinutes(SparkNodeProfile profile) {
    return Optional.ofNullable(profile.getSpec().trials())
        .map(TrialPermission::maximumMinutes)
        .orElse(USUAL_MINUTES);
  }

  private static Optional<TrialProblem> permission(
      SparkTrial trial, Optional<SparkNodeProfile> profile) {
    String name = trial.getSpec().template().nodeProfile();
    String namespace = trial.getMetadata().getNamespace();
    if (profile.isEmpty()) {
      return Optional.of(
          new TrialProblem(
              Kind.NO_PROFILE,
              "spec.template.nodeProfile: there is no SparkNodeProfile %s; create it, or name another one"
                  .formatted(name)));
    }
    List<String> allowed =
        Optional.ofNullable(profile.get().getSpec().trials())
            .map(TrialPermission::namespaces)
            .orElse(List.of());
    if (!allowed.contains("*") && !allowed.contains(namespace)) {
      return Optional.of(
          new TrialProblem(
              Kind.NOT_ALLOWED,
              "a trial keeps others from the nodes of profile %1$s, and its spec.trials.namespaces does not have %2$s; ask its owner to run: kubectl patch sparknodeprofiles.numaspark.io %1$s --type merge -p '{\"spec\":{\"trials\":{\"namespaces\":[\"%2$s\"]}}}'"
                  .formatted(name, namespace)));
    }
    String measured =
        Optional.ofNullable(trial.getStatus()).map(SparkTrialStatus::specDigest).orElse(null);
    if (measured != null && !measured.equals(SpecDigest.of(trial.getSpec()))) {
      return Optional.of(
          new TrialProblem(
              Kind.SPEC_CHANGED,
              "spec: was changed after runs were measured, which are not comparable; change it back, or create another trial"));
    }
    return Optional.empty();
  }

  private Nodes nodes(SparkTrial trial, String profile) {
    Holder self = Holder.of(trial);
    Set<String> own =
        Optional.ofNullable(active(trial))
            .flatMap(run -> runs.apply(trial.getMetadata().getNamespace(), run.name()))
            .map(SparkApplication::getStatus)
            .map(SparkApplicationStatus::sparkApplicationId)
            .map(Set::of)
            .orElse(Set.of());
    return new Nodes(
        locks.since(profile, self),
        locks.holder(profile).filter(holder -> !holder.equals(self)).map(Holder::toString),
        board.nodes(profile).stream()
            .flatMap(node -> node.executors().entrySet().stream())
            .filter(entry -> !entry.getValue().isEmpty())
            .map(Map.Entry::getKey)
            .filter(
                of ->
                    !of.namespace().equals(trial.getMetadata().getNamespace())
                        || !own.contains(of.sparkApplicationId()))
            .map(of -> of.namespace() + "/" + of.sparkApplicationId())
            .distinct()
            .sorted()
            .collect(Collectors.toList()));
  }

  /** How busy the nodes of a profile are, as far as their agents report it, by node. */
  SortedMap<String, Load> loads(String profile) {
    SortedMap<String, Load> loads = new TreeMap<>();
    board.nodes(profile).stream()
        .map(count -> count.slots().node())
        .forEach(
            node ->
                agents
                    .of(node)
                    .map(SparkNodeTopology::getStatus)
                    .map(SparkNodeTopologyStatus::load)
                    .ifPresent(load -> loads.put(node, load)));
    return loads;
  }

  private static RunSeen seen(SparkApplication run) {
    State state = stateOf(run.getStatus());
    return new RunSeen(
        Instant.parse(run.getMetadata().getCreationTimestamp()),
        state != null && ENDED.contains(state),
        state != null && (STARTED.contains(state) || ENDED.contains(state)),
        Optional.ofNullable(run.getStatus())
            .flatMap(status -> Conditions.named("Ready", status.conditions()))
            .map(condition -> condition.getMessage())
            .orElse("nothing is known of it"));
  }

  /** Whether profile, slots and knobs are as the run needs them. */
  private boolean isPlanned(
      SparkNodeProfile profile, TrialPlan plan, ActiveRun active, Instant now) {
    SparkNodeProfileSpec spec =
        ProfileVariant.of(profile.getSpec(), plan.arm(active.arm()).variant());
    if (!plans.isPlannedWith(profile.getMetadata().getName(), spec)) {
      return false;
    }
    boolean knobs =
        !Objects.equals(spec.prefetch(), profile.getSpec().prefetch())
            || !Objects.equals(spec.memory(), profile.getSpec().memory());
    return !knobs
        || now.isAfter(Instant.parse(active.since()).plus(LEAST_KNOB_TIME))
            && Optional.ofNullable(profile.getStatus())
                .flatMap(status -> Conditions.named("KnobsApplied", status.conditions()))
                .filter(condition -> !"True".equals(condition.getStatus()))
                .isEmpty();
  }
}
