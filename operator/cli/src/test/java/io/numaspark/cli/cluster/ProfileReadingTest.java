package io.numaspark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans of a cluster are those of its operator, which knows whether agents have pinners. */
class ProfileReadingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // spec.pinning | class in the profile's status | topology | pinners
        "{}            | ''                                               | {}                                 | true",
        "{}            | 'pinnedBy: Kubelet, findings: [{reason: CpuManagerNotStatic}]' | {}                   | false",
        "{}            | 'pinnedBy: Kubelet, findings: [{reason: CpuManagerNotStatic}]' | 'status: {pinner: {generation: g}}' | true",
        "{}            | 'pinnedBy: Runtime'                              | {}                                 | true",
        "{}            | 'pinnedBy: Kubelet'                              | {}                                 | true",
        "{by: Kubelet} | 'pinnedBy: Kubelet, findings: [{reason: CpuManagerNotStatic}]' | {}                   | true",
      })
  void theOperatorsDecisionTells(
      String pinning, String nodeClass, String topology, boolean pinners) {
    SparkNodeProfile profile =
        Serialization.unmarshal(
            "metadata: {name: p}\nspec: {nodeSelector: {}, pinning: %s}\nstatus: {nodeClasses: [{name: a%s}]}"
                .formatted(pinning, nodeClass.isEmpty() ? "" : ", " + nodeClass),
            SparkNodeProfile.class);
    SparkNodeTopology seen = Serialization.unmarshal("---\n" + topology, SparkNodeTopology.class);
    assertThat(ProfileReading.hasPinners(List.of(profile), List.of(seen))).isEqualTo(pinners);
  }
}
