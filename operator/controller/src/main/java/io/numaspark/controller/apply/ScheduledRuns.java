package io.numaspark.controller.apply;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.render.text.Labels;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Creates and deletes the SparkApplications of a schedule, in a way that is safe to repeat. */
public record ScheduledRuns(KubernetesClient client) {

  /** Creates the run of a time; why the API server does not take it, or empty if it exists. */
  public Optional<String> create(ScheduledSparkApplication schedule, String name, Instant time) {
    return new OwnedRuns(client)
        .create(
            schedule,
            new OwnedRuns.Run(
                name,
                Labels.SCHEDULE,
                Map.of(Labels.SCHEDULED_TIME, time.toString()),
                schedule.getSpec().template()));
  }

  /** Deletes a run; one that is gone is not an error. Its driver goes with it. */
  public void delete(String namespace, String name) {
    new OwnedRuns(client).delete(namespace, name);
  }
}
