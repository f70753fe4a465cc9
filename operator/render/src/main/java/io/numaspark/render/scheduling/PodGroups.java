package io.numaspark.render.scheduling;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.BatchSchedulerOptions;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.OwnedMetadata;
import io.numaspark.render.application.PodAdditions;
import io.numaspark.render.text.ResourceNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A PodGroup for Volcano (scheduling.volcano.sh/v1beta1) or for a kube-scheduler with the
 * coscheduling plugin (scheduling.x-k8s.io/v1alpha1).
 *
 * <p>Its minMember is 1 and its minResources are those of the driver and of the executors to start
 * with: Volcano's enqueue action and the plugin's PreFilter hold the driver back until so much is
 * free in the cluster.
 *
 * <p>Limit: both compare sums over the cluster, so a driver may start although no single node has
 * room for an executor; with a profile spec.start: AllOrNothing counts slots instead.
 */
public final class PodGroups {
  private static final String VOLCANO_GROUP = "scheduling.k8s.io/group-name";

  /** Volcano's numa-aware plugin then looks for nodes with room in one NUMA node. */
  private static final Map<String, String> VOLCANO_NUMA =
      Map.of("volcano.sh/numa-topology-policy", "single-numa-node");

  private static final String COSCHEDULING_GROUP = "scheduling.x-k8s.io/pod-group";

  private PodGroups() {}

  static Contribution volcano(
      SparkApplicationSpec spec, ApplicationIdentity identity, BatchScheduling.Pods pods) {
    BatchSchedulerOptions options = BatchScheduling.options(spec);
    SortedMap<String, Object> group = minimum(options, pods);
    if (options.queue() != null) {
      group.put("queue", options.queue());
    }
    if (options.priorityClassName() != null) {
      group.put("priorityClassName", options.priorityClassName());
    }
    Map<String, String> member = Map.of(VOLCANO_GROUP, name(identity));
    SortedMap<String, String> executor = new TreeMap<>(member);
    if (spec.nodeProfile() != null) {
      executor.putAll(VOLCANO_NUMA);
    }
    Optional<String> priority = Optional.ofNullable(options.priorityClassName());
    return Contribution.NONE
        .withObjects(
            List.of(podGroup(PodGroupApi.VOLCANO.apiVersion(Optional.empty()), identity, group)))
        .withDriver(PodAdditions.scheduled(Map.of(), member, BatchScheduling.VOLCANO, priority))
        .withExecutor(
            PodAdditions.scheduled(Map.of(), executor, BatchScheduling.VOLCANO, priority));
  }

  static Contribution coscheduling(
      SparkApplicationSpec spec, ApplicationIdentity identity, BatchScheduling.Pods pods) {
    BatchSchedulerOptions options = BatchScheduling.options(spec);
    PodAdditions member =
        PodAdditions.scheduled(
            Map.of(COSCHEDULING_GROUP, name(identity)),
            Map.of(),
            spec.batchScheduler(),
            Optional.ofNullable(options.priorityClassName()));
    return Contribution.NONE
        .withObjects(
            List.of(
                podGroup(
                    PodGroupApi.COSCHEDULING.apiVersion(Optional.empty()),
                    identity,
                    minimum(options, pods))))
        .withDriver(member)
        .withExecutor(member);
  }

  private static SortedMap<String, Object> minimum(
      BatchSchedulerOptions options, BatchScheduling.Pods pods) {
    SortedMap<String, Object> minimum = new TreeMap<>();
    minimum.put("minMember", 1);
    minimum.put(
        "minResources",
        options.resources() != null && !options.resources().isEmpty()
            ? given(options.resources())
            : PodRequests.ofDriver(pods.driver())
                .plus(pods.executorRequests().times(pods.count()))
                .quantities());
    return minimum;
  }

  private static SortedMap<String, String> given(Map<String, Quantity> resources) {
    SortedMap<String, String> given = new TreeMap<>();
    resources.forEach((name, amount) -> given.put(name, amount.toString()));
    return given;
  }

  static GenericKubernetesResource podGroup(
      String apiVersion, ApplicationIdentity identity, SortedMap<String, Object> spec) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion(apiVersion)
        .withKind(PodGroupApi.KIND)
        .withMetadata(OwnedMetadata.of(identity, name(identity)).build())
        .addToAdditionalProperties("spec", spec)
        .build();
  }

  static String name(ApplicationIdentity identity) {
    return ResourceNames.named(identity.name(), "-pg", identity.attempt());
  }
}
