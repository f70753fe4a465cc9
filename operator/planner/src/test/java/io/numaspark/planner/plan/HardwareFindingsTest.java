package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.Policies.exactly;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.topology.Hardware;
import io.numaspark.planner.topology.NodeTopology;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HardwareFindingsTest {

  @ParameterizedTest(name = "{0} cores with {1} threads, guest {2}, {3} of {4} MT/s")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          6  | 2 | false | 1333 | 1333 | ''
          7  | 2 | false | -    | -    | ManyCoresPerSocket
          12 | 1 | false | -    | -    | ''
          12 | 2 | true  | -    | -    | ''
          6  | 2 | false | 1866 | -    | MemoryFasterThanNeeded
          6  | 2 | false | 1066 | 1333 | MemorySlowerThanRated
          6  | 2 | false | -    | 3200 | ''
          12 | 2 | false | 2933 | 3200 | MemoryFasterThanNeeded,MemorySlowerThanRated,ManyCoresPerSocket
          """)
  void advice(int cores, int threads, boolean guest, Integer speed, Integer rated, String reasons) {
    List<Finding> findings =
        Findings.advice(topology(cores, threads), List.of(hardware(guest, speed, rated)));
    assertThat(findings).allMatch(finding -> finding.severity() == Finding.Severity.INFO);
    assertThat(findings)
        .extracting(finding -> finding.reason().displayName())
        .isEqualTo(reasons.isEmpty() ? List.of() : List.of(reasons.split(",")));
  }

  @Test
  void withoutFactsThereIsNoAdvice() {
    assertThat(Findings.advice(topology(12, 2), List.of())).isEmpty();
  }

  @Test
  void nodesOfOneClassAreToldTogether() {
    NodeClass nodes =
        new NodeClass(
            "a",
            3,
            machine(topology(6, 2)).reserving("0,12").build(),
            Set.of(hardware(false, 2933, 3200), hardware(false, 2400, 2666)));
    assertThat(LayoutPlanner.plan(List.of(nodes), exactly(2)).layouts().get(0).findings())
        .extracting(Finding::message)
        .satisfiesExactly(
            message -> assertThat(message).startsWith("the memory runs at 2400 to 2933 MT/s:"),
            message ->
                assertThat(message)
                    .isEqualTo(
                        "the memory runs at 2400 of 2666, 2933 of 3200 MT/s that its modules could"));
  }

  @Test
  void messagesNameTheStudyAndItsLimit() {
    assertThat(Findings.advice(topology(12, 2), List.of(hardware(false, 1866, 1866))))
        .extracting(Finding::message)
        .allMatch(message -> message.contains("Ivy Bridge study of 2016"))
        .allMatch(message -> message.endsWith("not measured on newer machines"));
  }

  private static NodeTopology topology(int cores, int threads) {
    return TopologyBuilder.sockets(2).cores(cores).threads(threads).build();
  }

  private static Hardware hardware(boolean guest, Integer speed, Integer rated) {
    return new Hardware(guest, Optional.ofNullable(speed), Optional.ofNullable(rated));
  }
}
