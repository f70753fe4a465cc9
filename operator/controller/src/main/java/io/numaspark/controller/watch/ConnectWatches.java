package io.numaspark.controller.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.render.application.OwnedMetadata;
import io.numaspark.render.connect.ConnectApplication;
import io.numaspark.render.text.Labels;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is watched for SparkConnects: themselves, their applications and Services, and drivers.
 *
 * <p>The application's status does not say whether its driver's pod is ready. Limit: drivers of
 * other applications are in the cache too.
 */
public final class ConnectWatches {
  private final KubernetesClient podClient;
  private volatile IndexerResourceCache<SparkConnect> connects;
  private volatile InformerEventSource<SparkApplication, SparkConnect> applications;
  private volatile InformerEventSource<Service, SparkConnect> services;
  private volatile InformerEventSource<Pod, SparkConnect> drivers;

  /**
   * Watches.
   *
   * @param podClient that pods are watched with
   */
  public ConnectWatches(KubernetesClient podClient) {
    this.podClient = podClient;
  }

  /** Makes the event sources. */
  public List<EventSource<?, SparkConnect>> prepare(EventSourceContext<SparkConnect> context) {
    connects = context.getPrimaryCache();
    applications =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkApplication.class, SparkConnect.class)
                .withName("applications")
                .withLabelSelector(Labels.CONNECT)
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(SparkConnect.class))
                .build(),
            context);
    services =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Service.class, SparkConnect.class)
                .withName("services")
                .withLabelSelector(Labels.CONNECT)
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(SparkConnect.class))
                .build(),
            context);
    drivers =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Pod.class, SparkConnect.class)
                .withKubernetesClient(podClient)
                .withName("drivers")
                .withLabelSelector(
                    "%s,%s=%s,%s=%s"
                        .formatted(
                            Labels.APPLICATION,
                            Labels.SPARK_ROLE,
                            Labels.ROLE_DRIVER,
                            Labels.MANAGED_BY,
                            Labels.MANAGER))
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(this::connectOf)
                .build(),
            context);
    return List.of(applications, services, drivers);
  }

  private Set<ResourceID> connectOf(Pod pod) {
    return ConnectApplication.connectOf(pod.getMetadata().getLabels().get(Labels.APPLICATION))
        .map(name -> new ResourceID(name, pod.getMetadata().getNamespace()))
        .filter(id -> connects.get(id).isPresent())
        .map(Set::of)
        .orElse(Set.of());
  }

  /** Its application. */
  public Optional<SparkApplication> application(SparkConnect connect) {
    return applications.get(id(connect)).filter(found -> OwnedMetadata.isOf(connect, found));
  }

  /** Its Service. */
  public Optional<Service> service(SparkConnect connect) {
    return services.get(id(connect)).filter(found -> OwnedMetadata.isOf(connect, found));
  }

  /** The pod of an application's current driver. */
  public Optional<Pod> driver(SparkApplication application) {
    return Optional.ofNullable(application.getStatus())
        .map(SparkApplicationStatus::driverInfo)
        .filter(driver -> driver.podName() != null)
        .flatMap(
            driver ->
                drivers.get(
                    new ResourceID(driver.podName(), application.getMetadata().getNamespace())));
  }

  private static ResourceID id(SparkConnect connect) {
    return new ResourceID(ConnectApplication.name(connect), connect.getMetadata().getNamespace());
  }
}
