package io.numaspark.render.scheduling;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.application.OwnedMetadata;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.Request;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.executors.ExecutorPodTemplate;
import io.numaspark.render.text.Labels;
import io.numaspark.render.text.ResourceNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The Workload (kueue.x-k8s.io/v1beta2) with which an application queues for quota of Kueue: a pod
 * set of its driver and one of its executors.
 *
 * <p>A pod set has what Kueue reads: the requests of a whole pod in one container, node selector,
 * tolerations and node affinity. Limit: with dynamic allocation the most executors count from the
 * start, because Spark does not wait for more.
 */
public final class KueueWorkload {
  public static final String API_VERSION = "kueue.x-k8s.io/v1beta2";
  public static final String KIND = "Workload";

  /** Label of an application with the name of a LocalQueue of its namespace. */
  public static final String QUEUE = "kueue.x-k8s.io/queue-name";

  /** Annotation by which it is seen that the application wants other pods, or another queue. */
  public static final String DIGEST = ApiGroup.NAME + "/workload-digest";

  private KueueWorkload() {}

  /** The queue that an application names. */
  public static Optional<String> queue(SparkApplication application) {
    return Optional.ofNullable(
        SparkProperties.orEmpty(application.getMetadata().getLabels()).get(QUEUE));
  }

  /** Name of the Workload of an application: one for all its attempts. */
  public static String name(String application) {
    return ResourceNames.named(application, "-kueue", 1);
  }

  /** Why an application cannot queue, with the remedy; empty if it can. */
  public static Optional<String> refusal(Request request) {
    return request.executors().mostInstances().isPresent()
        ? Optional.empty()
        : Optional.of(
            "spec.dynamicAllocation.maxExecutors: missing, so Kueue cannot know how much quota the executors need; give the most that may run");
  }

  /**
   * The Workload.
   *
   * @param queue name of the LocalQueue
   * @param manifests of the attempt that is to start
   */
  public static GenericKubernetesResource of(String queue, Request request, Manifests manifests) {
    List<Map<String, Object>> podSets = new ArrayList<>();
    Pod driver = manifests.driverPod();
    podSets.add(podSet(Labels.ROLE_DRIVER, 1, PodRequests.ofDriver(driver), driver.getSpec()));
    OptionalInt executors = request.executors().mostInstances();
    if (executors.orElse(0) > 0) {
      Pod template =
          Serialization.unmarshal(
              manifests.configuration().getData().get(ExecutorPodTemplate.FILE), Pod.class);
      podSets.add(
          podSet(
              Labels.ROLE_EXECUTOR,
              executors.getAsInt(),
              PodRequests.ofExecutor(template, request.executorPod()),
              template.getSpec()));
    }
    SortedMap<String, Object> spec = new TreeMap<>();
    spec.put("queueName", queue);
    spec.put("podSets", podSets);
    return new GenericKubernetesResourceBuilder()
        .withApiVersion(API_VERSION)
        .withKind(KIND)
        .withMetadata(
            OwnedMetadata.of(request.identity(), name(request.identity().name()))
                // It outlives an attempt.
                .withLabels(
                    Map.of(
                        Labels.APPLICATION,
                        request.identity().names().label(),
                        Labels.MANAGED_BY,
                        Labels.MANAGER))
                .withAnnotations(Map.of(DIGEST, digest(spec)))
                .build())
        .addToAdditionalProperties("spec", spec)
        .build();
  }

  private static Map<String, Object> podSet(
      String name, int count, PodRequests requests, PodSpec given) {
    SortedMap<String, Object> pod = new TreeMap<>();
    pod.put(
        "containers",
        List.of(Map.of("name", name, "resources", Map.of("requests", requests.quantities()))));
    pod.put("restartPolicy", "Never");
    if (given.getNodeSelector() != null && !given.getNodeSelector().isEmpty()) {
      pod.put("nodeSelector", new TreeMap<>(given.getNodeSelector()));
    }
    if (!given.getTolerations().isEmpty()) {
      pod.put("tolerations", given.getTolerations());
    }
    // Kueue does not read that to other pods, which has the name of the attempt in it.
    if (given.getAffinity() != null && given.getAffinity().getNodeAffinity() != null) {
      pod.put("affinity", Map.of("nodeAffinity", given.getAffinity().getNodeAffinity()));
    }
    return new TreeMap<>(Map.of("name", name, "count", count, "template", Map.of("spec", pod)));
  }

  /** Of the text, because the API server adds defaults to what it stores. */
  private static String digest(SortedMap<String, Object> spec) {
    return UUID.nameUUIDFromBytes(Serialization.asJson(spec).getBytes(StandardCharsets.UTF_8))
        .toString();
  }
}
