package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.Node;
import io.numaspark.api.v1alpha1.ApiGroup;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Takes slots off nodes whose profile is gone, for example because it was deleted while no operator
 * ran.
 */
public final class OrphanSlotSweep {
  private final SlotPublisher publisher;

  public OrphanSlotSweep(SlotPublisher publisher) {
    this.publisher = publisher;
  }

  /** Removes every slot resource whose profile is not among the given names. */
  public void sweep(Collection<Node> nodes, Collection<String> profiles) {
    for (Node node : nodes) {
      for (String resource : slotResources(node)) {
        if (!profiles.contains(resource.substring(ApiGroup.SLOT_RESOURCE_PREFIX.length()))) {
          publisher.publish(node, resource, Optional.empty());
        }
      }
    }
  }

  private static List<String> slotResources(Node node) {
    if (node.getStatus() == null || node.getStatus().getCapacity() == null) {
      return List.of();
    }
    return node.getStatus().getCapacity().keySet().stream()
        .filter(resource -> resource.startsWith(ApiGroup.SLOT_RESOURCE_PREFIX))
        .toList();
  }
}
