package io.numaspark.render.scheduling;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.BatchSchedulerOptions;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.GivenPods;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a batch scheduler needs to start driver and executors together (spec.batchScheduler).
 *
 * <p>The executors are created by the driver, after it was scheduled. A gang of the driver with its
 * executors can never start, so a group of Volcano or the coscheduling plugin has one member, the
 * driver, which is held back until the resources of all are free. YuniKorn reserves places for pods
 * that do not exist yet. For Kubernetes itself the executors alone are the gang.
 *
 * <p>The scheduler is told of the finished pods, so all of it is a completion.
 */
public final class BatchScheduling implements Concern {
  public static final String VOLCANO = "volcano";
  public static final String YUNIKORN = "yunikorn";

  /** kubeflow's word for Kubernetes' own gangs; no scheduler is called so. */
  public static final String WORKLOAD = "workload";

  /** Schedulers in Spark's properties win over the pod template's, so they must be the same. */
  private static final List<String> SCHEDULER_NAMES =
      List.of(
          "spark.kubernetes.scheduler.name",
          "spark.kubernetes.driver.scheduler.name",
          "spark.kubernetes.executor.scheduler.name");

  /**
   * The pods of an application, complete but for what a batch scheduler needs.
   *
   * @param driver pod
   * @param executor pod template
   * @param count executors to start with
   * @param executorRequests what one executor asks for
   */
  record Pods(Pod driver, Pod executor, int count, PodRequests executorRequests) {}

  @Override
  public Optional<Refusal> contradiction(SparkApplicationSpec spec, GivenPods given) {
    // Kubernetes' own gangs work in every kube-scheduler, whatever its name is.
    if (spec.batchScheduler() == null || isKubernetes(spec)) {
      return Optional.empty();
    }
    Map<String, String> conf = SparkProperties.orEmpty(spec.sparkConf());
    return SCHEDULER_NAMES.stream()
        .filter(key -> conf.containsKey(key) && !spec.batchScheduler().equals(conf.get(key)))
        .findFirst()
        .map(
            key ->
                new Refusal(
                    RefusalReason.SPARK_CONF_REFUSED,
                    "spec.sparkConf[\"%s\"]: is %s, but spec.batchScheduler is %s; remove one"
                        .formatted(key, conf.get(key), spec.batchScheduler())));
  }

  @Override
  public Optional<Refusal> refusal(Request request) {
    return isKubernetes(request.spec()) ? KubernetesGang.refusal(request) : Optional.empty();
  }

  @Override
  public Contribution completion(Request request, Whole whole) {
    SparkApplicationSpec spec = request.spec();
    if (spec.batchScheduler() == null) {
      return Contribution.NONE;
    }
    ApplicationIdentity identity = request.identity();
    Pods pods =
        new Pods(
            whole.driver(),
            whole.executor(),
            request.executors().instances(),
            PodRequests.ofExecutor(whole.executor(), request.executorPod()));
    return switch (spec.batchScheduler()) {
      case VOLCANO -> PodGroups.volcano(spec, identity, pods);
      case YUNIKORN -> TaskGroups.of(spec, identity, pods);
      case WORKLOAD -> KubernetesGang.of(request, whole.executor());
      default -> PodGroups.coscheduling(spec, identity, pods);
    };
  }

  private static boolean isKubernetes(SparkApplicationSpec spec) {
    return WORKLOAD.equals(spec.batchScheduler());
  }

  static BatchSchedulerOptions options(SparkApplicationSpec spec) {
    return spec.batchSchedulerOptions() != null
        ? spec.batchSchedulerOptions()
        : new BatchSchedulerOptions(null, null, null, null);
  }
}
