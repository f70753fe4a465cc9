package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.Labels;
import java.util.Optional;

/**
 * A PodDisruptionBudget that keeps `kubectl drain` and the cluster autoscaler from evicting the
 * driver, and the whole application with it (spec.driverPodDisruptionBudget).
 *
 * <p>Limit: it ends with the application, not with the driver; a driver that has ended needs no
 * budget and blocks no drain, as finished pods are not evicted.
 */
final class DriverProtection {
  private DriverProtection() {}

  static Optional<PodDisruptionBudget> of(SparkApplicationSpec spec, ApplicationIdentity identity) {
    return Boolean.TRUE.equals(spec.driverPodDisruptionBudget())
        ? Optional.of(
            new PodDisruptionBudgetBuilder()
                .withMetadata(OwnedMetadata.of(identity, identity.names().driverPod()).build())
                .withNewSpec()
                .withMinAvailable(new IntOrString(1))
                .withNewSelector()
                .withMatchLabels(OwnedMetadata.selector(identity, Labels.ROLE_DRIVER))
                .endSelector()
                .endSpec()
                .build())
        : Optional.empty();
  }
}
