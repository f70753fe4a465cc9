package io.numaspark.render.executors;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.SparkPorts;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.GivenPods;
import io.numaspark.render.sparkpod.Side;

/**
 * What the pods of pinned executors may not have, as it takes them out of their slot.
 *
 * <p>The kubelet counts every container of a pod, init containers too, when it looks for one NUMA
 * node that holds it, and one that is not Guaranteed takes the QoS class from the whole pod; init
 * containers leave CPUs behind that the executor should have had (kubernetes issue 123816).
 */
public final class PinnedPodRules {
  private static final String TEMPLATE = Side.EXECUTOR.field("template.spec.");

  private PinnedPodRules() {}

  /**
   * Looks at the executors' fields.
   *
   * @throws IllegalArgumentException naming the field and the remedy
   */
  public static void check(SparkApplicationSpec spec, GivenPods pods) {
    refuseIf(
        spec.executor().sidecars() != null && !spec.executor().sidecars().isEmpty(),
        "spec.executor.sidecars: take pinned executors out of their slot; move them to a"
            + " DaemonSet, or remove spec.nodeProfile");
    refuseIf(
        spec.executor().initContainers() != null && !spec.executor().initContainers().isEmpty(),
        "spec.executor.initContainers: take pinned executors out of their slot; put what they do"
            + " into the image, or use spec.deps or volumes");
    PodSpec pod = pods.of(Side.EXECUTOR).pod().spec();
    refuseIf(
        !pod.getContainers().isEmpty(),
        TEMPLATE
            + "containers: '"
            + (pod.getContainers().isEmpty() ? "" : pod.getContainers().get(0).getName())
            + "' next to Spark's container takes pinned executors out of their slot; move it to a"
            + " DaemonSet, or remove spec.nodeProfile");
    refuseIf(
        !pod.getInitContainers().isEmpty(),
        TEMPLATE
            + "initContainers: take pinned executors out of their slot; put what they do into the"
            + " image, or use spec.deps or volumes");
    refuseIf(
        pod.getResources() != null,
        TEMPLATE + "resources: the profile's shape decides the pod's size; remove it");
    refuseIf(
        pod.getNodeName() != null,
        TEMPLATE
            + "nodeName: bypasses the scheduler, which counts the slots; use"
            + " spec.executor.nodeSelector");
    refuseIf(
        Boolean.TRUE.equals(pod.getHostNetwork()) && hasFixedPort(spec),
        "spec.executor.hostNetwork: executors of one node would all listen at "
            + SparkPorts.BLOCK_MANAGER
            + "; add spark.blockManager.port: \"0\" to spec.sparkConf");
  }

  /** Spark's executors listen at a fixed port unless they are told 0. */
  private static boolean hasFixedPort(SparkApplicationSpec spec) {
    return !"0".equals(SparkProperties.orEmpty(spec.sparkConf()).get("spark.blockManager.port"));
  }

  private static void refuseIf(boolean wrong, String message) {
    if (wrong) {
      throw new IllegalArgumentException(message);
    }
  }
}
