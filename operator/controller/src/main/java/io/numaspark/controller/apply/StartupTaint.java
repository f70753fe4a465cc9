package io.numaspark.controller.apply;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.numaspark.render.autoscaler.NodeTaint;
import java.util.List;

/**
 * Takes the startup taint off nodes whose slots stand, so that autoscalers and the scheduler see
 * both at once.
 *
 * <p>Limit: it never adds the taint; those who create nodes start them with it.
 */
public record StartupTaint(KubernetesClient client) {
  private static final PatchContext JSON = PatchContext.of(PatchType.JSON);

  /**
   * Removes the taint, whatever its value and effect, and no other.
   *
   * @param node with its taints; if they are not the present ones, the API server refuses the patch
   *     and the caller tries again with a newer node
   */
  public void remove(Node node) {
    client
        .nodes()
        .withName(node.getMetadata().getName())
        .patch(JSON, patch(node.getSpec().getTaints()));
  }

  /** From the last to the first, so that a removal moves no taint that is still to be removed. */
  static String patch(List<Taint> taints) {
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    for (int i = taints.size() - 1; i >= 0; i--) {
      if (NodeTaint.SLOTS_PENDING.equals(taints.get(i).getKey())) {
        String path = "/spec/taints/" + i;
        operations
            .addObject()
            .put("op", "test")
            .put("path", path + "/key")
            .put("value", NodeTaint.SLOTS_PENDING);
        operations.addObject().put("op", "remove").put("path", path);
      }
    }
    return operations.toString();
  }
}
