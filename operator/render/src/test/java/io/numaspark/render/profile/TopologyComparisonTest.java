package io.numaspark.render.profile;

import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static io.numaspark.render.fixture.Specs.topology;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.render.profile.TopologyComparison.Difference;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyComparisonTest {
  /** 2 sockets, 1 NUMA node each, 4 cores of 2 threads. */
  private final NodeTopology actual = TopologyTranslator.machine(node("a", 4).getSpec()).topology();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{sockets: 2}",
        "{sockets: 2, numaNodesPerSocket: 1, coresPerNumaNode: 4, threadsPerCore: 2}"
      })
  void whatIsAbsentOrEqualDoesNotDiffer(String expected) {
    assertThat(difference(expected)).isEmpty();
  }

  @Test
  void noExpectationIsNoDifference() {
    assertThat(TopologyComparison.difference(null, actual)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '{sockets: 1}'            | spec.topology.sockets is 1, the node has 2
          '{numaNodesPerSocket: 2}' | spec.topology.numaNodesPerSocket is 2, the node has 1
          '{coresPerNumaNode: 6}'   | spec.topology.coresPerNumaNode (NUMA node 0) is 6, the node has 4; spec.topology.coresPerNumaNode (NUMA node 1) is 6, the node has 4
          '{threadsPerCore: 1}'     | spec.topology.threadsPerCore is 1, the node has 2
          '{sockets: 1, threadsPerCore: 1}' | spec.topology.sockets is 1, the node has 2; spec.topology.threadsPerCore is 1, the node has 2
          """)
  void everyDifferenceNamesItsField(String expected, String difference) {
    assertThat(difference(expected))
        .contains(
            new Difference(
                difference,
                "correct the profile's spec.topology or give the node another profile"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void threadsThatAreOfflineAreNamedInsteadOfAQuotient(int expected) {
    NodeTopology withOneOffline =
        TopologyTranslator.machine(
                topology(
                        "{numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0,4', '1,5', '2,6', '3']}]}")
                    .getSpec())
            .topology();
    Difference difference =
        TopologyComparison.difference(
                profile("topology: {threadsPerCore: %d}".formatted(expected)).topology(),
                withOneOffline)
            .orElseThrow();
    assertThat(difference.message())
        .isEqualTo(
            expected == 2
                ? "spec.topology.threadsPerCore is 2, and 1 of 4 cores have another number of online threads: 1 (CPUs 3)"
                : "spec.topology.threadsPerCore is 1, and 3 of 4 cores have another number of online threads: 2 (CPUs 0,4), 2 (CPUs 1,5), 2 (CPUs 2,6)");
    assertThat(difference.remedy()).startsWith("set all threads online");
  }

  @Test
  void numaNodesWithoutCoresAreNotCounted() {
    NodeTopology withMemoryNode =
        TopologyTranslator.machine(
                topology(
                        "{numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0']},"
                            + " {id: 1, socket: 0, memory: 1, cores: []}]}")
                    .getSpec())
            .topology();
    assertThat(
            TopologyComparison.difference(
                profile("topology: {numaNodesPerSocket: 1, coresPerNumaNode: 1}").topology(),
                withMemoryNode))
        .isEmpty();
  }

  private Optional<Difference> difference(String expected) {
    return TopologyComparison.difference(profile("topology: " + expected).topology(), actual);
  }
}
