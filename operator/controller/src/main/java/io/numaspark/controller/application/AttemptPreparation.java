package io.numaspark.controller.application;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.controller.application.ProfileLookup.Found;
import io.numaspark.controller.application.ProfileLookup.Missing;
import io.numaspark.controller.application.ProfileLookup.Ready;
import io.numaspark.controller.apply.WorkloadQueue;
import io.numaspark.controller.slots.StartDecision;
import io.numaspark.controller.slots.StartDecision.Admitted;
import io.numaspark.controller.slots.StartDecision.Waiting;
import io.numaspark.controller.status.ApplicationReason;
import io.numaspark.controller.store.QuotaGate;
import io.numaspark.controller.store.TrialLocks;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.Preparation;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.proof.Diagnosis;
import io.numaspark.render.scheduling.KueueWorkload;
import io.numaspark.render.scheduling.PodGroupApi;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes the manifests of an attempt, if its profile, its spec, its batch scheduler and its slots
 * allow it.
 *
 * <p>An application that contradicts itself is refused at once and not when its turn comes. What
 * waits for slots has no manifests: the gate needs only the executors that are requested.
 *
 * @param queue in which applications wait for quota that somebody else gives
 * @param podGroups the apiVersion of a batch scheduler's PodGroup that the API server serves now
 */
public record AttemptPreparation(
    ApplicationRenderer renderer,
    ProfileLookup profiles,
    QuotaGate quotas,
    StartGate gate,
    TrialLocks trials,
    WorkloadQueue queue,
    Function<PodGroupApi, Optional<String>> podGroups) {

  /** What a preparation came to. */
  sealed interface Prepared {}

  /** The attempt can be started. */
  record Startable(Manifests manifests) implements Prepared {}

  /** Something is missing that may come. */
  record Blocked(Diagnosis why) implements Prepared {}

  /** The spec contradicts itself or its profile. */
  record Contradiction(Diagnosis why) implements Prepared {}

  /** The operator has just started and does not know yet. */
  record NotYetKnown() implements Prepared {}

  /** Prepares an attempt that is to be started. */
  Prepared start(SparkApplication application, int attempt) {
    return prepared(application, attempt, true);
  }

  /** Prepares an attempt that was admitted before. */
  Prepared resume(SparkApplication application, int attempt) {
    return prepared(application, attempt, false);
  }

  private Prepared prepared(SparkApplication application, int attempt, boolean gated) {
    Found profile = profiles.find(application.getSpec());
    if (profile instanceof Missing missing) {
      return new Blocked(missing.why());
    }
    if (!(profile instanceof Ready ready)) {
      return new NotYetKnown();
    }
    Preparation asked = renderer.prepare(application, ready.context(), attempt);
    if (asked instanceof Refusal refusal) {
      return new Contradiction(Diagnosis.passedOn(refusal.reason(), refusal.message()));
    }
    Request request = (Request) asked;
    Optional<PodGroupApi> api = PodGroupApi.of(application.getSpec());
    Optional<String> podGroup = api.flatMap(podGroups);
    if (api.isPresent() && podGroup.isEmpty()) {
      return new Blocked(missing(api.get(), application.getSpec()));
    }
    if (gated && !trials.isLoaded()) {
      return new NotYetKnown();
    }
    Optional<Diagnosis> held = gated ? trialHolds(application) : Optional.empty();
    if (held.isPresent()) {
      return new Blocked(held.get());
    }
    Optional<Diagnosis> queued = gated ? queued(application, request) : Optional.empty();
    if (queued.isPresent()) {
      return new Blocked(queued.get());
    }
    StartDecision decision =
        gated ? mayStart(application, attempt, request, ready) : new Admitted();
    if (decision instanceof Admitted) {
      return new Startable(renderer.fold(podGroup.map(request::withPodGroups).orElse(request)));
    }
    return decision instanceof Waiting waiting
        ? new Blocked(Diagnosis.passedOn(waiting.reason(), waiting.message()))
        : new NotYetKnown();
  }

  /**
   * The quota is asked first, because the gate keeps slots for whom it lets through; and again
   * after it, because who waits for slots needs nothing of the quota yet.
   */
  private StartDecision mayStart(
      SparkApplication application, int attempt, Request request, Ready profile) {
    long slots = slots(request.executors());
    Optional<Waiting> refused = quotas.refusal(application, attempt, slots);
    if (refused.isPresent()) {
      return refused.get();
    }
    StartDecision decision =
        gate.mayStart(application, attempt, request.executors(), profile.context());
    return decision instanceof Admitted
        ? quotas
            .claim(application, attempt, slots)
            .<StartDecision>map(Function.identity())
            .orElse(decision)
        : decision;
  }

  private static long slots(ExecutorRequest executors) {
    return executors
        .pinned()
        .map(pinned -> (long) executors.instances() * pinned.slots())
        .orElse(0L);
  }

  private static Diagnosis missing(PodGroupApi api, SparkApplicationSpec spec) {
    return new Diagnosis(ApplicationReason.BATCH_SCHEDULER_MISSING, api.missing(spec));
  }

  /**
   * Before slots are promised, because who waits for quota may wait for long. Its Workload follows
   * from the finished pods.
   */
  private Optional<Diagnosis> queued(SparkApplication application, Request request) {
    if (!queue.isFor(application)) {
      return Optional.empty();
    }
    Optional<String> refusal = KueueWorkload.refusal(request);
    if (refusal.isPresent()) {
      return Optional.of(new Diagnosis(ApplicationReason.KUEUE_NEEDS_MAXIMUM, refusal.get()));
    }
    return queue
        .waitsFor(
            application,
            KueueWorkload.of(
                KueueWorkload.queue(application).orElseThrow(), request, renderer.fold(request)))
        .map(why -> new Diagnosis(ApplicationReason.WAITING_FOR_KUEUE, why));
  }

  /** Whether a trial has the nodes that the application wants, and it is not one of its runs. */
  private Optional<Diagnosis> trialHolds(SparkApplication application) {
    return Optional.ofNullable(application.getSpec().nodeProfile())
        .flatMap(trials::holder)
        .filter(holder -> !isRunOf(application, holder))
        .map(
            holder ->
                new Diagnosis(
                    ApplicationReason.TRIAL_HOLDS_NODES,
                    "SparkTrial %s has the nodes of profile %s for itself; to let others start, set its spec.suspend"
                        .formatted(holder, application.getSpec().nodeProfile())));
  }

  /**
   * Somebody in the trial's namespace may say so of another application; that disturbs only his own
   * trial, which sees its executors.
   */
  private static boolean isRunOf(SparkApplication application, TrialLocks.Holder holder) {
    return holder.namespace().equals(application.getMetadata().getNamespace())
        && application.getMetadata().getOwnerReferences().stream()
            .anyMatch(owner -> holder.uid().equals(owner.getUid()));
  }
}
