package io.numaspark.render.autoscaler;

import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.numaspark.render.text.MemorySize;
import io.numaspark.render.text.PlainYaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * The ways in which autoscalers take what a node group will be, while it has no node.
 *
 * <p>The formats are those that the autoscalers' source reads; docs/autoscaling.md names the files.
 * Limit: none was run with a cloud provider; docs/autoscaling.md says what was run instead.
 */
public enum AutoscalerPlatform {
  /** Tags of an Auto Scaling group, for the cluster autoscaler. */
  AWS("aws", "Auto Scaling group") {
    @Override
    String document(NodeTemplate template, String group) {
      List<Map<String, Object>> tags = new ArrayList<>();
      tags(template)
          .forEach(
              (name, value) -> {
                check("the tag " + name, name.length(), LONGEST_AWS_KEY, "AWS");
                Map<String, Object> tag = new LinkedHashMap<>();
                tag.put("ResourceId", group);
                tag.put("ResourceType", "auto-scaling-group");
                tag.put("Key", name);
                tag.put("Value", value);
                tag.put("PropagateAtLaunch", false);
                tags.add(tag);
              });
      return PlainYaml.of(Map.of("Tags", tags));
    }

    @Override
    String howTo(String group) {
      return """
      aws autoscaling create-or-update-tags --cli-input-yaml file://FILE
      An EKS managed node group has an Auto Scaling group of its own; aws eks describe-nodegroup names it.
      """;
    }
  },

  /** Tags of a virtual machine scale set, for the cluster autoscaler. */
  AZURE("azure", "scale set") {
    @Override
    String document(NodeTemplate template, String group) {
      StringBuilder lines = new StringBuilder();
      tags(template)
          .forEach(
              (name, value) -> {
                // Tag names cannot have "/". The autoscaler reads "_" as "/", and "~2" as "_".
                String tag = name.replace("_", "~2").replace('/', '_');
                check("the tag " + tag, tag.length(), LONGEST_AZURE_NAME, "Azure");
                lines.append(tag).append('=').append(value).append('\n');
              });
      return lines.toString();
    }

    @Override
    String howTo(String group) {
      return """
      grep -v '^#' FILE | xargs az tag update --operation Merge --resource-id ID --tags
      ID is the one of the scale set: az vmss show --resource-group RESOURCE_GROUP --name %s --query id
      """
          .formatted(group);
    }
  },

  /** An entry of kube-env in an instance template, for the cluster autoscaler. */
  GCE("gce", "managed instance group") {
    @Override
    String document(NodeTemplate template, String group) {
      StringJoiner variables = new StringJoiner(";");
      if (!template.labels().isEmpty()) {
        variables.add("node_labels=" + pairs(template.labels()));
      }
      if (!template.taints().isEmpty()) {
        variables.add("node_taints=" + taints(template));
      }
      variables.add("extended_resources=" + template.resource() + "=" + template.slots());
      return PlainYaml.of(Map.of("AUTOSCALER_ENV_VARS", variables.toString()));
    }

    @Override
    String howTo(String group) {
      return """
      It belongs to the metadata entry kube-env of the group's instance template. If that has AUTOSCALER_ENV_VARS
      already, add to its lists and keep its other parts (arch, os, kube_reserved).
      GKE writes kube-env itself: docs/autoscaling.md has what its node pools may take instead.
      """;
    }
  },

  /** Annotations of a MachineDeployment, for the cluster autoscaler. */
  CLUSTER_API("cluster-api", "MachineDeployment") {
    @Override
    String document(NodeTemplate template, String group) {
      Map<String, Object> annotations = new LinkedHashMap<>();
      annotations.put(CAPACITY + "cpu", String.valueOf(template.cpus()));
      annotations.put(CAPACITY + "memory", MemorySize.toQuantity(template.memoryBytes()));
      annotations.put(CAPACITY + "gpu-type", template.resource());
      annotations.put(CAPACITY + "gpu-count", String.valueOf(template.slots()));
      if (!template.labels().isEmpty()) {
        annotations.put(CAPACITY + "labels", pairs(template.labels()));
      }
      if (!template.taints().isEmpty()) {
        annotations.put(CAPACITY + "taints", taints(template));
      }
      return PlainYaml.of(Map.of("metadata", Map.of("annotations", annotations)));
    }

    @Override
    String howTo(String group) {
      return """
      kubectl patch machinedeployment %s --type merge --patch-file FILE
      These annotations have no place for a resource of any name, except that of a GPU: gpu-type and gpu-count
      become a resource as they are. So a group with GPUs cannot say that it has slots, too.
      """
          .formatted(group);
    }
  },

  /** A NodeOverlay of Karpenter. */
  KARPENTER("karpenter", "NodePool") {
    @Override
    String document(NodeTemplate template, String group) {
      if (!NODE_POOL.matcher(group).matches()) {
        throw new IllegalArgumentException(
            "--node-group: '%s' is not the name of a NodePool; write at most 63 lower-case letters, digits, '.' or '-'"
                .formatted(group));
      }
      List<Map<String, Object>> requirements = new ArrayList<>();
      requirements.add(requirement("karpenter.sh/nodepool", "In", List.of(group)));
      for (LabelSelectorRequirement wanted : template.requirements()) {
        checkKarpenter(wanted.getKey());
        requirements.add(requirement(wanted.getKey(), wanted.getOperator(), wanted.getValues()));
      }
      check("spec.nodeSelector", requirements.size(), MOST_REQUIREMENTS, "a NodeOverlay");
      Map<String, Object> spec = new LinkedHashMap<>();
      spec.put("requirements", requirements);
      spec.put("capacity", Map.of(template.resource(), String.valueOf(template.slots())));
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("apiVersion", "karpenter.sh/v1alpha1");
      document.put("kind", "NodeOverlay");
      document.put("metadata", Map.of("name", "numaspark-" + template.profile() + "-" + group));
      document.put("spec", spec);
      return PlainYaml.of(document);
    }

    @Override
    String howTo(String group) {
      return """
      kubectl apply -f FILE
      Karpenter needs the feature gate NodeOverlay. The NodePool has the labels and taints of the profile in
      spec.template, and instance types of this topology only: if it has others, add a requirement for
      node.kubernetes.io/instance-type here.
      """;
    }

    @Override
    String startupTaint() {
      return "spec.template.spec.startupTaints of the NodePool";
    }
  };

  private static final String TEMPLATE = "k8s.io/cluster-autoscaler/node-template/";
  private static final String CAPACITY = "capacity.cluster-autoscaler.kubernetes.io/";

  /** Quotas of the EC2 Auto Scaling user guide, "Tag naming and usage restrictions". */
  private static final int LONGEST_AWS_KEY = 128;

  /** Azure Resource Manager, "Use tags to organize your resources", limitations. */
  private static final int LONGEST_AZURE_NAME = 512;

  /** maxItems of spec.requirements in the NodeOverlay's CRD. */
  private static final int MOST_REQUIREMENTS = 100;

  /** What the names of groups have in common, and what no shell takes for something else. */
  private static final Pattern GROUP =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,126}[A-Za-z0-9])?");

  /** A NodePool's name is an object's name and the value of the label karpenter.sh/nodepool. */
  private static final Pattern NODE_POOL = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?");

  private static final Set<String> KARPENTERS_LABELS =
      Set.of("karpenter.sh/capacity-type", "karpenter.sh/nodepool");

  private final String id;
  private final String kind;

  AutoscalerPlatform(String id, String kind) {
    this.id = id;
    this.kind = kind;
  }

  /** The name that the command line knows it by. */
  public String id() {
    return id;
  }

  /** What it calls a group of equal nodes. */
  public String kind() {
    return kind;
  }

  /**
   * What the platform takes, below a comment that says how to apply it and what is left open.
   *
   * @param group name of the node group
   * @param node the node whose topology was planned
   * @throws IllegalArgumentException naming the option or the profile's field, if the platform does
   *     not take its value
   */
  public String text(NodeTemplate template, String group, String node) {
    if (!GROUP.matcher(group).matches()) {
      throw new IllegalArgumentException(
          "--node-group: '%s' is not the name of a node group; write 1 to 128 letters, digits, '.', '_' or '-'"
              .formatted(group));
    }
    StringBuilder text = new StringBuilder();
    comment(
        text,
        "A new node of the %s %s has %d %s of profile %s."
            .formatted(
                kind,
                group,
                template.slots(),
                template.slots() == 1 ? "slot" : "slots",
                template.profile()));
    comment(
        text, "From numaspark plan --for-autoscaler %s, for nodes like %s.".formatted(id, node));
    howTo(group).lines().forEach(line -> comment(text, line));
    comment(
        text,
        "Until its agent has reported, a node has no slots. So that no further node is added meanwhile, start nodes");
    comment(text, "with this taint in " + startupTaint() + "; the operator removes it:");
    comment(text, "  " + NodeTaint.SLOTS_PENDING + ":NoSchedule");
    template.open().forEach(sentence -> comment(text, "Check: " + sentence));
    return text + document(template, group);
  }

  abstract String document(NodeTemplate template, String group);

  abstract String howTo(String group);

  /** Where the startup taint of new nodes is written. */
  String startupTaint() {
    return "the kubelet's --register-with-taints";
  }

  private static void comment(StringBuilder text, String line) {
    text.append(("# " + line).stripTrailing()).append('\n');
  }

  /** Resources, labels and taints as tags, in this order. */
  private static Map<String, String> tags(NodeTemplate template) {
    Map<String, String> tags = new LinkedHashMap<>();
    tags.put(TEMPLATE + "resources/" + template.resource(), String.valueOf(template.slots()));
    template.labels().forEach((key, value) -> tags.put(TEMPLATE + "label/" + key, value));
    template.taints().forEach(t -> tags.put(TEMPLATE + "taint/" + t.key(), t.valueAndEffect()));
    return tags;
  }

  private static String pairs(Map<String, String> pairs) {
    StringJoiner text = new StringJoiner(",");
    pairs.forEach((key, value) -> text.add(key + "=" + value));
    return text.toString();
  }

  private static String taints(NodeTemplate template) {
    Map<String, String> taints = new LinkedHashMap<>();
    template.taints().forEach(taint -> taints.put(taint.key(), taint.valueAndEffect()));
    return pairs(taints);
  }

  private static Map<String, Object> requirement(String key, String operator, List<String> values) {
    Map<String, Object> requirement = new LinkedHashMap<>();
    requirement.put("key", key);
    requirement.put("operator", operator);
    if (values != null && !values.isEmpty()) {
      requirement.put("values", values);
    }
    return requirement;
  }

  private static void checkKarpenter(String label) {
    String domain = label.contains("/") ? label.substring(0, label.indexOf('/')) : "";
    boolean own = domain.equals("karpenter.sh") || domain.endsWith(".karpenter.sh");
    if (label.equals("kubernetes.io/hostname") || (own && !KARPENTERS_LABELS.contains(label))) {
      throw new IllegalArgumentException(
          "spec.nodeSelector: a NodeOverlay takes no label %s; select the nodes by a label of the NodePool's spec.template"
              .formatted(label));
    }
  }

  private static void check(String what, int size, int most, String platform) {
    if (size > most) {
      throw new IllegalArgumentException(
          "%s is too long for %s: %d, and at most %d are possible; shorten the profile's name or labels"
              .formatted(what, platform, size, most));
    }
  }
}
