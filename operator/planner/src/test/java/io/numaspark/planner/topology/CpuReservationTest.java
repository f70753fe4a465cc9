package io.numaspark.planner.topology;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.Topologies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuReservationTest {

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
    assertThat(new CpuReservation.Counted(count).resolve(Topologies.all().get(topology)))
        .hasToString(cpus);
  }

  @Test
  void aListIsTakenAsItIs() {
    Machine machine = machine(Topologies.dualSocketHt()).reserving("0,8,16,24").build();
    assertThat(machine.reservedCpus()).hasToString("0,8,16,24");
    assertThat(machine.freeCores(machine.topology().numaNodes().get(1)))
        .extracting(Core::id)
        .containsExactly(9, 10, 11, 12, 13, 14, 15);
  }

  @Test
  void noneIsEmpty() {
    assertThat(new CpuReservation.None().resolve(Topologies.labVm())).isEqualTo(CpuSet.EMPTY);
  }
}
