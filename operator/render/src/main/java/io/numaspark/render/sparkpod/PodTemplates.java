package io.numaspark.render.sparkpod;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.conf.SparkProperties;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads {@code template} of driver or executor and finds Spark's container in it.
 *
 * <p>Limit: of the metadata labels and annotations are used.
 */
final class PodTemplates {
  private PodTemplates() {}

  /**
   * The pod that the other fields are written over. Fields of the template that Kubernetes does not
   * have are not used: kubeflow's operator reads its template so, and manifests in use rely on it.
   *
   * @throws IllegalArgumentException naming the part of the template that does not fit
   */
  static ModelReader.Known<SparkPod> read(Side side, SparkApplicationSpec spec) {
    JsonNode tree = side.of(spec).template();
    String field = side.field("template");
    if (tree == null || tree.isNull()) {
      return new ModelReader.Known<>(
          new SparkPod(new PodSpec(), sparkContainer(new Container(), side)), List.of());
    }
    ModelReader.Known<PodTemplateSpec> known =
        ModelReader.readKnown(field, tree, PodTemplateSpec.class);
    PodTemplateSpec template = known.value();
    PodSpec pod = template.getSpec() == null ? new PodSpec() : template.getSpec();
    List<Container> others = new ArrayList<>(pod.getContainers());
    int index = indexOfSpark(others, side, spec);
    Container spark = index < 0 ? new Container() : others.remove(index);
    checkNames(field + ".spec.containers", others, Set.of(side.container()));
    Set<String> taken = new HashSet<>(Set.of(side.container()));
    others.forEach(container -> taken.add(container.getName()));
    checkNames(field + ".spec.initContainers", pod.getInitContainers(), taken);
    Volumes.checkMounts(
        field + ".spec.containers[" + Math.max(index, 0) + "].volumeMounts",
        spark.getVolumeMounts());
    Volumes.checkVolumes(field + ".spec.volumes", pod.getVolumes());
    Environment.checkNames(
        field + ".spec.containers[" + Math.max(index, 0) + "].env", spark.getEnv());
    pod.setContainers(others);
    SparkPod result = new SparkPod(pod, sparkContainer(spark, side));
    ObjectMeta metadata = template.getMetadata();
    if (metadata != null) {
      result.labels().putAll(SparkProperties.orEmpty(metadata.getLabels()));
      result.annotations().putAll(SparkProperties.orEmpty(metadata.getAnnotations()));
    }
    return new ModelReader.Known<>(result, known.unknown());
  }

  /** By the property of Spark, by kubeflow's name, or the first as Spark does. */
  private static int indexOfSpark(
      List<Container> containers, Side side, SparkApplicationSpec spec) {
    String given =
        SparkProperties.orEmpty(spec.sparkConf()).get(side.prefix() + "podTemplateContainerName");
    List<String> names = containers.stream().map(Container::getName).toList();
    for (String name : new String[] {given, side.container()}) {
      if (name != null && names.contains(name)) {
        return names.indexOf(name);
      }
    }
    return containers.isEmpty() ? -1 : 0;
  }

  private static Container sparkContainer(Container container, Side side) {
    container.setName(side.container());
    return container;
  }

  /**
   * Every container needs a name that no other has.
   *
   * @param taken names of containers elsewhere in the pod
   */
  static void checkNames(String field, List<Container> containers, Set<String> taken) {
    Set<String> names = new HashSet<>(taken);
    for (int i = 0; i < containers.size(); i++) {
      String name = containers.get(i).getName();
      if (name == null || name.isEmpty()) {
        throw new IllegalArgumentException(
            field + "[" + i + "].name: is missing; give the container a name");
      }
      if (!names.add(name)) {
        throw new IllegalArgumentException(
            field
                + "["
                + i
                + "].name: '"
                + name
                + "' is the name of another container of the pod; give it a name of its own");
      }
    }
  }
}
