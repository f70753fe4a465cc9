package io.numaspark.controller.apply;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.render.text.Labels;
import java.util.Map;
import java.util.Optional;

/** Writes a trial and its SparkApplications, in a way that is safe to repeat. */
public record TrialRuns(KubernetesClient client) {

  /** Creates a run; why the API server does not take it, or empty if it exists. */
  public Optional<String> create(
      SparkTrial trial, String name, String arm, SparkApplicationSpec spec) {
    return new OwnedRuns(client)
        .create(trial, new OwnedRuns.Run(name, Labels.TRIAL, Map.of(Labels.TRIAL_ARM, arm), spec));
  }

  /** Deletes a run; one that is gone is not an error. Its driver goes with it. */
  public void delete(SparkApplication run) {
    new OwnedRuns(client).delete(run.getMetadata().getNamespace(), run.getMetadata().getName());
  }

  /** Writes the status of a trial as it was read, and returns the trial as it is then. */
  public SparkTrial writeStatus(SparkTrial read, SparkTrialStatus status) {
    return WholeStatus.replace(client, read, new SparkTrial(), status);
  }

  /** Deletes a trial as it was read, with its result. */
  public void delete(SparkTrial trial) {
    client.resource(trial).lockResourceVersion(trial.getMetadata().getResourceVersion()).delete();
  }
}
