package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A label selector applied to nodes in memory, with Kubernetes' meaning; an empty selector matches
 * every node.
 */
public final class NodeSelector {
  private final LabelSelector selector;

  /**
   * A selector.
   *
   * @throws IllegalArgumentException naming the field, if an expression has an unknown operator or
   *     misses its values
   */
  public NodeSelector(LabelSelector selector) {
    this.selector = selector;
    expressions().forEach(expression -> matches(expression, Map.of()));
  }

  /** Whether a node with these labels is selected. */
  public boolean matches(Map<String, String> nodeLabels) {
    Map<String, String> labels = Objects.requireNonNullElse(nodeLabels, Map.of());
    Map<String, String> wanted = Objects.requireNonNullElse(selector.getMatchLabels(), Map.of());
    return labels.entrySet().containsAll(wanted.entrySet())
        && expressions().stream().allMatch(expression -> matches(expression, labels));
  }

  private List<LabelSelectorRequirement> expressions() {
    return Objects.requireNonNullElse(selector.getMatchExpressions(), List.of());
  }

  private static boolean matches(LabelSelectorRequirement expression, Map<String, String> labels) {
    String value = labels.get(expression.getKey());
    List<String> values = Objects.requireNonNullElse(expression.getValues(), List.of());
    return switch (String.valueOf(expression.getOperator())) {
      case "In" -> value != null && nonEmpty(expression, values).contains(value);
      case "NotIn" -> value == null || !nonEmpty(expression, values).contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default ->
          throw new IllegalArgumentException(
              "spec.nodeSelector.matchExpressions: operator '"
                  + expression.getOperator()
                  + "' of key '"
                  + expression.getKey()
                  + "' is none of In, NotIn, Exists, DoesNotExist");
    };
  }

  private static List<String> nonEmpty(LabelSelectorRequirement expression, List<String> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException(
          "spec.nodeSelector.matchExpressions: operator "
              + expression.getOperator()
              + " of key '"
              + expression.getKey()
              + "' needs values");
    }
    return values;
  }
}
