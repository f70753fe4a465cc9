package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.Policies.exactly;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.topology.Hardware;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HardwareFindingsTest {

  @ParameterizedTest(name = "{0} of {1} MT/s")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          1333 | 1333 | ''
          1866 | -    | ''
          1066 | 1333 | MemorySlowerThanRated
          -    | 3200 | ''
          2933 | 3200 | MemorySlowerThanRated
          """)
  void advice(Integer speed, Integer rated, String reason) {
    assertThat(Findings.advice(List.of(hardware(speed, rated))))
        .allMatch(finding -> finding.severity() == Finding.Severity.INFO)
        .extracting(finding -> finding.reason().displayName())
        .isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
  }

  @Test
  void withoutFactsThereIsNoAdvice() {
    assertThat(Findings.advice(List.of())).isEmpty();
  }

  @Test
  void nodesOfOneClassAreToldTogether() {
    NodeClass nodes =
        new NodeClass(
            "a",
            3,
            machine(TopologyBuilder.sockets(2).cores(6).threads(2).build())
                .reserving("0,12")
                .build(),
            Set.of(hardware(2933, 3200), hardware(2400, 2666)));
    assertThat(LayoutPlanner.plan(List.of(nodes), exactly(2)).layouts().get(0).findings())
        .extracting(Finding::message)
        .containsExactly(
            "the memory runs at 2400 of 2666, 2933 of 3200 MT/s that its modules could");
  }

  private static Hardware hardware(Integer speed, Integer rated) {
    return new Hardware(Optional.ofNullable(speed), Optional.ofNullable(rated));
  }
}
