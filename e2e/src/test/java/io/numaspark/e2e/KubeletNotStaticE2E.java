package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node whose kubelet runs with cpuManagerPolicy none is told, and gets no executors. */
@Tag("kubelet-none")
@Order(20)
class KubeletNotStaticE2E {
  private static final Duration START = Duration.ofMinutes(8);

  @Test
  void theProfileNamesTheSettingAndTheNodeHasNoSlots() {
    Lab.apply(Lab.demo("profile.yaml").replace("pinning:\n", "pinning:\n    by: Kubelet\n"))
        .orFail();
    JsonNode topology =
        Lab.awaitObject(
            "sparknodetopologies.numaspark.io",
            NodeTools.NODE,
            START,
            object -> Lab.condition(object, "TopologyRead").path("status").asText().equals("True"));
    assertThat(topology.at("/spec/kubelet/cpuManagerPolicy").asText()).isEqualTo("none");
    JsonNode profile =
        Lab.awaitObject(
            "sparknodeprofiles.numaspark.io",
            "dual-socket",
            START,
            object -> object.at("/status/nodes/unusable").asInt() == 1);
    JsonNode node = profile.at("/status/unusableNodes/0");
    assertThat(node.path("name").asText()).isEqualTo(NodeTools.NODE);
    assertThat(node.path("reason").asText()).as(node.toString()).isEqualTo("CpuManagerNotStatic");
    assertThat(node.path("message").asText()).contains("cpuManagerPolicy: static");
    assertThat(Lab.get("node", NodeTools.NODE).at("/status/allocatable").fieldNames())
        .toIterable()
        .noneMatch(resource -> resource.startsWith("slots.numaspark.io/"));
  }
}
