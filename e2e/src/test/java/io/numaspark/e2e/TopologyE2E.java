package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.render.profile.TopologyTranslator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node that a profile selects needs no typing: its agent says what it is, as lscpu, numactl and
 * the kubelet do. Runs on every topology of the lab.
 */
@Tag("topology")
@Order(3)
class TopologyE2E {
  private static final Duration START = Duration.ofMinutes(8);
  private static final String AGENT_NAMESPACE = "numaspark-agent";
  private static final long MEBIBYTE = 1L << 20;

  private static JsonNode topology;
  private static List<NumaNode> numaNodes;

  @BeforeAll
  static void letTheAgentSayWhatTheNodeIs() {
    // Only for the selector: whether this topology is what the profile expects does not matter
    // here.
    Lab.apply(Lab.demo("profile.yaml")).orFail();
    Lab.awaitObject(
        "sparknodetopologies.numaspark.io", NodeTools.NODE, START, object -> object.has("status"));
    Lab.delete("sparknodetopologies.numaspark.io", NodeTools.NODE);
    topology =
        Lab.awaitObject(
            "sparknodetopologies.numaspark.io",
            NodeTools.NODE,
            START,
            object ->
                Lab.condition(object, "TopologyRead").path("status").asText().equals("True")
                    && Lab.condition(object, "PinningRead").path("status").asText().equals("True"));
    numaNodes =
        TopologyTranslator.machine(
                Serialization.unmarshal(topology.toString(), SparkNodeTopology.class).getSpec())
            .topology()
            .numaNodes();
  }

  @Test
  void coresAndThreadsAreThoseOfLscpu() {
    Map<Integer, List<List<Integer>>> byNode = NodeTools.coresByNumaNode();
    assertThat(numaNodes).extracting(NumaNode::id).containsExactlyElementsOf(byNode.keySet());
    for (NumaNode node : numaNodes) {
      assertThat(node.cores().stream().map(core -> list(core.threads())).toList())
          .as("cores of NUMA node %d", node.id())
          .containsExactlyInAnyOrderElementsOf(byNode.get(node.id()));
    }
  }

  @Test
  void memoryAndDistancesAreThoseOfNumactl() {
    Map<Integer, NodeTools.NumaNode> byId = NodeTools.numactl();
    assertThat(numaNodes).hasSize(byId.size());
    for (NumaNode node : numaNodes) {
      NodeTools.NumaNode expected = byId.get(node.id());
      assertThat(list(node.cpus())).isEqualTo(expected.cpus());
      assertThat(node.memoryBytes() / MEBIBYTE).isEqualTo(expected.mebibytes());
      assertThat(node.distances()).isEqualTo(expected.distances());
    }
  }

  @Test
  void systemIsWhatUnameSays() {
    assertThat(topology.at("/spec/system/kernel").asText()).isEqualTo(NodeTools.run("uname -r"));
    assertThat(topology.at("/spec/system/architecture").asText())
        .isEqualTo(NodeTools.run("uname -m"));
    assertThat(topology.at("/status/bootId").asText())
        .isEqualTo(NodeTools.run("cat /proc/sys/kernel/random/boot_id"));
  }

  @Test
  void kubeletIsWhatItSaysThatItRunsWith() {
    JsonNode configz =
        Lab.json(
                Lab.kubectl("get", "--raw", "/api/v1/nodes/" + NodeTools.NODE + "/proxy/configz")
                    .orFail()
                    .out())
            .path("kubeletconfig");
    JsonNode kubelet = topology.at("/spec/kubelet");
    for (String field :
        List.of(
            "cpuManagerPolicy",
            "topologyManagerPolicy",
            "topologyManagerScope",
            "memoryManagerPolicy",
            "cpuManagerPolicyOptions")) {
      assertThat(kubelet.path(field)).as(field).isEqualTo(configz.path(field));
    }
    assertThat(kubelet.path("reservedCpus").asText())
        .isEqualTo(configz.path("reservedSystemCPUs").asText());
  }

  /** Kubernetes' own word: the warnings that it gives when a namespace gets a stricter standard. */
  @Test
  void theAgentPassesBaselineAndMissesOfRestrictedOnlyTheUserAndTheSweepersRights() {
    assertThat(
            Lab.get("namespace", AGENT_NAMESPACE)
                .at("/metadata/labels/pod-security.kubernetes.io~1enforce")
                .asText())
        .isEqualTo("baseline");
    String warnings =
        Lab.kubectl(
                "label",
                "namespace",
                AGENT_NAMESPACE,
                "--dry-run=server",
                "--overwrite",
                "pod-security.kubernetes.io/enforce=restricted")
            .orFail()
            .err();
    assertThat(warnings.lines().filter(line -> line.contains("numaspark-agent-")))
        .isNotEmpty()
        .allMatch(
            line ->
                line.endsWith(": unrestricted capabilities, runAsNonRoot != true, runAsUser=0"));
  }

  /** Without a reserved CPU; see PodResources of the kubelet. */
  @Test
  void allocatableCpusAreAllButTheReservedOnes() {
    CpuSet all = CpuSet.unionOf(numaNodes.stream().map(NumaNode::cpus).toList());
    CpuSet reserved = CpuSet.parse(topology.at("/spec/kubelet/reservedCpus").asText());
    assertThat(topology.at("/status/allocatableCpus").asText())
        .isEqualTo(all.minus(reserved).toString());
  }

  private static List<Integer> list(CpuSet cpus) {
    List<Integer> list = new ArrayList<>();
    cpus.stream().forEach(list::add);
    return list;
  }
}
