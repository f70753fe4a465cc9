package io.numaspark.controller.application;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.controller.application.ProfileLookup.Found;
import io.numaspark.controller.application.ProfileLookup.Missing;
import io.numaspark.controller.application.ProfileLookup.Ready;
import io.numaspark.controller.slots.StartDecision;
import io.numaspark.controller.slots.StartDecision.Admitted;
import io.numaspark.controller.slots.StartDecision.Waiting;
import io.numaspark.controller.status.Diagnosis;
import io.numaspark.controller.store.CheckedApplications;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes the manifests of an attempt, if its profile, its spec and its slots allow it.
 *
 * <p>What waits for slots is rendered once to know that nothing is to be refused, and again when it
 * may start: an application that contradicts itself is refused at once and not when its turn comes.
 */
public record AttemptPreparation(
    Renderer renderer, ProfileLookup profiles, StartGate gate, CheckedApplications checked) {

  /** Makes the manifests of one attempt of an application. */
  @FunctionalInterface
  public interface Renderer {
    RenderResult render(
        SparkApplication application, Optional<ProfileContext> profile, int attempt);
  }

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
    Found found = profiles.find(application.getSpec());
    if (!(found instanceof Ready ready) || !StartGate.isAsked(application)) {
      return prepared(application, found, attempt);
    }
    Optional<ExecutorRequest> known = checked.of(application, attempt, ready.context());
    if (known.isPresent()) {
      return ask(
          application, attempt, ready, known.get(), () -> prepared(application, ready, attempt));
    }
    Prepared prepared = prepared(application, ready, attempt);
    return prepared instanceof Startable startable
        ? ask(application, attempt, ready, startable.manifests().executors(), () -> prepared)
        : prepared;
  }

  private Prepared ask(
      SparkApplication application,
      int attempt,
      Ready profile,
      ExecutorRequest executors,
      Supplier<Prepared> prepared) {
    StartDecision decision = gate.mayStart(application, attempt, executors);
    if (decision instanceof Admitted) {
      forget(application.getMetadata().getNamespace(), application.getMetadata().getName());
      return prepared.get();
    }
    checked.put(application, attempt, profile.context(), executors);
    return decision instanceof Waiting waiting
        ? new Blocked(Diagnosis.passedOn(waiting.reason(), waiting.message()))
        : new NotYetKnown();
  }

  /** Prepares an attempt that was admitted before. */
  Prepared resume(SparkApplication application, int attempt) {
    return prepared(application, profiles.find(application.getSpec()), attempt);
  }

  /** Forgets an application that is gone. */
  void forget(String namespace, String application) {
    checked.forget(namespace, application);
  }

  private Prepared prepared(SparkApplication application, Found profile, int attempt) {
    if (profile instanceof Missing missing) {
      return new Blocked(missing.why());
    }
    if (!(profile instanceof Ready ready)) {
      return new NotYetKnown();
    }
    RenderResult rendered = renderer.render(application, ready.context(), attempt);
    return rendered instanceof Refusal refusal
        ? new Contradiction(Diagnosis.passedOn(refusal.reason(), refusal.message()))
        : new Startable((Manifests) rendered);
  }
}
