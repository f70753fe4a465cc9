package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinnedBy;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.PlanReport;
import io.numaspark.cli.text.TextColumns;
import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.plan.Layout;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The answer of {@code kubectl numaspark nodes}; documented in docs/kubectl.md and kept stable. */
record NodesDocument(List<NodeLine> nodes) {

  /**
   * One node of a profile.
   *
   * @param pinnedBy Kubelet or Runtime; null if its topology is not known
   * @param slots of the empty node, as planned
   * @param slotsNow what the node offers now: less while others hold CPUs, or slots are withheld
   * @param executors that run there, of applications that the reader may list
   * @param heartbeat of its agent; null if it has none
   * @param findings the reasons of its findings, the worst first
   */
  record NodeLine(
      String node,
      String profile,
      int numaNodes,
      PinnedBy pinnedBy,
      int slots,
      int slotsNow,
      int executors,
      int notPinned,
      String strandedCpus,
      String heartbeat,
      List<String> findings) {}

  /**
   * A profile with the nodes that are its own.
   *
   * @param nodes as the API server has them, by name
   */
  record ProfileNodes(SparkNodeProfile profile, ProfilePlan plan, List<Node> nodes) {}

  static NodesDocument of(
      List<ProfileNodes> profiles,
      Map<String, SparkNodeTopology> topologies,
      List<SparkApplication> applications) {
    List<NodeLine> lines = new ArrayList<>();
    for (ProfileNodes one : profiles) {
      for (Node node : one.nodes()) {
        String name = node.getMetadata().getName();
        List<ExecutorInfo> executors = executors(applications, name);
        Optional<Layout> layout = Optional.ofNullable(one.plan().layoutByNode().get(name));
        lines.add(
            new NodeLine(
                name,
                one.profile().getMetadata().getName(),
                layout.map(l -> l.numaNodes().size()).orElse(0),
                layout.map(PlanReport::pinnedBy).orElse(null),
                one.plan().slotsByNode().getOrDefault(name, 0),
                offered(node, one.profile()),
                executors.size(),
                (int) executors.stream().filter(e -> e.pinned() == Pinned.False).count(),
                layout.map(l -> l.strandedCpus().toString()).orElse(""),
                heartbeat(topologies.get(name)),
                findings(name, layout, one.plan())));
      }
    }
    return new NodesDocument(List.copyOf(lines));
  }

  private static int offered(Node node, SparkNodeProfile profile) {
    String resource = ApiGroup.SLOT_RESOURCE_PREFIX + profile.getMetadata().getName();
    Map<String, Quantity> allocatable =
        node.getStatus() == null ? null : node.getStatus().getAllocatable();
    Quantity slots = allocatable == null ? null : allocatable.get(resource);
    return slots == null ? 0 : slots.getNumericalAmount().intValue();
  }

  private static List<ExecutorInfo> executors(List<SparkApplication> applications, String node) {
    return applications.stream()
        .map(SparkApplication::getStatus)
        .filter(Objects::nonNull)
        .map(SparkApplicationStatus::executors)
        .filter(Objects::nonNull)
        .flatMap(List::stream)
        .filter(info -> node.equals(info.node()) && "Running".equals(info.phase()))
        .toList();
  }

  private static String heartbeat(SparkNodeTopology topology) {
    return topology == null || topology.getStatus() == null
        ? null
        : topology.getStatus().heartbeat();
  }

  private static List<String> findings(String node, Optional<Layout> layout, ProfilePlan plan) {
    Stream<String> ofLayout =
        layout.stream()
            .flatMap(l -> l.findings().stream())
            .sorted(Comparator.comparing(Finding::severity))
            .map(finding -> finding.reason().displayName());
    Stream<String> ofNode =
        plan.unusable().stream()
            .filter(unusable -> unusable.node().equals(node))
            .map(Unusable::reason);
    return Stream.concat(ofNode, ofLayout).distinct().toList();
  }

  /** As a table. */
  String table(Instant now) {
    if (nodes.isEmpty()) {
      return "No node is selected by a SparkNodeProfile.\n";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "NODE",
            "PROFILE",
            "NUMA",
            "PINNED BY",
            "SLOTS",
            "NOW",
            "EXECUTORS",
            "NOT PINNED",
            "STRANDED",
            "AGENT",
            "FINDINGS"));
    for (NodeLine line : nodes) {
      rows.add(
          List.of(
              line.node(),
              line.profile(),
              String.valueOf(line.numaNodes()),
              line.pinnedBy() == null ? "" : line.pinnedBy().name(),
              String.valueOf(line.slots()),
              String.valueOf(line.slotsNow()),
              String.valueOf(line.executors()),
              String.valueOf(line.notPinned()),
              line.strandedCpus(),
              Age.of(line.heartbeat(), now),
              String.join(",", line.findings())));
    }
    return TextColumns.print(rows, Colours::of);
  }
}
