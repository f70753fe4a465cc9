package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import org.junit.jupiter.api.Test;

class TopologyPartsTest {
  private final SparkNodeTopology topology = Samples.dualSocket("a");
  private final String edition = TopologyParts.edition(topology);

  @Test
  void whatIsWrittenForTheAgentIsNoOtherEdition() {
    topology.getMetadata().setGeneration(7L);
    SparkNodeTopology written =
        Serialization.unmarshal(
            "spec: {pins: {profile: p, generation: g, mode: Pin, memory: Bind, sharedCpus: '0', slots: []}}",
            SparkNodeTopology.class);
    topology.setSpec(topology.getSpec().withPins(written.getSpec().pins()));
    assertThat(TopologyParts.edition(topology)).isEqualTo(edition);
  }

  @Test
  void anotherKubeletIsAnotherEdition() {
    SparkNodeTopology other = Samples.dualSocketWithDefaultKubelet("a");
    assertThat(TopologyParts.edition(other)).isNotEqualTo(edition);
  }

  @Test
  void theCachedPartHasTheEditionOfTheWhole() {
    assertThat(TopologyParts.edition(TopologyParts.hardware(topology))).isEqualTo(edition);
  }
}
