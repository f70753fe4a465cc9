package io.numaspark.render.rules;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.numaspark.api.v1alpha1.ExecutorSpec.Sizing;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.executors.ExecutorPodTemplate;
import io.numaspark.render.executors.ExecutorPods;
import io.numaspark.render.sparkpod.GivenPods;
import io.numaspark.render.sparkpod.GivenPods.GivenPod;
import io.numaspark.render.sparkpod.Side;
import io.numaspark.render.sparkpod.SparkPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What driver and executor pods cannot take over from an application's fields, templates and
 * environment; one line each, with the field, the reason and what to use instead.
 */
public final class PodFieldWarnings {
  private static final Set<String> OF_THE_RUN =
      Set.of("SPARK_APPLICATION_ID", "SPARK_DRIVER_BIND_ADDRESS");

  private PodFieldWarnings() {}

  /** The warnings about one application that is otherwise in order. */
  public static List<String> of(SparkApplicationSpec spec, GivenPods pods) {
    List<String> warnings = new ArrayList<>();
    if (spec.nodeProfile() != null
        && spec.memoryOverheadFactor() != null
        && spec.executor().sizing() != Sizing.Exact) {
      warnings.add(
          "spec.memoryOverheadFactor: is used for the driver only; the profile's shape decides the"
              + " executors' memory");
    }
    for (Side side : Side.values()) {
      GivenPod given = pods.of(side);
      SparkPod pod = given.pod();
      addEnvironment(warnings, side, pod);
      addTemplate(warnings, side, pod.container());
      for (String unknown : given.unknownFields()) {
        warnings.add(
            unknown + ", so it is not used; remove it, or write its name as Kubernetes does");
      }
    }
    if (spec.executor().lifecycle() != null
        && (spec.decommission() != null
            || Boolean.parseBoolean(
                SparkProperties.orEmpty(spec.sparkConf()).get("spark.decommission.enabled")))) {
      warnings.add(
          "spec.executor.lifecycle: is not used, as Spark puts its decommissioning hook in its"
              + " place; remove it or "
              + (spec.decommission() == null ? "spark.decommission.enabled" : "spec.decommission"));
    }
    return List.copyOf(warnings);
  }

  private static void addEnvironment(List<String> warnings, Side side, SparkPod pod) {
    for (EnvVar variable : pod.environment()) {
      String name = variable.getName();
      boolean lost =
          side == Side.DRIVER
              ? OF_THE_RUN.contains(name)
              : ExecutorPodTemplate.OVERWRITTEN.contains(name)
                  && !ExecutorPods.isByProperty(variable);
      if (lost) {
        warnings.add(
            side.field("env")
                + ": "
                + name
                + " is not used, as Spark sets it for every run; remove it");
      }
    }
  }

  /** Sizes and image come from typed fields and properties, as with Spark's own submission. */
  private static void addTemplate(List<String> warnings, Side side, Container container) {
    ResourceRequirements resources =
        Objects.requireNonNullElse(container.getResources(), new ResourceRequirements());
    boolean sized =
        SparkProperties.orEmpty(resources.getRequests()).keySet().stream()
                .anyMatch(name -> name.equals("cpu") || name.equals("memory"))
            || SparkProperties.orEmpty(resources.getLimits()).containsKey("memory");
    if (sized) {
      warnings.add(
          side.field("template")
              + ": CPU and memory of Spark's container are not used; use "
              + side.field("cores")
              + " and "
              + side.field("memory"));
    }
    if (container.getImage() != null) {
      warnings.add(
          side.field("template")
              + ": the image of Spark's container is not used; use "
              + side.field("image"));
    }
  }
}
