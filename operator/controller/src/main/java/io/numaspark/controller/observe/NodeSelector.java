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
   * @throws IllegalArgumentException naming the field, if an expression has an unknown operator, or
   *     misses values or has too many
   */
  public NodeSelector(LabelSelector selector) {
    this.selector = selector;
    expressions().forEach(NodeSelector::check);
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
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      default -> value == null;
    };
  }

  private static void check(LabelSelectorRequirement expression) {
    boolean hasValues = expression.getValues() != null && !expression.getValues().isEmpty();
    switch (String.valueOf(expression.getOperator())) {
      case "In", "NotIn" -> require(hasValues, expression, "needs values");
      case "Exists", "DoesNotExist" -> require(!hasValues, expression, "takes no values");
      default ->
          throw new IllegalArgumentException(
              "spec.nodeSelector.matchExpressions: operator '"
                  + expression.getOperator()
                  + "' of key '"
                  + expression.getKey()
                  + "' is not one of In, NotIn, Exists, DoesNotExist");
    }
  }

  private static void require(
      boolean holds, LabelSelectorRequirement expression, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(
          "spec.nodeSelector.matchExpressions: operator "
              + expression.getOperator()
              + " of key '"
              + expression.getKey()
              + "' "
              + otherwise);
    }
  }
}
