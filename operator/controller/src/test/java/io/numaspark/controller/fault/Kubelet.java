package io.numaspark.controller.fault;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.numaspark.render.text.Labels;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/** Plays the kubelet of every driver pod in a namespace: it runs for a moment and then exits. */
public final class Kubelet implements AutoCloseable {
  private static final long RUN_MILLIS = 200;

  private final KubernetesClient client;
  private final ToIntFunction<Pod> exitCode;
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
  private final SharedIndexInformer<Pod> pods;
  private final Map<String, Set<String>> driversOfAttempt = new ConcurrentHashMap<>();

  /**
   * Starts at once.
   *
   * @param exitCode what a driver exits with
   */
  public Kubelet(KubernetesClient client, String namespace, ToIntFunction<Pod> exitCode) {
    this.client = client;
    this.exitCode = exitCode;
    this.pods =
        client
            .pods()
            .inNamespace(namespace)
            .withLabel(Labels.SPARK_ROLE, Labels.ROLE_DRIVER)
            .inform(
                new ResourceEventHandler<>() {
                  @Override
                  public void onAdd(Pod pod) {
                    run(pod);
                  }

                  @Override
                  public void onUpdate(Pod before, Pod pod) {
                    if (pod.getMetadata().getDeletionTimestamp() != null) {
                      end(pod);
                    }
                  }

                  @Override
                  public void onDelete(Pod pod, boolean unknown) {
                    // It ran or it did not: nothing is left to do.
                  }
                });
  }

  /**
   * The driver pods that ever existed, by Spark application id, which each attempt has its own of.
   */
  public Map<String, Set<String>> driversOfAttempt() {
    return driversOfAttempt;
  }

  private void run(Pod pod) {
    driversOfAttempt
        .computeIfAbsent(
            pod.getMetadata().getLabels().get(Labels.SPARK_APP_SELECTOR),
            id -> new ConcurrentSkipListSet<>())
        .add(pod.getMetadata().getUid());
    setStatus(pod, "Running", null);
    clock.schedule(
        () -> {
          int code = exitCode.applyAsInt(pod);
          setStatus(pod, code == 0 ? "Succeeded" : "Failed", code);
        },
        RUN_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  private void setStatus(Pod pod, String phase, Integer exit) {
    String containers =
        exit == null
            ? "[]"
            : """
              [{"name": "%s", "image": "i", "imageID": "i", "ready": false, "restartCount": 0,
                "state": {"terminated": {"exitCode": %d}}}]
              """
                .formatted(Labels.DRIVER_CONTAINER, exit);
    try {
      client
          .pods()
          .inNamespace(pod.getMetadata().getNamespace())
          .withName(pod.getMetadata().getName())
          .subresource("status")
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              "{\"status\": {\"phase\": \"%s\", \"containerStatuses\": %s}}"
                  .formatted(phase, containers));
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  /** No kubelet confirms that a bound pod has ended; pods here are not bound, so they just go. */
  private void end(Pod pod) {
    client.pods().resource(pod).withGracePeriod(0).delete();
  }

  @Override
  public void close() {
    pods.close();
    clock.shutdownNow();
  }
}
