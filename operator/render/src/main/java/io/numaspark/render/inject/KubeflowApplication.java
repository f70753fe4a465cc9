package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.planner.plan.Pins;
import io.numaspark.render.notes.Notes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * SparkApplication and ScheduledSparkApplication of kubeflow's spark-operator, v1beta2; the fields
 * and what they are turned into are those of its submission.go.
 */
final class KubeflowApplication extends ForeignManifest {
  static final String API_VERSION = "sparkoperator.k8s.io/v1beta2";

  private final List<String> spec;
  private final List<String> executor;

  KubeflowApplication(ObjectNode tree) {
    super(tree);
    spec =
        tree.path("kind").asText().equals("ScheduledSparkApplication")
            ? List.of("spec", "template")
            : List.of("spec");
    executor = ManifestField.below(spec, "executor");
    requireMapping(List.of("metadata"));
    requireMapping(spec);
    requireMapping(executor);
  }

  @Override
  ForeignManifest with(ObjectNode values) {
    return new KubeflowApplication(values);
  }

  @Override
  public String name() {
    return tree.path("kind").asText() + " " + tree.path("metadata").path("name").asText();
  }

  @Override
  List<ManifestField> places(String property) {
    List<ManifestField> places = new ArrayList<>(2);
    List<String> dynamic = ManifestField.below(spec, "dynamicAllocation");
    if (property.startsWith(PropertyRules.EXECUTOR_ANNOTATION)) {
      places.add(
          ManifestField.text(
              ManifestField.below(executor, "annotations"),
              property.substring(PropertyRules.EXECUTOR_ANNOTATION.length())));
    }
    switch (property) {
      case "spark.executor.instances" -> places.add(ManifestField.number(executor, "instances"));
      case "spark.executor.cores" -> places.add(ManifestField.number(executor, "cores"));
      case "spark.kubernetes.executor.request.cores" ->
          places.add(ManifestField.text(executor, "coreRequest"));
      case "spark.kubernetes.executor.limit.cores" ->
          places.add(ManifestField.text(executor, "coreLimit"));
      case "spark.executor.memory" -> places.add(ManifestField.text(executor, "memory"));
      case "spark.executor.memoryOverhead" ->
          places.add(ManifestField.text(executor, "memoryOverhead"));
      case "spark.executor.extraJavaOptions" ->
          places.add(ManifestField.text(executor, "javaOptions"));
      case "spark.dynamicAllocation.enabled" -> places.add(ManifestField.flag(dynamic, "enabled"));
      case "spark.dynamicAllocation.minExecutors" ->
          places.add(ManifestField.number(dynamic, "minExecutors"));
      case "spark.dynamicAllocation.maxExecutors" ->
          places.add(ManifestField.number(dynamic, "maxExecutors"));
      case "spark.dynamicAllocation.initialExecutors" ->
          places.add(ManifestField.number(dynamic, "initialExecutors"));
      default -> {
        // Only in sparkConf.
      }
    }
    places.add(ManifestField.text(configuration(), property));
    return places;
  }

  @Override
  List<String> configuration() {
    return ManifestField.below(spec, "sparkConf");
  }

  @Override
  Type language() {
    return switch (ManifestField.at(tree, spec).path("type").asText()) {
      case "Python" -> Type.Python;
      case "R" -> Type.R;
      default -> Type.Scala;
    };
  }

  /** Its webhook's default, for an application without dynamic allocation. */
  @Override
  int defaultInstances() {
    return 1;
  }

  @Override
  void check(Pins pins, Notes notes) {
    JsonNode values = ManifestField.at(tree, executor);
    String path = ManifestField.name(executor);
    if (ManifestField.at(tree, spec).path("sparkVersion").asText().matches("[0-2]\\..*")) {
      notes.refuse(
          ManifestField.name(spec) + ".sparkVersion",
          "this Spark has neither pod templates nor spark.executor.defaultJavaOptions; use Spark"
              + " 3.0 or later");
    }
    if (values.hasNonNull("memoryLimit") && pins != Pins.RUNTIME) {
      notes.refuse(
          path + ".memoryLimit",
          "makes the pod's memory limit differ from its request, so the pod is not Guaranteed;"
              + " remove it");
    }
    if (values.hasNonNull("gpu")) {
      notes.warn(
          path + ".gpu",
          "the profile knows nothing of devices; a pod is admitted only where a device is free in"
              + " the NUMA node that has the CPUs");
    }
    for (String list : List.of("sidecars", "initContainers")) {
      PodTemplate.of(pins, notes).checkContainers(values.path(list), path + "." + list, "");
    }
    checkTemplate(values.path("template"), path + ".template.spec", PodTemplate.of(pins, notes));
  }

  private static void checkTemplate(JsonNode template, String path, PodTemplate rules) {
    JsonNode pod = template.path("spec");
    rules.checkPod(pod, path);
    rules.checkContainers(pod.path("containers"), path + ".containers", PodTemplate.CONTAINER);
    rules.checkContainers(pod.path("initContainers"), path + ".initContainers", "");
  }

  @Override
  void place(
      Map<String, String> nodeLabels,
      List<Toleration> tolerations,
      Optional<String> slotResource,
      Notes notes) {
    // What the fields of the executor hold reaches pods through the operator's webhook only.
    for (List<String> parent : List.of(spec, executor)) {
      PodTemplate.checkNodeLabels(
          tree, ManifestField.below(parent, "nodeSelector"), nodeLabels, notes);
    }
    List<String> template = ManifestField.below(executor, "template", "spec");
    PodTemplate.addNodeLabels(tree, template, nodeLabels, notes);
    PodTemplate.addTolerations(tree, template, tolerations);
    slotResource.ifPresent(slot -> addSlot(slot, notes));
  }

  private void addSlot(String slot, Notes notes) {
    List<String> path = ManifestField.below(executor, "template", "spec", "containers");
    ArrayNode containers = PodTemplate.list(tree, path);
    for (JsonNode container : containers) {
      if (container instanceof ObjectNode object
          && object.path("name").asText().equals(PodTemplate.CONTAINER)) {
        PodTemplate.addSlot(object, slot);
        return;
      }
    }
    if (!containers.isEmpty()) {
      notes.refuse(
          ManifestField.name(path),
          "none is called " + PodTemplate.CONTAINER + ", as the operator needs it; rename it");
    }
    PodTemplate.addSlot(containers.addObject().put("name", PodTemplate.CONTAINER), slot);
  }
}
