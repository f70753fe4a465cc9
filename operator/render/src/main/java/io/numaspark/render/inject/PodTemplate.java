package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.planner.plan.Pins;
import io.numaspark.render.notes.Notes;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * What the pods of executors have besides the executor: what keeps them from being pinned, and what
 * sends the pods to the profile's nodes.
 *
 * <p>The kubelet pins Guaranteed pods only. The container runtime asks for no class, and its pins
 * do not lift the quota of a CPU limit.
 */
final class PodTemplate {
  /** Spark's name for the container if a template names none (spark-kubernetes, Constants). */
  static final String CONTAINER = "spark-kubernetes-executor";

  private static final String ON_TOP =
      "comes on top of the executor, whose slot has no room for it; lower maxHeap of the"
          + " profile if pods are rejected for memory";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final boolean byRuntimeOnly;
  private final Notes notes;

  private PodTemplate(boolean byRuntimeOnly, Notes notes) {
    this.byRuntimeOnly = byRuntimeOnly;
    this.notes = notes;
  }

  /** The rules for pods that are pinned so. */
  static PodTemplate of(Pins pins, Notes notes) {
    return new PodTemplate(pins == Pins.RUNTIME, notes);
  }

  /**
   * Where a kubelet pins, every container counts for the QoS class (kubelet, ComputePodQOS), and
   * whole CPUs of one are taken from those of the executor's NUMA node. Where the runtime pins,
   * only the executor's own limit matters.
   */
  void checkContainers(JsonNode containers, String path, String except) {
    checkList(containers, path);
    for (int i = 0; i < containers.size(); i++) {
      JsonNode container = containers.get(i);
      if (!name(container).equals(except)) {
        checkContainer(container, place(path, i, container));
      } else if (byRuntimeOnly) {
        checkLimit(container, place(path, i, container));
      }
    }
  }

  /** The same for all but one container of a pod, whose limits are not the user's to change. */
  void checkOthers(JsonNode containers, String path, int except) {
    checkList(containers, path);
    for (int i = 0; i < containers.size(); i++) {
      if (i != except) {
        checkContainer(containers.get(i), place(path, i, containers.get(i)));
      }
    }
  }

  private static void checkList(JsonNode containers, String path) {
    if (containers.isValueNode() ? !containers.isNull() : containers.isObject()) {
      throw noList(path);
    }
  }

  private static String name(JsonNode container) {
    return container.path("name").asText();
  }

  private static String place(String path, int index, JsonNode container) {
    return "%s[%d] (%s)".formatted(path, index, name(container));
  }

  private void checkLimit(JsonNode container, String path) {
    if (container.path("resources").path("limits").hasNonNull("cpu")) {
      notes.refuse(
          path + ".resources.limits.cpu",
          "is a quota, which throttles an executor that has CPUs of its own; remove it");
    }
  }

  private void checkContainer(JsonNode container, String path) {
    if (byRuntimeOnly) {
      notes.warn(path, ON_TOP);
      return;
    }
    JsonNode limits = container.path("resources").path("limits");
    JsonNode requests = container.path("resources").path("requests");
    for (String resource : List.of("cpu", "memory")) {
      BigDecimal limit = quantity(limits, resource, path + ".resources.limits");
      BigDecimal request = quantity(requests, resource, path + ".resources.requests");
      if (limit.signum() == 0 || (request.signum() != 0 && request.compareTo(limit) != 0)) {
        notes.refuse(
            path,
            "has no %s limit that equals its request, so the pod is not Guaranteed and nothing in it is pinned; write for"
                    .formatted(resource)
                + " example resources: {limits: {cpu: 100m, memory: 128Mi}}, or remove the"
                + " container");
        return;
      }
    }
    BigDecimal cpu = quantity(limits, "cpu", path);
    if (cpu.stripTrailingZeros().scale() <= 0) {
      notes.refuse(
          path + ".resources.limits.cpu",
          "is a whole number, so the container takes CPUs of its own out of the executor's NUMA"
              + " node; write a fraction, for example 500m");
    } else {
      notes.warn(path, ON_TOP);
    }
  }

  /**
   * An amount of resources.
   *
   * @return zero if it is not there
   * @throws IllegalArgumentException if it is no quantity; names the field
   */
  static BigDecimal quantity(JsonNode resources, String key, String path) {
    JsonNode value = resources.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return BigDecimal.ZERO;
    }
    try {
      if (value.asText().matches("[0-9.]{1,18}(m|[kMGTPE]i?)?")) {
        return Quantity.getAmountInBytes(new Quantity(value.asText()));
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      // Two dots; the message below says what is wanted.
    }
    throw new IllegalArgumentException(
        "%s.%s: '%s' is not a quantity; write for example 500m or 1Gi"
            .formatted(path, key, value.asText()));
  }

  /** What of a pod's spec breaks pinning, beside its containers. */
  void checkPod(JsonNode podSpec, String path) {
    if (podSpec.has("resources")) {
      notes.refuse(
          path + ".resources",
          byRuntimeOnly
              ? "a limit of the whole pod throttles an executor that has CPUs of its own; remove it"
              : "pod-level resources decide the QoS class, and the kubelet pins no container of such a"
                  + " pod; remove it");
    }
    if (podSpec.has("runtimeClassName") || podSpec.has("overhead")) {
      notes.warn(
          path + ".runtimeClassName",
          "a runtime's overhead is counted by the scheduler but not by the kubelet's NUMA managers;"
              + " see that the RuntimeClass has none");
    }
  }

  /** Adds to the nodeSelector of what is at a path; a label with another value is refused. */
  static void addNodeLabels(
      ObjectNode tree, List<String> parent, Map<String, String> labels, Notes notes) {
    if (labels.isEmpty()) {
      return;
    }
    List<String> path = ManifestField.below(parent, "nodeSelector");
    checkNodeLabels(tree, path, labels, notes);
    labels.forEach(ManifestField.mapping(tree, path)::put);
  }

  /** Refuses labels of a nodeSelector that have another value than the profile's. */
  static void checkNodeLabels(
      ObjectNode tree, List<String> selector, Map<String, String> labels, Notes notes) {
    JsonNode selected = ManifestField.at(tree, selector);
    if (!selected.isMissingNode() && !selected.isNull() && !selected.isObject()) {
      throw ManifestField.noMapping(selector);
    }
    labels.forEach(
        (label, value) -> {
          JsonNode old = selected.path(label);
          if (old.isTextual() && !old.textValue().equals(value)) {
            notes.refuse(
                ManifestField.name(selector) + "[\"" + label + "\"]",
                otherLabel(old.textValue(), value));
          }
        });
  }

  /** Why a label of the manifest does not go with that of the profile. */
  static String otherLabel(String value, String ofProfile) {
    return "is %s, but the profile's nodes have %s; remove it, or use another profile"
        .formatted(value, ofProfile);
  }

  /** Adds to the tolerations of what is at a path those that are not there. */
  static void addTolerations(ObjectNode tree, List<String> parent, List<Toleration> tolerations) {
    if (tolerations.isEmpty()) {
      return;
    }
    ArrayNode list = list(tree, ManifestField.below(parent, "tolerations"));
    for (Toleration toleration : tolerations) {
      JsonNode wanted = InjectionRecord.normal(JSON.valueToTree(toleration));
      boolean there = false;
      for (JsonNode old : list) {
        there |= old.equals(wanted);
      }
      if (!there) {
        list.add(wanted);
      }
    }
  }

  /** The list at a path, made if it is not there. */
  static ArrayNode list(ObjectNode tree, List<String> path) {
    ObjectNode parent = ManifestField.mapping(tree, path.subList(0, path.size() - 1));
    String key = path.get(path.size() - 1);
    JsonNode list = parent.path(key);
    if (list.isMissingNode() || list.isNull()) {
      return parent.putArray(key);
    }
    if (list instanceof ArrayNode array) {
      return array;
    }
    throw noList(ManifestField.name(path));
  }

  private static IllegalArgumentException noList(String path) {
    return new IllegalArgumentException(
        path + ": it is not a list; write its items below it, each after a dash");
  }

  /** Makes a container ask for one slot; kube-scheduler then counts where an executor fits. */
  static void addSlot(ObjectNode container, String resource) {
    addSlots(container, resource, 1);
  }

  /** Makes a container ask for slots of one NUMA node. */
  static void addSlots(ObjectNode container, String resource, int slots) {
    for (String part : List.of("limits", "requests")) {
      ManifestField.mapping(container, List.of("resources", part))
          .put(resource, String.valueOf(slots));
    }
  }
}
