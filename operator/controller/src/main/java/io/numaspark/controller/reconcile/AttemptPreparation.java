package io.numaspark.controller.reconcile;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.controller.lifecycle.StartGate;
import io.numaspark.controller.lifecycle.StartGate.Answer;
import io.numaspark.controller.lifecycle.StartGate.TooEarly;
import io.numaspark.controller.lifecycle.StartGate.Waiting;
import io.numaspark.controller.reconcile.ProfileLookup.Found;
import io.numaspark.controller.reconcile.ProfileLookup.Missing;
import io.numaspark.controller.reconcile.ProfileLookup.Ready;
import io.numaspark.controller.status.Diagnosis;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;

/** Makes the manifests of an attempt, if its profile, its spec and its slots allow it. */
final class AttemptPreparation {
  private final ApplicationRenderer renderer;
  private final ProfileLookup profiles;
  private final StartGate gate;

  AttemptPreparation(ApplicationRenderer renderer, ProfileLookup profiles, StartGate gate) {
    this.renderer = renderer;
    this.profiles = profiles;
    this.gate = gate;
  }

  /** What a preparation came to. */
  sealed interface Prepared {}

  /** The attempt can be started. */
  record Startable(Manifests manifests) implements Prepared {}

  /** Something is missing that may come. */
  record Held(Diagnosis why) implements Prepared {}

  /** The spec contradicts itself or its profile. */
  record Contradiction(Diagnosis why) implements Prepared {}

  /** The operator has just started and does not know yet. */
  record NotYetKnown() implements Prepared {}

  /** Prepares an attempt that is to be started. */
  Prepared start(SparkApplication application, int attempt) {
    Prepared prepared = resume(application, attempt);
    if (!(prepared instanceof Startable startable)) {
      return prepared;
    }
    Answer answer = gate.mayStart(application, startable.manifests());
    if (answer instanceof Waiting waiting) {
      return new Held(Diagnosis.passedOn(waiting.reason(), waiting.message()));
    }
    return answer instanceof TooEarly ? new NotYetKnown() : startable;
  }

  /** Prepares an attempt that was admitted before. */
  Prepared resume(SparkApplication application, int attempt) {
    Found profile = profiles.find(application.getSpec());
    if (profile instanceof Missing missing) {
      return new Held(missing.why());
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
