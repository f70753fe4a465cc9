package io.numaspark.controller.apply;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Publishes executor slots as extended resources in the status of nodes.
 *
 * <p>The scheduler then counts them, and can never place more executors than fit. Writes only where
 * the node differs.
 */
public record SlotPublisher(KubernetesClient client) {
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  /**
   * Makes a node's slots what they should be, with one write.
   *
   * @param slots by resource; empty to take the resource off the node
   * @return whether something was written
   */
  public boolean publish(Node node, Map<String, Optional<Integer>> slots) {
    Map<String, Optional<Integer>> different = new TreeMap<>(slots);
    different
        .entrySet()
        .removeIf(
            wanted ->
                isCurrent(node.getStatus().getCapacity(), wanted.getKey(), wanted.getValue())
                    && isCurrent(
                        node.getStatus().getAllocatable(), wanted.getKey(), wanted.getValue()));
    if (different.isEmpty()) {
      return false;
    }
    client
        .nodes()
        .withName(node.getMetadata().getName())
        .subresource("status")
        .patch(MERGE, patch(different).toString());
    return true;
  }

  private static boolean isCurrent(
      Map<String, Quantity> quantities, String resource, Optional<Integer> slots) {
    Quantity published =
        Objects.requireNonNullElse(quantities, Map.<String, Quantity>of()).get(resource);
    return slots.isEmpty()
        ? published == null
        : published != null && published.equals(new Quantity(String.valueOf(slots.get())));
  }

  /**
   * Capacity makes it last; allocatable makes it count now and not at the kubelet's next status
   * update.
   */
  private static ObjectNode patch(Map<String, Optional<Integer>> slots) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode status = patch.putObject("status");
    for (String part : new String[] {"capacity", "allocatable"}) {
      ObjectNode quantities = status.putObject(part);
      slots.forEach(
          (resource, count) ->
              count.ifPresentOrElse(
                  some -> quantities.put(resource, String.valueOf(some)),
                  () -> quantities.putNull(resource)));
    }
    return patch;
  }
}
