package io.numaspark.controller.lifecycle;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.application.RenderResult.Manifests;

/** Decides whether a driver may be started now, for example when its executors need slots. */
@FunctionalInterface
public interface StartGate {

  /** Lets every application start. */
  StartGate OPEN = (application, manifests) -> new Admitted();

  /**
   * Asked before the intent to start is written, again at every event of the application, and at
   * least every 15 seconds while it waits.
   */
  Answer mayStart(SparkApplication application, Manifests manifests);

  /** The answer of a gate. */
  sealed interface Answer {}

  /** The driver may be started. */
  record Admitted() implements Answer {}

  /** Too early to say: the operator has just started. */
  record TooEarly() implements Answer {}

  /**
   * The application stays as it is, and its condition Ready shows why.
   *
   * @param reason CamelCase
   * @param message what it waits for
   */
  record Waiting(String reason, String message) implements Answer {}
}
