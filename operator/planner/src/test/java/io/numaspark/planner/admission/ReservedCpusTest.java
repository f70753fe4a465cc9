package io.numaspark.planner.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.planner.fixture.Topologies;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which CPUs a kubelet reserves when only their number is configured. */
class ReservedCpusTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dualSocketHt       |  0 | ''",
        "dualSocketHt       |  1 | 0",
        "dualSocketHt       |  2 | 0,16",
        "dualSocketHt       |  3 | 0-1,16",
        "dualSocketHt       |  4 | 0-1,16-17",
        "labVm              |  2 | 0-1",
        "labVm              |  3 | 0-2",
        "dualSocketSubNuma4 |  4 | 0-1,48-49",
        "powerSmt8          |  8 | 0,24,48,72,96,120,144,168",
        "powerSmt8          |  2 | 0,24",
        "singleSocketNoSmt  |  2 | 0-1",
        "withMemoryNode     |  2 | 0,16"
      })
  void theKubeletPicksWholeCoresOfTheFirstNumaNode(String topology, int count, String cpus) {
    assertThat(
            ReservedCpus.choose(
                Topologies.all().get(topology), new TreeMap<>(), Optional.empty(), count))
        .hasToString(cpus);
  }

  @Test
  void aReservationOfAWholeNumaNodeTakesIt() {
    assertThat(
            ReservedCpus.choose(Topologies.dualSocketHt(), new TreeMap<>(), Optional.empty(), 16))
        .hasToString("0-7,16-23");
  }

  @Test
  void distributeAcrossNumaSpreadsAReservationThatIsTooLargeForOneNode() {
    assertThat(
            ReservedCpus.choose(
                Topologies.dualSocketHt(),
                new TreeMap<>(Map.of("distribute-cpus-across-numa", "true")),
                Optional.empty(),
                20))
        .hasToString("0-4,8-12,16-20,24-28");
  }

  @Test
  void moreThanThereAreIsRefused() {
    assertThatThrownBy(
            () ->
                ReservedCpus.choose(
                    Topologies.dualSocketHt(), new TreeMap<>(), Optional.empty(), 33))
        .hasMessageContaining("cannot reserve 33 of 32 CPUs");
  }
}
