package io.numaspark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.cluster.NodesDocument.NodeLine;
import io.numaspark.cli.cluster.NodesDocument.ProfileNodes;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodesDocumentTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final SparkNodeTopology topology =
      Seen.topology("a", "status: {heartbeat: \"2026-01-01T11:59:00Z\"}");
  private final SparkNodeProfile profile = Seen.profile("dual", "");

  @Test
  void aNodeHasWhatIsPlannedAndWhatRunsThere() {
    NodesDocument document =
        NodesDocument.of(
            List.of(nodes()),
            Map.of("a", topology),
            List.of(
                Seen.application(
                    "etl",
                    "nodeProfile: dual",
                    "executors: [{pod: e-1, node: a, phase: Running, pinned: \"True\"},"
                        + " {pod: e-2, node: a, phase: Running, pinned: \"False\"},"
                        + " {pod: e-3, node: a, phase: Gone, pinned: \"True\"},"
                        + " {pod: e-4, node: elsewhere, phase: Running, pinned: \"True\"}]")));
    NodeLine line = document.nodes().get(0);
    assertThat(line.slots()).isEqualTo(3);
    assertThat(line.slotsNow()).isEqualTo(2);
    assertThat(line.executors()).isEqualTo(2);
    assertThat(line.notPinned()).isEqualTo(1);
    assertThat(line.numaNodes()).isEqualTo(2);
    assertThat(line.strandedCpus()).isNotEmpty();
    assertThat(document.table(NOW))
        .contains("a     dual     2     Kubelet    3      2    2          1");
  }

  @Test
  void aNodeWithoutATopologyHasTheReasonAsFinding() {
    NodeLine line =
        NodesDocument.of(List.of(nodes()), Map.of("a", topology), List.of()).nodes().get(1);
    assertThat(line.node()).isEqualTo("b");
    assertThat(line.slots()).isZero();
    assertThat(line.heartbeat()).isNull();
    assertThat(line.findings()).isNotEmpty();
  }

  @Test
  void nothingIsSaidInWords() {
    assertThat(new NodesDocument(List.of()).table(NOW))
        .isEqualTo("No node is selected by a SparkNodeProfile.\n");
  }

  private ProfileNodes nodes() {
    return new ProfileNodes(
        profile,
        ProfilePlanner.plan(
            profile.getSpec(),
            List.of(
                new MatchedNode("a", Optional.of(topology)),
                new MatchedNode("b", Optional.empty())),
            false),
        List.of(node("a", "2"), node("b", "0")));
  }

  private static Node node(String name, String slots) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: %s}
        status: {allocatable: {slots.numaspark.io/dual: "%s"}}
        """
            .formatted(name, slots),
        Node.class);
  }
}
