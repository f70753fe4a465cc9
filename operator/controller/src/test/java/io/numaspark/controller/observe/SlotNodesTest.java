package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.render.profile.NodeFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the cache keeps of a node, and which changes of it make plans anew. */
class SlotNodesTest {

  @ParameterizedTest(name = "from {0} to {1}")
  @CsvSource({
    "v1.35.4, v1.36.0, true",
    "v1.36.0, v1.36.3, false",
    "v1.36.0, v1.36.0+k3s1, false",
    "garbage, '', false",
    "v1.36.0, garbage, true"
  })
  void anUpgradeOfTheKubeletToAnotherMinorVersionPlansAnew(String from, String to, boolean anew) {
    assertThat(SlotNodes.plansDiffer(node(from), node(to))).isEqualTo(anew);
    assertThat(SlotNodes.slotsDiffer(node(from), node(to))).isFalse();
  }

  @Test
  void theMinorVersionIsAllThatIsKeptOfTheNodesPrograms() {
    Node planned = SlotNodes.planned(node("v1.33.4-eks-abc"));
    assertThat(NodeFacts.kubeletVersion(planned)).get().hasToString("1.33");
    assertThat(planned.getStatus().getNodeInfo().getKubeletVersion()).isEqualTo("1.33");
    assertThat(planned.getStatus().getNodeInfo().getBootID()).isEqualTo("boot-1");
    assertThat(planned.getStatus().getNodeInfo().getOsImage()).isNull();
  }

  @Test
  void aNodeWithoutVersionIsKeptWithoutOne() {
    assertThat(NodeFacts.kubeletVersion(SlotNodes.planned(node("garbage")))).isEmpty();
  }

  private static Node node(String version) {
    return Serialization.unmarshal(
        """
        metadata: {name: a, uid: u}
        status:
          nodeInfo: {bootID: boot-1, osImage: Debian, kubeletVersion: "%s"}
        """
            .formatted(version),
        Node.class);
  }
}
