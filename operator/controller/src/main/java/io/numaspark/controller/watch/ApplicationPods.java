package io.numaspark.controller.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.SecondaryToPrimaryMapper;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.controller.observe.AttemptPods;
import io.numaspark.controller.store.EndedPods;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.text.Labels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The watch of the pods of applications; those of an attempt are found by index. */
public final class ApplicationPods implements AttemptPods {
  private static final String EXECUTORS = "executors";

  private final KubernetesClient watching;
  private final KubernetesClient client;
  private final EndedPods ended;
  private volatile InformerEventSource<Pod, SparkApplication> pods;

  /**
   * Pods.
   *
   * @param watching that pods are watched with
   * @param client asked where the cache may lag behind our own writes
   */
  public ApplicationPods(KubernetesClient watching, KubernetesClient client, EndedPods ended) {
    this.watching = watching;
    this.client = client;
    this.ended = ended;
  }

  /**
   * Makes the watch.
   *
   * @param applicationOf every version of every pod passes there
   */
  EventSource<Pod, SparkApplication> source(
      EventSourceContext<SparkApplication> context, SecondaryToPrimaryMapper<Pod> applicationOf) {
    pods =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Pod.class, SparkApplication.class)
                .withKubernetesClient(watching)
                .withName("pods")
                .withLabelSelector(
                    Labels.APPLICATION + "," + Labels.MANAGED_BY + "=" + Labels.MANAGER)
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(applicationOf)
                .build(),
            context);
    pods.addIndexers(Map.of(EXECUTORS, ApplicationPods::executorOf));
    return pods;
  }

  /** Keeps how a pod of a followed attempt ended: it may be gone before it is looked at. */
  void see(SparkApplication application, Pod pod) {
    ended.see(application, pod);
  }

  /** The executors on a node, of whatever application; none before the pods are read. */
  Stream<Pod> executorsOn(String node) {
    return pods == null || !pods.isRunning()
        ? Stream.of()
        : pods.list()
            .filter(pod -> node.equals(pod.getSpec().getNodeName()))
            .filter(
                pod ->
                    Labels.ROLE_EXECUTOR.equals(
                        pod.getMetadata().getLabels().get(Labels.SPARK_ROLE)));
  }

  @Override
  public Optional<Pod> cachedDriver(ApplicationIdentity attempt) {
    return pods.get(new ResourceID(attempt.names().driverPod(), attempt.namespace()));
  }

  @Override
  public Optional<Pod> liveDriver(ApplicationIdentity attempt) {
    return Optional.ofNullable(
        client.pods().inNamespace(attempt.namespace()).withName(attempt.names().driverPod()).get());
  }

  @Override
  public Optional<Pod> lastDriver(ApplicationIdentity attempt) {
    return ended.driver(attempt.namespace(), attempt.names().sparkAppId());
  }

  @Override
  public List<Pod> executors(ApplicationIdentity attempt) {
    return pods.byIndex(EXECUTORS, key(attempt.namespace(), attempt.names().sparkAppId()));
  }

  @Override
  public List<Pod> failedExecutors(ApplicationIdentity attempt) {
    return ended.failedExecutors(attempt.namespace(), attempt.names().sparkAppId());
  }

  @Override
  public void counted(ApplicationIdentity attempt, List<Pod> counted) {
    ended.counted(attempt.namespace(), attempt.names().sparkAppId(), counted);
  }

  @Override
  public void forget(String namespace, String sparkAppId) {
    ended.forget(namespace, sparkAppId);
  }

  private static List<String> executorOf(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return Labels.ROLE_EXECUTOR.equals(labels.get(Labels.SPARK_ROLE))
            && labels.containsKey(Labels.SPARK_APP_SELECTOR)
        ? List.of(key(pod.getMetadata().getNamespace(), labels.get(Labels.SPARK_APP_SELECTOR)))
        : List.of();
  }

  private static String key(String namespace, String sparkAppId) {
    return namespace + "/" + sparkAppId;
  }
}
