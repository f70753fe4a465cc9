package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.planner.plan.Pins;
import io.numaspark.render.notes.Notes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The spec of a pod template, as Spark reads it: it takes the container of the given name, else the
 * first (KubernetesUtils.selectSparkContainer).
 *
 * @param tree that the spec is in
 * @param path where it is, or would be
 * @param containerName what spark.kubernetes.executor.podTemplateContainerName says
 */
record ExecutorPodSpec(ObjectNode tree, List<String> path, Optional<String> containerName) {
  static final String CONTAINER_NAME = "spark.kubernetes.executor.podTemplateContainerName";

  /** What in it keeps executors from being pinned. */
  void check(Pins pins, Notes notes) {
    String field = ManifestField.name(path);
    JsonNode pod = ManifestField.at(tree, path);
    PodTemplate rules = PodTemplate.of(pins, notes);
    rules.checkPod(pod, field);
    JsonNode containers = pod.path("containers");
    rules.checkContainers(containers, field + ".containers", executor(containers));
    rules.checkContainers(pod.path("initContainers"), field + ".initContainers", "");
  }

  private String executor(JsonNode containers) {
    return containerName.orElse(containers.path(0).path("name").asText());
  }

  void addTolerations(List<Toleration> tolerations) {
    PodTemplate.addTolerations(tree, path, tolerations);
  }

  void addNodeLabels(Map<String, String> labels, Notes notes) {
    PodTemplate.addNodeLabels(tree, path, labels, notes);
  }

  /** Makes the executor's container ask for a slot; adds the container if it is not there. */
  void addSlot(String slotResource) {
    ArrayNode containers = PodTemplate.list(tree, ManifestField.below(path, "containers"));
    String name = executor(containers);
    List<ObjectNode> found = new ArrayList<>();
    for (JsonNode container : containers) {
      if (container instanceof ObjectNode object && object.path("name").asText().equals(name)) {
        found.add(object);
      }
    }
    PodTemplate.addSlot(
        found.isEmpty()
            ? containers.addObject().put("name", name.isEmpty() ? PodTemplate.CONTAINER : name)
            : found.get(0),
        slotResource);
  }
}
