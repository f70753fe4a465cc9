package io.numaspark.render.scheduling;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.BatchSchedulerOptions;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.PodAdditions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * YuniKorn's task groups: it reserves a place for the driver and for every executor to start with,
 * by placeholder pods that must look like the real ones to the scheduler.
 *
 * <p>The labels applicationId and queue are understood by every YuniKorn; those under
 * yunikorn.apache.org only since 1.6.
 *
 * <p>Limit: YuniKorn wants the queues of gangs sorted first in, first out, and falls back to
 * ordinary scheduling if the gang is not complete after 15 minutes (its style Soft).
 */
final class TaskGroups {
  private static final String DRIVER = "spark-driver";
  private static final String EXECUTOR = "spark-executor";
  private static final String NAME = "yunikorn.apache.org/task-group-name";
  private static final String GROUPS = "yunikorn.apache.org/task-groups";

  private TaskGroups() {}

  static Contribution of(
      SparkApplicationSpec spec, ApplicationIdentity identity, BatchScheduling.Pods pods) {
    BatchSchedulerOptions options = BatchScheduling.options(spec);
    SortedMap<String, String> labels = new TreeMap<>();
    labels.put("applicationId", identity.names().sparkAppId());
    if (options.queue() != null) {
      labels.put("queue", options.queue());
    }
    SortedMap<String, String> driver = new TreeMap<>();
    driver.put(NAME, DRIVER);
    driver.put(GROUPS, Serialization.asJson(groups(pods)));
    Optional<String> priority = Optional.ofNullable(options.priorityClassName());
    // A name that no group has makes YuniKorn refuse the pod, so without a group it is left out.
    Map<String, String> executor = pods.count() > 0 ? Map.of(NAME, EXECUTOR) : Map.of();
    return Contribution.NONE
        .withDriver(PodAdditions.scheduled(labels, driver, BatchScheduling.YUNIKORN, priority))
        .withExecutor(PodAdditions.scheduled(labels, executor, BatchScheduling.YUNIKORN, priority));
  }

  /** A group of no members is refused, so dynamic allocation from 0 has the driver's only. */
  private static List<Map<String, Object>> groups(BatchScheduling.Pods pods) {
    List<Map<String, Object>> groups = new ArrayList<>();
    groups.add(group(DRIVER, 1, PodRequests.ofDriver(pods.driver()), pods.driver()));
    if (pods.count() > 0) {
      groups.add(group(EXECUTOR, pods.count(), pods.executorRequests(), pods.executor()));
    }
    return groups;
  }

  private static Map<String, Object> group(
      String name, int members, PodRequests requests, Pod pod) {
    PodSpec spec = pod.getSpec();
    Map<String, Object> group = new LinkedHashMap<>();
    group.put("name", name);
    group.put("minMember", members);
    group.put("minResource", requests.quantities());
    if (spec.getNodeSelector() != null && !spec.getNodeSelector().isEmpty()) {
      group.put("nodeSelector", new TreeMap<>(spec.getNodeSelector()));
    }
    if (!spec.getTolerations().isEmpty()) {
      group.put("tolerations", spec.getTolerations());
    }
    if (spec.getAffinity() != null) {
      group.put("affinity", spec.getAffinity());
    }
    if (!spec.getTopologySpreadConstraints().isEmpty()) {
      group.put("topologySpreadConstraints", spec.getTopologySpreadConstraints());
    }
    return group;
  }
}
