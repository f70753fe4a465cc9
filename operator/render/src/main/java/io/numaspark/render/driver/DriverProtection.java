package io.numaspark.render.driver;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.OwnedMetadata;
import io.numaspark.render.application.Request;
import io.numaspark.render.text.Labels;
import java.util.List;

/**
 * A PodDisruptionBudget that keeps `kubectl drain` and the cluster autoscaler from evicting the
 * driver, and the whole application with it (spec.driverPodDisruptionBudget).
 *
 * <p>Limit: it ends with the application, not with the driver; a driver that has ended needs no
 * budget and blocks no drain, as finished pods are not evicted.
 */
public final class DriverProtection implements Concern {

  @Override
  public Contribution contribution(Request request) {
    return Boolean.TRUE.equals(request.spec().driverPodDisruptionBudget())
        ? Contribution.NONE.withObjects(List.of(budget(request.identity())))
        : Contribution.NONE;
  }

  private static PodDisruptionBudget budget(ApplicationIdentity identity) {
    return new PodDisruptionBudgetBuilder()
        .withMetadata(OwnedMetadata.of(identity, identity.names().driverPod()).build())
        .withNewSpec()
        .withMinAvailable(new IntOrString(1))
        .withNewSelector()
        .withMatchLabels(OwnedMetadata.selector(identity, Labels.ROLE_DRIVER))
        .endSelector()
        .endSpec()
        .build();
  }
}
