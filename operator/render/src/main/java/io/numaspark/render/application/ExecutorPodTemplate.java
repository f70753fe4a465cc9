package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.ExecutorSpec;
import io.numaspark.render.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The pod template that the driver makes executors from.
 *
 * <p>Spark overwrites CPU and memory and keeps everything else (BasicExecutorFeatureStep), so the
 * template carries what no property can: the slot, tolerations, environment and the wrapper that
 * reports where the executor may run.
 */
final class ExecutorPodTemplate {
  static final String CONTAINER = "spark-kubernetes-executor";
  static final String FILE = "executor-pod-template.yaml";
  static final String FOLDER = "/opt/numaspark";
  static final String PATH = FOLDER + "/" + FILE;

  /**
   * Tells Spark which CPUs and memory nodes the kernel allows, as executor attributes
   * (CoarseGrainedExecutorBackend: extractAttributes), and then becomes the image's entry point.
   * Builtins only: no image needs anything for it but a shell.
   */
  private static final String REPORTING_ENTRYPOINT =
      """
      while read -r key value; do
        case $key in
          Cpus_allowed_list:) export SPARK_EXECUTOR_ATTRIBUTE_%s="$value" ;;
          Mems_allowed_list:) export SPARK_EXECUTOR_ATTRIBUTE_%s="$value" ;;
        esac
      done < /proc/self/status
      exec /opt/entrypoint.sh "$@"
      """
          .formatted(Labels.ATTRIBUTE_CPUS, Labels.ATTRIBUTE_MEMORY_NODES);

  private ExecutorPodTemplate() {}

  static Pod of(
      ExecutorSpec executor, ExecutorRequest request, List<Toleration> profileTolerations) {
    ContainerBuilder container =
        new ContainerBuilder()
            .withName(CONTAINER)
            .withEnv(Objects.requireNonNullElse(executor.env(), List.of()));
    Optional<ExecutorRequest.Pinned> pinned = request.pinned();
    if (pinned.isPresent()) {
      Map<String, Quantity> slot =
          Map.of(
              ApiGroup.slotResource(pinned.get().profile()),
              new Quantity(String.valueOf(pinned.get().slots())));
      container
          .withNewResources()
          .withLimits(slot)
          .withRequests(slot)
          .endResources()
          .withCommand("/bin/sh", "-c", REPORTING_ENTRYPOINT, "numaspark-entrypoint");
    }
    List<Toleration> tolerations =
        new ArrayList<>(Objects.requireNonNullElse(executor.tolerations(), List.of()));
    if (pinned.isPresent()) {
      tolerations.addAll(profileTolerations);
    }
    return new PodBuilder()
        .withNewMetadata()
        .withAnnotations(executor.annotations())
        .endMetadata()
        .withNewSpec()
        .withNodeSelector(executor.nodeSelector())
        .withTolerations(tolerations)
        .withContainers(container.build())
        .endSpec()
        .build();
  }
}
