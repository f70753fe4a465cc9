package io.numaspark.render.executors;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.Request;
import io.numaspark.render.pins.PinAnnotations;
import io.numaspark.render.sparkpod.Side;
import io.numaspark.render.sparkpod.SparkPod;
import io.numaspark.render.text.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The pod template that the driver makes executors from.
 *
 * <p>Spark overwrites CPU and memory and keeps everything else (BasicExecutorFeatureStep), so the
 * template carries what no property can: the slot, tolerations, environment and the wrapper that
 * reports where the executor may run.
 */
public final class ExecutorPodTemplate {
  public static final String FILE = "executor-pod-template.yaml";
  public static final String FOLDER = "/opt/numaspark";
  public static final String PATH = FOLDER + "/" + FILE;

  /**
   * Tells Spark which CPUs and memory nodes the kernel allows, as executor attributes
   * (CoarseGrainedExecutorBackend: extractAttributes), and then becomes what follows: the entry
   * point of Spark's images, or the template's command. Builtins only: no image needs anything for
   * it but a shell.
   */
  private static final String REPORTING_ENTRYPOINT =
      """
      while read -r key value; do
        case $key in
          Cpus_allowed_list:) export SPARK_EXECUTOR_ATTRIBUTE_%s="$value" ;;
          Mems_allowed_list:) export SPARK_EXECUTOR_ATTRIBUTE_%s="$value" ;;
        esac
      done < /proc/self/status
      exec "$@"
      """
          .formatted(Labels.ATTRIBUTE_CPUS, Labels.ATTRIBUTE_MEMORY_NODES);

  /** Spark adds these to the template's; a name given twice would be one too many. */
  public static final Set<String> OVERWRITTEN =
      Set.of(
          "SPARK_APPLICATION_ID",
          "SPARK_CONF_DIR",
          "SPARK_DRIVER_URL",
          "SPARK_EXECUTOR_CORES",
          "SPARK_EXECUTOR_ID",
          "SPARK_EXECUTOR_MEMORY",
          "SPARK_EXECUTOR_POD_IP",
          "SPARK_EXECUTOR_POD_NAME",
          "SPARK_LOCAL_DIRS",
          "SPARK_RESOURCE_PROFILE_ID",
          "SPARK_USER");

  private ExecutorPodTemplate() {}

  public static Pod of(Request request) {
    SparkPod pod = request.pods().of(Side.EXECUTOR).pod();
    OVERWRITTEN.forEach(pod::removeEnvironment);
    List<Toleration> tolerations =
        request.profile().map(ProfileContext::tolerations).orElse(List.of());
    request.executors().pinned().ifPresent(pinned -> pin(pod, pinned, tolerations));
    return pod.build(new ObjectMetaBuilder());
  }

  private static void pin(
      SparkPod pod, ExecutorRequest.Pinned pinned, List<Toleration> profileTolerations) {
    Container container = pod.container();
    Quantity slots = new Quantity(String.valueOf(pinned.slots()));
    String slot = ApiGroup.slotResource(pinned.profile());
    container.setResources(
        new ResourceRequirementsBuilder(
                Objects.requireNonNullElse(container.getResources(), new ResourceRequirements()))
            .addToLimits(slot, slots)
            .addToRequests(slot, slots)
            .build());
    // Whoever pins today: executors of this attempt may come long after the profile was changed.
    pod.annotations().remove(Labels.PIN_CPUS);
    pod.annotations().putAll(PinAnnotations.of(pinned));
    List<String> command =
        new ArrayList<>(List.of("/bin/sh", "-c", REPORTING_ENTRYPOINT, "numaspark-entrypoint"));
    command.addAll(
        container.getCommand().isEmpty() ? List.of("/opt/entrypoint.sh") : container.getCommand());
    container.setCommand(command);
    List<Toleration> tolerations = new ArrayList<>(pod.spec().getTolerations());
    tolerations.addAll(profileTolerations);
    pod.spec().setTolerations(tolerations);
  }
}
