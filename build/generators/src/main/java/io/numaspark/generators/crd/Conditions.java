package io.numaspark.generators.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Kubernetes' conventions for status.conditions (metav1.Condition): fields that programs can rely
 * on, and one condition of each type, by which lists are merged.
 *
 * <p>Limit: lists are merged by type only where the operator replaces statuses. A list that was
 * applied before its schema said so keeps what is no longer applied (ConditionListIT). Conditions
 * with fields of their own, which an agent writes, are left as they are.
 */
final class Conditions {
  private static final String GENERATION = "observedGeneration";
  private static final String TRANSITION = "lastTransitionTime";

  private Conditions() {}

  /**
   * Changes the schema of a kind.
   *
   * @param merged whether lists are merged by type
   */
  static void follow(ObjectNode schema, boolean merged) {
    if (schema.at("/properties/status/properties/observedGeneration") instanceof ObjectNode own) {
      own.put("format", "int64");
    }
    JsonNode conditions = schema.at("/properties/status/properties/conditions");
    JsonNode fields = conditions.at("/items/properties");
    if (!fields.has(GENERATION) || !fields.has(TRANSITION)) {
      return;
    }
    if (merged) {
      ObjectNode list = (ObjectNode) conditions;
      list.put("x-kubernetes-list-type", "map");
      list.putArray("x-kubernetes-list-map-keys").add("type");
    }
    ObjectNode item = (ObjectNode) conditions.get("items");
    List.of("type", "status").forEach(item.putArray("required")::add);
    ((ObjectNode) fields.get(TRANSITION)).put("format", "date-time");
    ((ObjectNode) fields.get(GENERATION)).put("format", "int64").put("minimum", 0);
    ((ObjectNode) fields.get("status")).putArray("enum").add("True").add("False").add("Unknown");
  }
}
