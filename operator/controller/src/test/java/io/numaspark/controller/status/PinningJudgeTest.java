package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.observe.ReportedExecutors.Placement;
import io.numaspark.controller.status.PinningJudge.Verdict;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PinningJudgeTest {
  private static final Machine DUAL_SOCKET = Samples.machine(Samples.dualSocket("n"));
  private static final int EXPECTED_CPUS = 4;

  /** Core 0 of the machine is CPUs 0,8; NUMA node 0 has cores 0-3, NUMA node 1 has cores 4-7. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      nullValues = "-",
      textBlock =
          """
          pinned to NUMA node 0         | 1-2,9-10    | 0   | -         | True    | Pinned               | 0
          pinned to NUMA node 1         | 6-7,14-15   | 1   | 1-2,9-10  | True    | Pinned               | 1
          cores that are not neighbours | 1,3,9,11    | 0   | -         | True    | Pinned               | 0
          shared pool                   | 1-15        | 0-1 | -         | False   | SharedCpus           | -
          shared pool of one NUMA node  | 1-3,9-11    | 0   | -         | False   | SharedCpus           | 0
          fewer CPUs than requested     | 1,9         | 0   | -         | False   | SharedCpus           | 0
          spans NUMA nodes              | 3-4,11-12   | 0-1 | -         | False   | SpansNumaNodes       | -
          overlaps another executor     | 1-2,9-10    | 0   | 2-3,10-11 | False   | CpusNotExclusive     | 0
          partial cores                 | 1-3,9       | 0   | -         | False   | PartialCores         | 0
          memory from both NUMA nodes   | 1-2,9-10    | 0-1 | -         | False   | MemorySpansNumaNodes | 0
          memory from the wrong node    | 1-2,9-10    | 1   | -         | False   | MemorySpansNumaNodes | 0
          memory nodes not reported     | 1-2,9-10    | -   | -         | False   | MemorySpansNumaNodes | 0
          nothing reported              | -           | -   | -         | Unknown | NotReported          | -
          """)
  void judges(
      String what,
      String cpus,
      String memoryNodes,
      String other,
      String pinned,
      String reason,
      Integer numaNode) {
    Verdict verdict =
        PinningJudge.judge(
            new Placement(cpus, memoryNodes),
            EXPECTED_CPUS,
            DUAL_SOCKET,
            Optional.ofNullable(other).map(CpuSet::parse).map(List::of).orElse(List.of()));
    assertThat(verdict.pinned()).isEqualTo(pinned);
    assertThat(verdict.reason()).isEqualTo(reason);
    assertThat(verdict.numaNode()).isEqualTo(Optional.ofNullable(numaNode));
    assertThat(verdict.message().isEmpty()).isEqualTo("Pinned".equals(reason));
  }

  @Test
  void messagesNameTheNumbersAndTheRemedy() {
    assertThat(message("0-15", "0-1"))
        .contains("16 CPUs (0-15) instead of 4 of its own")
        .contains("cpuManagerPolicy is static");
    assertThat(message("3-4,11-12", "0-1"))
        .contains("3-4,11-12")
        .contains("topologyManagerPolicy: single-numa-node");
    assertThat(message("1-3,9", "0")).contains("full-pcpus-only");
    assertThat(message("1-2,9-10", "0-1"))
        .contains("memory from 0-1")
        .contains("memory_manager_state");
  }

  @Test
  void theRemedyForMemoryDependsOnTheKubelet() {
    Machine machine = Samples.machine(Samples.dualSocketWithDefaultKubelet("n"));
    assertThat(
            PinningJudge.judge(new Placement("1-2,9-10", "0-1"), EXPECTED_CPUS, machine, List.of())
                .message())
        .endsWith("; set memoryManagerPolicy: Static on the kubelet");
  }

  /** With one NUMA node there is no other memory to get. */
  @Test
  void aSingleNumaMachineNeedsNoMemoryManager() {
    Machine machine = Samples.machine(Samples.singleSocket("n"));
    assertThat(PinningJudge.judge(new Placement("1-2", null), 2, machine, List.of()))
        .isEqualTo(new Verdict("True", "Pinned", "", Optional.of(0)));
  }

  private static String message(String cpus, String memoryNodes) {
    return PinningJudge.judge(
            new Placement(cpus, memoryNodes), EXPECTED_CPUS, DUAL_SOCKET, List.of())
        .message();
  }
}
