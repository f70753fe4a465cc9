package io.numaspark.render.autoscaler;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.topology.NodeTopology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of a node before it exists: the slots of the plan, its size, and the labels and
 * taints that a profile names.
 *
 * <p>Limit: it is an empty node. What DaemonSets take from the slots of each node is not known
 * before there is one. A toleration says which taint is tolerated and not that nodes have it; a
 * taint is assumed, because with it no other pods make the group grow.
 *
 * @param profile name of the profile
 * @param slots slots of an empty node, at least 1
 * @param cpus online hardware threads of a node
 * @param memoryBytes memory of a node
 * @param labels labels that each node needs to be selected by the profile
 * @param requirements the profile's selector as requirements, in its order
 * @param taints at most one of each key
 * @param open what the profile leaves open, in sentences for people
 */
public record NodeTemplate(
    String profile,
    int slots,
    int cpus,
    long memoryBytes,
    SortedMap<String, String> labels,
    List<LabelSelectorRequirement> requirements,
    List<NodeTaint> taints,
    List<String> open) {

  /** Taints that Kubernetes itself sets while a node has a problem. */
  private static final List<String> KUBERNETES_OWN =
      List.of("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/");

  private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  public NodeTemplate {
    requirements = List.copyOf(requirements);
    taints = List.copyOf(taints);
    open = List.copyOf(open);
  }

  /**
   * The nodes of a layout.
   *
   * @param layout usable, with at least one slot
   */
  public static NodeTemplate of(SparkNodeProfile profile, Layout layout) {
    NodeTopology topology = layout.nodeClass().machine().topology();
    List<String> open = new ArrayList<>();
    if (layout.nodeClass().machine().isPinnedByRuntime()) {
      open.add(
          "The container runtime pins these nodes: the chart needs agent.pinner.enabled=true.");
    }
    LabelSelector selector = profile.getSpec().nodeSelector();
    return new NodeTemplate(
        profile.getMetadata().getName(),
        layout.slots().size(),
        topology.cpus().size(),
        topology.memoryBytes(),
        labels(selector, open),
        requirements(selector),
        taints(Objects.requireNonNullElse(profile.getSpec().tolerations(), List.of()), open),
        open);
  }

  /** The extended resource that counts the slots. */
  String resource() {
    return ApiGroup.slotResource(profile);
  }

  private static SortedMap<String, String> labels(LabelSelector selector, List<String> open) {
    SortedMap<String, String> labels = new TreeMap<>(matchLabels(selector));
    for (LabelSelectorRequirement expression : matchExpressions(selector)) {
      List<String> values = Objects.requireNonNullElse(expression.getValues(), List.of());
      switch (expression.getOperator()) {
        case "In" -> {
          if (values.size() == 1) {
            labels.put(expression.getKey(), values.get(0));
          } else if (!labels.containsKey(expression.getKey())) {
            open.add(
                "spec.nodeSelector selects several values of the label %s: add the one that these nodes have (%s)."
                    .formatted(expression.getKey(), String.join(", ", values)));
          }
        }
        case "Exists" -> {
          if (!labels.containsKey(expression.getKey())) {
            open.add(
                "spec.nodeSelector selects any value of the label %s: add the one that these nodes have."
                    .formatted(expression.getKey()));
          }
        }
        default -> {
          // NotIn and DoesNotExist name labels that the nodes do not have.
        }
      }
    }
    return labels;
  }

  private static List<LabelSelectorRequirement> requirements(LabelSelector selector) {
    List<LabelSelectorRequirement> requirements = new ArrayList<>();
    new TreeMap<>(matchLabels(selector))
        .forEach(
            (key, value) ->
                requirements.add(new LabelSelectorRequirement(key, "In", List.of(value))));
    requirements.addAll(matchExpressions(selector));
    return requirements;
  }

  private static Map<String, String> matchLabels(LabelSelector selector) {
    return Objects.requireNonNullElse(selector.getMatchLabels(), Map.of());
  }

  private static List<LabelSelectorRequirement> matchExpressions(LabelSelector selector) {
    return Objects.requireNonNullElse(selector.getMatchExpressions(), List.of());
  }

  private static List<NodeTaint> taints(List<Toleration> tolerations, List<String> open) {
    Map<String, NodeTaint> taints = new LinkedHashMap<>();
    for (Toleration toleration : tolerations) {
      String key = Objects.requireNonNullElse(toleration.getKey(), "");
      String effect = Objects.requireNonNullElse(toleration.getEffect(), "");
      if (key.isEmpty()) {
        open.add(
            "spec.tolerations has an entry without a key: add the taints that the nodes have.");
      } else if (KUBERNETES_OWN.stream().anyMatch(key::startsWith)
          || key.equals(NodeTaint.SLOTS_PENDING)) {
        continue;
      } else if (!EFFECTS.contains(effect)) {
        open.add(
            "spec.tolerations tolerates the taint %s with every effect: add the taint as the nodes have it."
                .formatted(key));
      } else if (taints.containsKey(key)) {
        open.add(
            "spec.tolerations has several entries for the taint %s: only the first is here."
                .formatted(key));
      } else {
        taints.put(key, new NodeTaint(key, value(toleration, open), effect));
      }
    }
    return List.copyOf(taints.values());
  }

  private static String value(Toleration toleration, List<String> open) {
    String operator = Objects.requireNonNullElse(toleration.getOperator(), "Equal");
    if (!operator.equals("Equal")) {
      open.add(
          "spec.tolerations tolerates every value of the taint %s: if the nodes have one, write it."
              .formatted(toleration.getKey()));
      return "";
    }
    return Objects.requireNonNullElse(toleration.getValue(), "");
  }
}
