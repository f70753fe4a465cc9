package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeSystemInfo;
import io.fabric8.kubernetes.api.model.NodeSystemInfoBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.render.autoscaler.NodeTaint;
import io.numaspark.render.profile.NodeFacts;
import io.numaspark.render.profile.NodeMemory;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What placement needs to know of nodes, and nothing else: their labels and taints, the slots that
 * they publish, what else the scheduler counts, and which start of the node it is.
 */
public final class SlotNodes {
  private static final List<String> COUNTED = List.of("cpu", "memory");

  private SlotNodes() {}

  /** The node without what placement does not depend on. */
  public static Node trimmed(Node node) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(node.getMetadata().getName())
        .withUid(node.getMetadata().getUid())
        .withResourceVersion(node.getMetadata().getResourceVersion())
        .withLabels(node.getMetadata().getLabels())
        .endMetadata()
        .withNewSpec()
        .withTaints(taints(node))
        .endSpec()
        .withNewStatus()
        .withCapacity(slots(capacity(node)))
        .withAllocatable(counted(allocatable(node)))
        .withNodeInfo(
            bootId(node).map(id -> new NodeSystemInfoBuilder().withBootID(id).build()).orElse(null))
        .endStatus()
        .build();
  }

  /** The kernel's id of this start of the node, as the kubelet writes it. */
  public static Optional<String> bootId(Node node) {
    return Optional.ofNullable(node.getStatus())
        .map(NodeStatus::getNodeInfo)
        .map(NodeSystemInfo::getBootID)
        .filter(id -> !id.isBlank());
  }

  /**
   * The same with the memory that pods can get and the kubelet's minor version, by which nodes are
   * planned.
   */
  public static Node planned(Node node) {
    Node planned =
        new NodeBuilder(trimmed(node))
            .editStatus()
            .addToCapacity(memory(capacity(node)))
            .addToAllocatable(memory(allocatable(node)))
            .endStatus()
            .build();
    NodeFacts.kubeletVersion(node)
        .ifPresent(version -> withInfo(planned).setKubeletVersion(version.toString()));
    return planned;
  }

  private static NodeSystemInfo withInfo(Node node) {
    if (node.getStatus().getNodeInfo() == null) {
      node.getStatus().setNodeInfo(new NodeSystemInfo());
    }
    return node.getStatus().getNodeInfo();
  }

  /** Leaves out the kubelet's heartbeats, and all that does not change slots. */
  public static boolean slotsDiffer(Node one, Node other) {
    return !Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid())
        || !slots(capacity(one)).equals(slots(capacity(other)))
        || !counted(allocatable(one)).equals(counted(allocatable(other)))
        || !bootId(one).equals(bootId(other))
        || awaitsSlots(one) != awaitsSlots(other);
  }

  /** Whether the node has the startup taint that keeps autoscalers waiting for its slots. */
  public static boolean awaitsSlots(Node node) {
    return taints(node).stream().anyMatch(taint -> NodeTaint.SLOTS_PENDING.equals(taint.getKey()));
  }

  /** Whether another profile may select the node now. */
  public static boolean labelsDiffer(Node one, Node other) {
    return !Objects.equals(one.getMetadata().getLabels(), other.getMetadata().getLabels());
  }

  /** Whether another profile may select the node now, or its plan may be another one. */
  public static boolean plansDiffer(Node one, Node other) {
    return labelsDiffer(one, other)
        || !memory(capacity(one)).equals(memory(capacity(other)))
        || !memory(allocatable(one)).equals(memory(allocatable(other)))
        || !NodeFacts.kubeletVersion(one).equals(NodeFacts.kubeletVersion(other));
  }

  /** Names of the slot resources that a node has in its capacity or its allocatable. */
  public static Set<String> slotResources(Node node) {
    Set<String> resources = new TreeSet<>(slots(capacity(node)).keySet());
    resources.addAll(slots(allocatable(node)).keySet());
    return resources;
  }

  private static List<Taint> taints(Node node) {
    return Optional.ofNullable(node.getSpec()).map(NodeSpec::getTaints).orElse(List.of());
  }

  private static Map<String, Quantity> memory(Map<String, Quantity> quantities) {
    Map<String, Quantity> memory = new TreeMap<>(quantities);
    memory.keySet().removeIf(resource -> !NodeMemory.concerns(resource));
    return memory;
  }

  private static Map<String, Quantity> slots(Map<String, Quantity> quantities) {
    Map<String, Quantity> slots = new TreeMap<>(quantities);
    slots.keySet().removeIf(resource -> !resource.startsWith(ApiGroup.SLOT_RESOURCE_PREFIX));
    return slots;
  }

  private static Map<String, Quantity> counted(Map<String, Quantity> quantities) {
    Map<String, Quantity> counted = slots(quantities);
    for (String resource : COUNTED) {
      if (quantities.containsKey(resource)) {
        counted.put(resource, quantities.get(resource));
      }
    }
    return counted;
  }

  /** What pods can request of a node; empty if the kubelet has not written it. */
  public static Optional<BigDecimal> allocatable(Node node, String resource) {
    return Optional.ofNullable(allocatable(node).get(resource)).map(Quantity::getNumericalAmount);
  }

  private static Map<String, Quantity> capacity(Node node) {
    return Optional.ofNullable(node.getStatus()).map(s -> s.getCapacity()).orElse(Map.of());
  }

  private static Map<String, Quantity> allocatable(Node node) {
    return Optional.ofNullable(node.getStatus()).map(s -> s.getAllocatable()).orElse(Map.of());
  }
}
