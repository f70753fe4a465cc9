package io.numaspark.render.scheduling;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.PodAdditions;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The executors of an attempt as a gang of kube-scheduler itself: a PodGroup of scheduling.k8s.io,
 * which each executor names in its spec.schedulingGroup. They are placed all or none.
 *
 * <p>The driver is outside, because it creates the members. The scheduler looks at no member before
 * minCount of them exist, and counts those that run already. So a gang must never be larger than
 * the number of executors that Spark keeps up: with dynamic allocation that is its minimum.
 *
 * <p>Limit: lost executors come back together, or wait together; those that are left go on.
 */
final class KubernetesGang {
  /** Below one of these Spark stops creating pods, of which a waiting gang has many. */
  private static final List<String> LIMITS =
      List.of(
          "spark.kubernetes.allocation.maxPendingPods",
          "spark.kubernetes.allocation.maxPendingPodsPerRp",
          "spark.kubernetes.allocation.maximum");

  private static final String MIN_MEMBER = "spec.batchSchedulerOptions.minMember";

  private KubernetesGang() {}

  /** Why the gang could never be complete. */
  static Optional<Refusal> refusal(Request request) {
    int members = members(request);
    int lasting = lasting(request.executors());
    if (members > lasting) {
      return refuse(RefusalReason.SPEC_INVALID, tooLarge(request, members, lasting));
    }
    for (String limit : LIMITS) {
      String given = request.userConf().get(limit);
      if (given != null && given.matches("[0-9]{1,9}") && Integer.parseInt(given) < members) {
        return refuse(
            RefusalReason.SPARK_CONF_REFUSED,
            "spec.sparkConf[\"%s\"]: is %s, but %d executors wait for each other, so that Spark would never create all of them; give at least %d, or lower %s"
                .formatted(limit, given, members, members, MIN_MEMBER));
      }
    }
    return Optional.empty();
  }

  private static String tooLarge(Request request, int members, int lasting) {
    if (request.executors().range().isEmpty()) {
      return "%s: is %d, but the application has %d executors, which would wait forever; give at most %d"
          .formatted(MIN_MEMBER, members, lasting, lasting);
    }
    String remedy = lasting == 0 ? "remove it" : "give at most " + lasting;
    return "%s: is %d, but dynamic allocation keeps %d executors, and fewer than minMember are never scheduled; %s, or raise spec.dynamicAllocation.minExecutors"
        .formatted(MIN_MEMBER, members, lasting, remedy);
  }

  static Contribution of(Request request, Pod executor) {
    int members = members(request);
    if (members == 0) {
      return Contribution.ofWarnings(
          List.of(
              "spec.batchScheduler: has no effect: dynamic allocation may keep no executor, so that"
                  + " none waits for others; give spec.dynamicAllocation.minExecutors"));
    }
    Optional<String> priority =
        Optional.ofNullable(BatchScheduling.options(request.spec()).priorityClassName());
    SortedMap<String, Object> group = new TreeMap<>();
    group.put("schedulingPolicy", Map.of("gang", Map.of("minCount", members)));
    // Kubernetes 1.37 places no group whose pods have another priority.
    Optional.ofNullable(executor.getSpec().getPriorityClassName())
        .or(() -> priority)
        .ifPresent(name -> group.put("priorityClassName", name));
    String apiVersion = PodGroupApi.KUBERNETES.apiVersion(request.policies().podGroupApiVersion());
    return Contribution.NONE
        .withObjects(List.of(PodGroups.podGroup(apiVersion, request.identity(), group)))
        .withDriver(PodAdditions.prioritised(priority))
        .withExecutor(
            PodAdditions.prioritised(priority)
                .inSchedulingGroup(PodGroups.name(request.identity())));
  }

  /** Executors that wait for each other; 0 for no gang. */
  private static int members(Request request) {
    Integer given = BatchScheduling.options(request.spec()).minMember();
    return given != null ? given : lasting(request.executors());
  }

  /** The executors that Spark replaces whenever one is lost, and never releases. */
  private static int lasting(ExecutorRequest executors) {
    return executors.range().map(ExecutorRequest.Range::minimum).orElse(executors.instances());
  }

  private static Optional<Refusal> refuse(RefusalReason reason, String message) {
    return Optional.of(new Refusal(reason, message));
  }
}
