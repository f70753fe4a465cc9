package io.numaspark.controller.slots;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.controller.observe.BoundPods;
import io.numaspark.planner.capacity.Occupant;
import io.numaspark.planner.capacity.SlotCapacity;
import io.numaspark.render.text.Labels;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Says whether a rejected pod is an executor that the operator knows of, and whose rejection says
 * something of slots: anybody who may make pods can make one that looks like an executor.
 *
 * <p>Limit: owner references and labels are the author's word, so that one who knows a running
 * application of the namespace can copy them. What cannot be copied is that a scheduler bound the
 * pod (RejectionInbox).
 */
public final class RejectionJudge {
  private final Function<String, Optional<NodePlan>> plans;
  private final BiFunction<String, String, Optional<SparkApplication>> applications;

  /**
   * A judge.
   *
   * @param plans by node
   * @param applications those that this operator runs, by namespace and name
   */
  public RejectionJudge(
      Function<String, Optional<NodePlan>> plans,
      BiFunction<String, String, Optional<SparkApplication>> applications) {
    this.plans = plans;
    this.applications = applications;
  }

  /** Whether the pod belongs to the attempt that runs, and asked for what its node's slots hold. */
  public boolean isOfKnownAttempt(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    Optional<NodePlan> plan =
        plans
            .apply(pod.getSpec().getNodeName())
            .filter(found -> found.profile().equals(labels.get(Labels.PROFILE)));
    String name = labels.get(Labels.APPLICATION);
    return plan.isPresent()
        && name != null
        && applications
            .apply(pod.getMetadata().getNamespace(), name)
            .filter(application -> plan.get().profile().equals(application.getSpec().nodeProfile()))
            .map(SparkApplication::getStatus)
            .filter(status -> isOf(status, pod) && fits(status, pod, plan.get()))
            .isPresent();
  }

  private static boolean isOf(SparkApplicationStatus status, Pod pod) {
    return status.terminationTime() == null
        && status.sparkApplicationId() != null
        && status
            .sparkApplicationId()
            .equals(pod.getMetadata().getLabels().get(Labels.SPARK_APP_SELECTOR))
        && status.driverInfo() != null
        && status.driverInfo().podUid() != null
        && pod.getMetadata().getOwnerReferences().stream()
            .anyMatch(
                owner ->
                    "Pod".equals(owner.getKind())
                        && status.driverInfo().podUid().equals(owner.getUid()));
  }

  /**
   * Whether the pod takes at least one slot, as many as the attempt's executors do, and no more
   * than it asked for. A kubelet may refuse it for any other resource, which says nothing of slots.
   */
  private static boolean fits(SparkApplicationStatus status, Pod pod, NodePlan plan) {
    String resource = ApiGroup.slotResource(plan.profile());
    Integer told = status.executorShape() == null ? null : status.executorShape().slots();
    int slots = BoundPods.slotsRequested(pod, resource);
    if (slots != Math.max(1, Objects.requireNonNullElse(told, 1))
        || BoundPods.asksForMore(pod, resource)) {
      return false;
    }
    Occupant executor =
        NodeCounter.occupant(
            BoundPods.trimmed(pod), resource, plan.layout().nodeClass().machine().kubelet());
    return executor.claims().stream().anyMatch(claim -> claim.cpus() > 0)
        && SlotCapacity.of(plan.shape(), plan.layout(), List.of(executor)).irregular().isEmpty();
  }
}
