package io.numaspark.controller.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.config.Cloner;
import io.numaspark.api.v1alpha1.SparkApplication;

/**
 * Copies an application before each reconciliation by sharing what nobody changes: its spec and
 * status are records. The framework's own way is to write it as JSON and to read that.
 *
 * <p>Limit: other kinds are copied as the framework does it.
 */
public record SharingCloner(Cloner others) implements Cloner {
  @Override
  @SuppressWarnings("unchecked")
  public <R extends HasMetadata> R clone(R object) {
    return object instanceof SparkApplication application
        ? (R) copy(application)
        : others.clone(object);
  }

  private static SparkApplication copy(SparkApplication application) {
    SparkApplication copy = new SparkApplication();
    copy.setMetadata(new ObjectMetaBuilder(application.getMetadata()).build());
    copy.setSpec(application.getSpec());
    copy.setStatus(application.getStatus());
    return copy;
  }
}
