package io.numaspark.planner.topology;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.Topologies;
import org.junit.jupiter.api.Test;

class CpuReservationTest {

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
    assertThat(new CpuReservation.None().cpus()).isEqualTo(CpuSet.EMPTY);
  }
}
