package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.controller.observe.AttemptPods;
import io.numaspark.controller.observe.DriverPods;
import io.numaspark.controller.observe.FailedExecutors;
import io.numaspark.controller.observe.LastDrivers;
import io.numaspark.render.Labels;
import io.numaspark.render.application.ApplicationIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pods of attempts from the informer's cache, found by index and not by looking at all. */
final class CachedPods implements AttemptPods {
  private static final String EXECUTORS = "executors";

  private final InformerEventSource<Pod, SparkApplication> pods;
  private final FailedExecutors failed;
  private final LastDrivers ended;
  private final DriverPods live;

  CachedPods(
      InformerEventSource<Pod, SparkApplication> pods,
      FailedExecutors failed,
      LastDrivers ended,
      DriverPods live) {
    this.pods = pods;
    this.failed = failed;
    this.ended = ended;
    this.live = live;
    pods.addIndexers(Map.of(EXECUTORS, CachedPods::executorOf));
  }

  @Override
  public Optional<Pod> cachedDriver(ApplicationIdentity attempt) {
    return pods.get(new ResourceID(attempt.names().driverPod(), attempt.namespace()));
  }

  @Override
  public Optional<Pod> liveDriver(ApplicationIdentity attempt) {
    return live.find(attempt.namespace(), attempt.names().driverPod());
  }

  @Override
  public Optional<Pod> lastDriver(ApplicationIdentity attempt) {
    return ended.of(attempt.namespace(), attempt.names().sparkAppId());
  }

  @Override
  public List<Pod> executors(ApplicationIdentity attempt) {
    return pods.byIndex(EXECUTORS, key(attempt.namespace(), attempt.names().sparkAppId()));
  }

  @Override
  public List<Pod> failedExecutors(ApplicationIdentity attempt) {
    return failed.of(attempt.namespace(), attempt.names().sparkAppId());
  }

  @Override
  public void counted(ApplicationIdentity attempt, List<Pod> counted) {
    failed.counted(attempt.namespace(), attempt.names().sparkAppId(), counted);
  }

  @Override
  public void forget(String namespace, String sparkAppId) {
    failed.forget(namespace, sparkAppId);
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
