package io.numaspark.controller.reconcile;

import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.numaspark.api.v1alpha1.SparkApplication;
import java.util.function.Consumer;

/** Has applications looked at, and tells of those that were deleted. */
final class ApplicationEvents extends SimpleInboundEventSource<SparkApplication>
    implements ResourceEventAware<SparkApplication> {
  private final Consumer<SparkApplication> deleted;

  ApplicationEvents(String name, Consumer<SparkApplication> deleted) {
    super(name);
    this.deleted = deleted;
  }

  @Override
  public void onResourceDeleted(SparkApplication application) {
    deleted.accept(application);
  }
}
