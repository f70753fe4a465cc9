package io.numaspark.controller.apply;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.render.text.Labels;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes what node agents are to do: the wishes in a topology, and the label by which a node gets
 * its agent.
 *
 * <p>Each write names its one field only, so that what the agent writes beside it is never touched.
 */
public final class AgentOrders {
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
  private static final PatchContext JSON = PatchContext.of(PatchType.JSON);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final KubernetesClient client;
  private final boolean agents;

  /**
   * Orders for the agents of a cluster.
   *
   * @param agents whether there are any: without them the operator has not the rights to order, and
   *     every order would be an error that is tried again for ever
   */
  public AgentOrders(KubernetesClient client, boolean agents) {
    this.client = client;
    this.agents = agents;
  }

  /**
   * Makes spec.knobs of a topology what it should be, if it is not.
   *
   * @param knobs empty for none
   */
  public void wish(SparkNodeTopology topology, Optional<WantedKnobs> knobs) {
    WantedKnobs now =
        Optional.ofNullable(topology.getSpec()).map(SparkNodeTopologySpec::knobs).orElse(null);
    if (!agents || Objects.equals(now, knobs.orElse(null))) {
      return;
    }
    order(topology, "knobs", knobs);
  }

  /**
   * Makes spec.pins of a topology what it should be, if it is not.
   *
   * @param pins empty for none
   */
  public void pin(SparkNodeTopology topology, Optional<WantedPins> pins) {
    WantedPins now =
        Optional.ofNullable(topology.getSpec()).map(SparkNodeTopologySpec::pins).orElse(null);
    if (agents && !Objects.equals(now, pins.orElse(null))) {
      order(topology, "pins", pins);
    }
  }

  /** Makes spec.reportLoad of a topology what it should be, if it is not. */
  public void reportLoad(SparkNodeTopology topology, boolean wanted) {
    boolean now =
        Optional.ofNullable(topology.getSpec())
            .map(SparkNodeTopologySpec::reportLoad)
            .orElse(false);
    if (agents && now != wanted) {
      order(topology, "reportLoad", wanted ? Optional.of(true) : Optional.empty());
    }
  }

  private void order(SparkNodeTopology topology, String field, Optional<?> wish) {
    Resource<SparkNodeTopology> resource =
        client.resources(SparkNodeTopology.class).withName(topology.getMetadata().getName());
    if (wish.isPresent()) {
      patch(resource, JSON, replacement(field, wish.get()));
    } else {
      ObjectNode none = JsonNodeFactory.instance.objectNode();
      none.putObject("spec").putNull(field);
      patch(resource, MERGE, none.toString());
    }
  }

  /** A merge would keep what is wanted no more. */
  private static String replacement(String field, Object wish) {
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    operations
        .addObject()
        .put("op", "add")
        .put("path", "/spec/" + field)
        .set("value", MAPPER.valueToTree(wish));
    return operations.toString();
  }

  /**
   * Makes the agent's label of a node what it should be, if it is not.
   *
   * @param label empty to take it off
   */
  public void assign(Node node, Optional<String> label) {
    Map<String, String> labels =
        Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
    if (!agents || Objects.equals(labels.get(Labels.AGENT), label.orElse(null))) {
      return;
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").putObject("labels").put(Labels.AGENT, label.orElse(null));
    patch(client.nodes().withName(node.getMetadata().getName()), MERGE, patch.toString());
  }

  /** What is gone by now needs no order. */
  private static <T extends HasMetadata> void patch(
      Resource<T> resource, PatchContext kind, String patch) {
    try {
      resource.patch(kind, patch);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }
}
