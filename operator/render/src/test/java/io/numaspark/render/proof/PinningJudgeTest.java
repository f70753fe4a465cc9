package io.numaspark.render.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.planner.plan.RuntimePinning;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.PinnedBy;
import io.numaspark.render.fixture.Machines;
import io.numaspark.render.pins.PinOutcome;
import io.numaspark.render.proof.PinningJudge.Evidence;
import io.numaspark.render.proof.PinningJudge.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PinningJudgeTest {
  private static final Machine DUAL_SOCKET = Machines.dualSocket();
  private static final int EXPECTED_CPUS = 4;
  private static final Diagnosis SHARED = new Diagnosis(ExecutorReason.SHARED_CPUS, "why");

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
        judge(
            Evidence.ofExecutor(
                new Placement(cpus, memoryNodes),
                Optional.ofNullable(other).map(CpuSet::parse).map(List::of).orElse(List.of())));
    assertThat(verdict.pinned()).hasToString(pinned);
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
    Machine machine = Machines.dualSocketWithDefaultKubelet();
    assertThat(judge(of("1-2,9-10", "0-1"), EXPECTED_CPUS, machine).message())
        .endsWith("; set memoryManagerPolicy: Static on the kubelet");
  }

  /** With one NUMA node there is no other memory to get. */
  @Test
  void aSingleNumaMachineNeedsNoMemoryManager() {
    Machine machine = Machines.singleSocket();
    assertThat(judge(of("1-2", null), 2, machine))
        .isEqualTo(new Verdict(Pinned.True, "Pinned", "", Optional.of(0)));
  }

  /**
   * NUMA node 0 has CPUs 0-3,8-11 and node 1 has 4-7,12-15; `none` is an agent that has looked and
   * found nothing.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      nullValues = "-",
      textBlock =
          """
          #                                  kubelet        kernel         executor       other
          all three agree                  | 1-2,9-10 0   | 1-2,9-10 0   | 1-2,9-10 0   | -         | True    | Pinned               | 0
          kubelet and kernel agree         | 6-7,14-15 1  | 6-7,14-15 1  | -            | 1-2,9-10  | True    | Pinned               | 1
          kubelet and executor agree       | 1-2,9-10 0   | -            | 1-2,9-10 0   | -         | True    | Pinned               | 0
          the kubelet alone                | 1-2,9-10 0   | -            | -            | -         | Unknown | KernelNotRead        | -
          the kernel has others            | 1-2,9-10 0   | 0-15 0       | -            | -         | False   | KernelDisagrees      | 0
          an old runc has moved it         | 9-10 0       | 1-2 0        | 9-10 0       | -         | False   | MovedByRunc          | 0
          an old runc moves nothing below 8 | 1-2 0       | 2-3 0        | -            | -         | False   | KernelDisagrees      | 0
          the kernel has others, it agrees | 1-2,9-10 0   | 2-3,10-11 0  | 2-3,10-11 0  | -         | False   | KernelDisagrees      | 0
          another program has moved it     | 1-2,9-10 0   | 6-7,14-15 0  | 1-2,9-10 0   | -         | False   | KernelDisagrees      | 0
          one of its CPUs is gone          | 1-2,9-10,16 0 | 1-2,9-10 0  | -            | -         | False   | CpusOffline          | -
          it has fewer, all are online     | 1-2,9-10 0   | 1-2,9 0      | -            | -         | False   | KernelDisagrees      | 0
          the kubelet has moved it         | 1-2,9-10 0   | 1-2,9-10 0   | 6-7,14-15 0  | -         | False   | MovedByKubelet       | 0
          moved, and memory stays behind   | 1-2,9-10 0   | 1-2,9-10 1   | -            | -         | False   | MovedByKubelet       | 0
          the executor has others          | 1-2,9-10 0   | 1-2,9-10 0   | 0-15 0       | -         | False   | ExecutorDisagrees    | 0
          memory of the kernel             | 1-2,9-10 0   | 1-2,9-10 0-1 | -            | -         | False   | KernelDisagrees      | 0
          memory of the executor           | 1-2,9-10 0   | 1-2,9-10 0   | 1-2,9-10 0-1 | -         | False   | ExecutorDisagrees    | 0
          no memory manager                | 1-2,9-10 -   | 1-2,9-10 0-1 | -            | -         | False   | MemorySpansNumaNodes | 0
          no memory manager, bound anyway  | 1-2,9-10 -   | 1-2,9-10 0   | -            | -         | True    | Pinned               | 0
          only the kernel knows of it      | - -          | 1-2,9-10 0   | 1-2,9-10 0   | -         | False   | NotExclusive         | 0
          memory of its own, CPUs shared   | - 0          | 0-15 0       | -            | -         | False   | CpuNotWhole          | -
          the agent found nothing          | none         | -            | -            | -         | False   | CpuNotWhole          | -
          nothing, and it is shared        | none         | -            | 0-15 0-1     | -         | False   | CpuNotWhole          | -
          nothing, though it looks pinned  | none         | -            | 1-2,9-10 0   | -         | False   | CpuNotWhole          | 0
          another number than asked for    | 1,9 0        | 1,9 0        | -            | -         | False   | OtherNumberOfCpus    | 0
          on two NUMA nodes                | 3-4,11-12 0  | 3-4,11-12 0  | -            | -         | False   | SpansNumaNodes       | -
          parts of cores                   | 1-3,9 0      | 1-3,9 0      | -            | -         | False   | PartialCores         | 0
          a foreign container has one too  | 1-2,9-10 0   | 1-2,9-10 0   | -            | 2         | False   | CpusNotExclusive     | 0
          the kubelet's list is broken     | 1-x 0        | 1-2,9-10 0   | -            | -         | Unknown | NotReadable          | -
          the kernel's list is broken      | 1-2,9-10 0   | 1-x 0        | -            | -         | False   | KernelDisagrees      | 0
          """)
  void allWhoTellMustAgree(
      String what,
      String kubelet,
      String kernel,
      String executor,
      String other,
      String pinned,
      String reason,
      Integer numaNode) {
    Optional<ExclusiveContainer> agent =
        kubelet.equals("none")
            ? Optional.empty()
            : Optional.of(
                new ExclusiveContainer(
                    "ns",
                    "pod",
                    "c",
                    null,
                    null,
                    part(kubelet, 0),
                    part(kubelet, 1),
                    part(kernel, 0),
                    part(kernel, 1),
                    null,
                    null,
                    null,
                    null));
    Verdict verdict =
        judge(
            new Evidence(
                new Placement(part(executor, 0), part(executor, 1)),
                true,
                agent,
                Optional.ofNullable(other).map(CpuSet::parse).stream().toList()));
    assertThat(verdict.reason()).as(verdict.message()).isEqualTo(reason);
    assertThat(verdict.pinned()).hasToString(pinned);
    assertThat(verdict.numaNode()).isEqualTo(Optional.ofNullable(numaNode));
    assertThat(verdict.message().isEmpty()).isEqualTo("Pinned".equals(reason));
  }

  @Test
  void contradictionsAreToldWithBothSides() {
    ExclusiveContainer agent =
        new ExclusiveContainer(
            "ns", "pod", "c", null, null, "1-2,9-10", "0", "0-15", "0", null, null, null, null);
    assertThat(
            judge(new Evidence(new Placement(null, null), true, Optional.of(agent), List.of()))
                .message())
        .isEqualTo(
            "the kubelet has given it CPUs 1-2,9-10, but the kernel lets it use 0-15: another program has changed the cpuset of its"
                + " container (AllowedCPUs of systemd, or a write to cpuset.cpus), and the kubelet does not set it again; stop that"
                + " program, then delete the pod");
  }

  @ParameterizedTest(name = "settled {0}, executor {1}")
  @CsvSource(
      nullValues = "-",
      value = {
        "false, '1-2,9-10', Pinned",
        "false, -, KernelNotRead",
        "true, '1-2,9-10', NotRestricted",
        "true, -, NotRestricted"
      })
  void whatTheKernelDoesNotRestrictIsNotPinned(boolean settled, String executor, String reason) {
    ExclusiveContainer agent =
        new ExclusiveContainer(
            "ns", "pod", "c", null, null, "1-2,9-10", "0", null, null, null, null, null, null);
    Placement own = new Placement(executor, executor == null ? null : "0");
    Verdict verdict =
        judge(new Evidence(own, true, Optional.of(agent), settled, List.of(), Optional.empty()));
    assertThat(verdict.reason()).as(verdict.message()).isEqualTo(reason);
  }

  @Test
  void theCauseOfASharedPoolIsTold() {
    assertThat(
            judge(new Evidence(new Placement(null, null), true, Optional.empty(), List.of()))
                .message())
        .isEqualTo(
            "it has not got 4 of its own: the kubelet keeps it in the shared pool; it asks for 3.5 CPUs");
  }

  /**
   * NUMA node 0 has CPUs 0-3,8-11, and 0,8 are shared. Whoever was pinned late started on the
   * shared CPUs.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      nullValues = "-",
      textBlock =
          """
          pinned                        | PINNED         | BIND  | 1-2,9-10 0   | 1-2,9-10 0   | True  | Pinned               | -
          late, and young               | PINNED_LATE    | BIND  | 1-2,9-10 0   | 1-2,9-10 0   | True  | PinnedLate           | -
          late, its memory is not bound | PINNED_LATE    | BIND  | 1-2,9-10 -   | 1-2,9-10 0-1 | False | PinnedLate           | its memory is not bound
          late, and nobody binds memory | PINNED_LATE    | LOCAL | 1-2,9-10 -   | 1-2,9-10 0-1 | True  | PinnedLate           | -
          memory of others              | PINNED         | BIND  | 1-2,9-10 -   | 1-2,9-10 0-1 | False | MemorySpansNumaNodes | log of the node's pinner
          an earlier layout             | EARLIER_LAYOUT | BIND  | 1-2,9-10 0   | 1-2,9-10 0   | True  | Pinned               | -
          the same, and others run there| EARLIER_LAYOUT | BIND  | 0-1,8-9 0    | 0-1,8-9 0    | False | EarlierLayout        | delete its pod
          shares CPUs nevertheless      | PINNED         | BIND  | 0-1,8-9 0    | 0-1,8-9 0    | False | CpusNotExclusive     | status.exclusive
          on two NUMA nodes             | PINNED         | BIND  | 3-4,11-12 0  | 3-4,11-12 0  | False | SpansNumaNodes       | log of the node's pinner
          parts of cores                | PINNED         | BIND  | 1-3,9 0      | 1-3,9 0      | False | PartialCores         | log of the node's pinner
          set by another program        | ALREADY_SET    | BIND  | - -          | 1-2,9-10 0-1 | False | CpuNotWhole          | -
          """)
  void whereTheRuntimePins(
      String what,
      PinOutcome outcome,
      PinnedBy.Memory memory,
      String given,
      String kernel,
      String pinned,
      String reason,
      String message) {
    Machine machine =
        new RuntimePinning(1, OptionalLong.empty(), memory)
            .pin(Machines.dualSocketWithDefaultKubelet());
    ExclusiveContainer agent =
        new ExclusiveContainer(
            "ns",
            "pod",
            "c",
            null,
            null,
            part(given, 0),
            part(given, 1),
            part(kernel, 0),
            part(kernel, 1),
            null,
            null,
            null,
            null);
    Verdict verdict =
        new PinningJudge(
                new Evidence(
                    new Placement(null, null),
                    true,
                    Optional.of(agent),
                    true,
                    List.of(CpuSet.parse("0,8")),
                    Optional.of(outcome)),
                EXPECTED_CPUS,
                machine,
                () -> new Diagnosis("CpuNotWhole", "the cause"))
            .judge();
    assertThat(verdict.reason()).as(verdict.message()).isEqualTo(reason);
    assertThat(verdict.pinned()).hasToString(pinned);
    assertThat(verdict.message())
        .contains(message == null ? "" : message)
        .doesNotContain("kubelet");
  }

  private static String part(String claims, int part) {
    String value = claims == null ? "-" : claims.split(" ")[part];
    return value.equals("-") ? null : value;
  }

  private static String message(String cpus, String memoryNodes) {
    return judge(of(cpus, memoryNodes)).message();
  }

  private static Evidence of(String cpus, String memoryNodes) {
    return Evidence.ofExecutor(new Placement(cpus, memoryNodes), List.of());
  }

  /** Executors alone are judged with the general cause, others with one of their own. */
  private static Verdict judge(Evidence evidence) {
    Diagnosis cause =
        evidence.agentTells()
            ? new Diagnosis("CpuNotWhole", "it asks for 3.5 CPUs")
            : new Diagnosis("SharedCpus", "check that the kubelet's cpuManagerPolicy is static");
    return new PinningJudge(evidence, EXPECTED_CPUS, DUAL_SOCKET, () -> cause).judge();
  }

  private static Verdict judge(Evidence evidence, int expectedCpus, Machine machine) {
    return new PinningJudge(
            evidence,
            expectedCpus,
            machine,
            () -> {
              throw new AssertionError("not in the shared pool");
            })
        .judge();
  }

  /** A trial's arm without pins: what it finds is no fault, and pins that are there are seen. */
  @Test
  void whereNothingIsEnforcedTheReasonSaysSo() {
    Evidence shared = Evidence.ofExecutor(new Placement("1-15", "0-1"), List.of());
    Verdict verdict =
        new PinningJudge(shared, EXPECTED_CPUS, DUAL_SOCKET.observed(), () -> SHARED).judge();
    assertThat(verdict.pinned()).isEqualTo(Pinned.False);
    assertThat(verdict.reason()).isEqualTo("NotEnforced");
    assertThat(verdict.message()).contains("Observe", "1-15");
    Evidence own = Evidence.ofExecutor(new Placement("1-2,9-10", "0"), List.of());
    assertThat(
            new PinningJudge(own, EXPECTED_CPUS, DUAL_SOCKET.observed(), () -> SHARED)
                .judge()
                .pinned())
        .isEqualTo(Pinned.True);
  }
}
