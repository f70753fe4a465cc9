package io.numaspark.controller.status;

import static io.numaspark.controller.fixture.Pods.executor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.ExecutorCounters;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.ExecutorInfo.Reporter;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorCounts;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorShapeInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ReasonCount;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.observe.ReportedExecutors;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.proof.AgentReports;
import io.numaspark.render.proof.Placement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutorObservationTest {
  private static final ReportedExecutors NOTHING = new Answer(Map.of());
  private static final ReportedExecutors NO_DRIVER = new NoAnswer("it is off");
  private static final ReportedExecutors FIRST_IS_PINNED =
      new Answer(Map.of("1", new Placement("1-2,9-10", "0")));

  private static final AgentReports AGENTS =
      AgentReports.of(node -> Optional.empty(), Instant.EPOCH);

  private static final Map<String, Machine> MACHINES =
      Map.of("node-1", Samples.machine(Samples.dualSocket("node-1")));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TopologyAffinityError",
        "UnexpectedAdmissionError",
        "SMTAlignmentError",
        "OutOfcpu",
        "OutOfmemory",
        "OutOfslots.numaspark.io/dual"
      })
  void aPodThatTheKubeletRefusedIsRejected(String reason) {
    Pod pod = executor(1, "Failed", reason);
    assertThat(ExecutorObservation.isRejected(pod)).isTrue();
    assertThat(observe(List.of(pod), NOTHING, null))
        .singleElement()
        .satisfies(
            info -> {
              assertThat(info.phase()).isEqualTo("Rejected");
              assertThat(info.reason()).isEqualTo(reason);
              assertThat(info.pinned()).isEqualTo(Pinned.Unknown);
              assertThat(info.message())
                  .isEqualTo("the kubelet of node-1 refused the pod: said so");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"Evicted", "NodeLost", "null"})
  void aPodThatFailedForAnotherReasonIsNotRejected(String reason) {
    assertThat(ExecutorObservation.isRejected(executor(1, "Failed", reason))).isFalse();
  }

  @Test
  void aReportedExecutorIsJudged() {
    assertThat(observe(List.of(executor(1, "Running", "null")), FIRST_IS_PINNED, null))
        .containsExactly(
            ExecutorInfo.of("1", "pi-exec-1", "node-1", "Running")
                .cpus(0, "1-2,9-10", "0")
                .verdict(Pinned.True, "Pinned", null)
                .report(Reporter.Executor, null, null, null)
                .build());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      nullValues = "none",
      value = {
        "a node that fell silent,                Running, none,     False, none,               Unknown",
        "one of which Kubernetes says so,        Running, NodeLost, True,  none,               Unknown",
        "a container that is not ready yet,      Running, none,     False, ContainersNotReady, Running",
        "a pod that runs,                        Running, none,     True,  none,               Running",
        "a pod that waits,                       Pending, none,     False, none,               Pending"
      })
  void anExecutorOnASilentNodeIsNotTakenForARunningOne(
      String what, String phase, String reason, String ready, String why, String shown) {
    ExecutorInfo before =
        observe(List.of(executor(1, "Running", "null")), FIRST_IS_PINNED, null).get(0);
    Pod pod = executor(1, phase, String.valueOf(reason));
    pod.getStatus().setReason(reason);
    pod.getStatus()
        .setConditions(
            List.of(
                new PodConditionBuilder()
                    .withType("Ready")
                    .withStatus(ready)
                    .withReason(why)
                    .build()));
    ExecutorInfo now = observe(List.of(pod), FIRST_IS_PINNED, List.of(before)).get(0);
    assertThat(now.phase()).isEqualTo(shown);
    assertThat(now.cpus()).isEqualTo("1-2,9-10");
    if (shown.equals("Unknown")) {
      assertThat(now.pinned()).isEqualTo(Pinned.Unknown);
      assertThat(now.reason()).isEqualTo("NodeUnreachable");
      assertThat(now.message()).contains("node-1", "spark.network.timeout");
      ExecutorInfo gone = observe(List.of(), FIRST_IS_PINNED, List.of(now)).get(0);
      assertThat(gone.phase()).isEqualTo("Gone");
      assertThat(gone.reason()).isEqualTo("NodeUnreachable");
    }
  }

  @Test
  void executorsOnSilentNodesAreNotCounted() {
    Pod silent = executor(2, "Running", "null");
    silent
        .getStatus()
        .setConditions(
            List.of(new PodConditionBuilder().withType("Ready").withStatus("False").build()));
    ExecutorCounts counts =
        new ExecutorObservation(MACHINES, AGENTS, status(null))
            .observe(List.of(executor(1, "Running", "null"), silent), FIRST_IS_PINNED)
            .counts();
    assertThat(counts.running()).isEqualTo(1);
    assertThat(counts.pinned()).isEqualTo(1);
    assertThat(counts.unknown()).isZero();
  }

  @Test
  void whyNothingIsKnownIsTold() {
    List<Pod> running = List.of(executor(1, "Running", "null"));
    assertThat(reasons(observe(running, NOTHING, null))).containsExactly("Unknown NotRegistered");
    assertThat(reasons(observe(running, new NoAnswer("it is off"), null)))
        .containsExactly("Unknown DriverNotAnswering");
    assertThat(reasons(observe(running, new Answer(Map.of("1", new Placement(null, null))), null)))
        .containsExactly("Unknown NotReported");
    assertThat(
            reasons(
                new ExecutorObservation(Map.of(), AGENTS, status(null))
                    .observe(running, FIRST_IS_PINNED)
                    .all()))
        .containsExactly("Unknown NoTopology");
    assertThat(
            reasons(
                observe(List.of(executor(1, "Pending", "null")), new NoAnswer("it is off"), null)))
        .containsExactly("Unknown NotRegistered");
  }

  @Test
  void executorsThatShareCpusAreNotPinned() {
    ReportedExecutors overlapping =
        new Answer(
            Map.of("1", new Placement("1-2,9-10", "0"), "2", new Placement("2-3,10-11", "0")));
    List<Pod> pods = List.of(executor(1, "Running", "null"), executor(2, "Running", "null"));
    assertThat(reasons(observe(pods, overlapping, null)))
        .containsExactly("False CpusNotExclusive", "False CpusNotExclusive");
    List<Pod> oneEnded = List.of(executor(1, "Running", "null"), executor(2, "Succeeded", "null"));
    assertThat(reasons(observe(oneEnded, overlapping, null)).get(0))
        .as("CPUs of an ended executor are given out again")
        .isEqualTo("True Pinned");
  }

  @Test
  void whatWasReportedOnceIsKept() {
    List<Pod> pods = List.of(executor(1, "Running", "null"));
    List<ExecutorInfo> first = observe(pods, FIRST_IS_PINNED, null);
    assertThat(observe(pods, new NoAnswer("busy"), first)).isEqualTo(first);
  }

  @Test
  void goneExecutorsKeepTheirFacts() {
    List<ExecutorInfo> before =
        observe(
            List.of(executor(1, "Running", "null"), executor(2, "Failed", "TopologyAffinityError")),
            FIRST_IS_PINNED,
            null);
    List<ExecutorInfo> after = observe(List.of(), NOTHING, before);
    assertThat(after)
        .extracting(ExecutorInfo::phase, ExecutorInfo::cpus, ExecutorInfo::pinned)
        .containsExactly(
            tuple("Gone", "1-2,9-10", Pinned.True), tuple("Rejected", null, Pinned.Unknown));
    assertThat(observe(List.of(), NOTHING, after)).isEqualTo(after);
  }

  /** Deleted by its driver, with the exit code of one that was asked to stop. */
  @Test
  void aFailedExecutorThatIsBeingDeletedKeepsItsFailure() {
    Pod failed = executor(1, "Failed", "null");
    List<ExecutorInfo> before = observe(List.of(failed), NOTHING, null);
    assertThat(before).extracting(ExecutorInfo::reason).containsExactly("ExecutorFailed");
    Pod deleted = executor(1, "Failed", "null");
    deleted.getMetadata().setDeletionTimestamp("2026-11-21T08:00:00Z");
    assertThat(observe(List.of(deleted), NOTHING, before)).isEqualTo(before);
  }

  @Test
  void executorsStandInTheOrderOfTheirIdsAndThoseThatAreGoneLast() {
    List<ExecutorInfo> before = observe(List.of(executor(1, "Running", "null")), NOTHING, null);
    assertThat(
            observe(
                List.of(
                    executor(10, "Running", "null"),
                    executor(9, "Running", "null"),
                    executor(100, "Pending", "null")),
                NOTHING,
                before))
        .extracting(ExecutorInfo::id)
        .containsExactly("9", "10", "100", "1");
  }

  @Test
  void aStatusShowsTheFirst50AndCountsAll() {
    List<Pod> pods =
        IntStream.rangeClosed(1, 60).mapToObj(id -> executor(id, "Running", "null")).toList();
    Executors executors = observation(null).observe(pods, NOTHING);
    assertThat(executors.listed()).hasSize(50).last().extracting(ExecutorInfo::id).isEqualTo("50");
    assertThat(executors.counts().running()).isEqualTo(60);
  }

  /** As an EPYC node with two sockets has them twice: 47 executors each. */
  @Test
  void theOneThatIsNotPinnedIsListedWhateverItsNumber() {
    List<Pod> pods =
        IntStream.rangeClosed(1, 94).mapToObj(id -> executor(id, "Running", "null")).toList();
    Map<String, Placement> placements = Map.of("60", new Placement("0-15", "0-1"));
    Executors executors = observation(null).observe(pods, new Answer(placements));
    SparkApplicationStatus status =
        new StatusDraft(status(null), 1L, Instant.EPOCH).executors(executors).build();
    assertThat(status.executors()).hasSize(50).first().extracting(ExecutorInfo::id).isEqualTo("60");
    assertThat(status.executors().subList(1, 50))
        .extracting(ExecutorInfo::id)
        .startsWith("1", "2")
        .doesNotHaveDuplicates();
    assertThat(status.runningExecutors().reasons().stream().mapToInt(ReasonCount::executors).sum())
        .isEqualTo(94);
    assertThat(status.executorCounts().running()).isEqualTo(94);
  }

  @Test
  void theLastFailuresAreAmongThe50() {
    List<Pod> pods =
        IntStream.rangeClosed(1, 120)
            .mapToObj(id -> executor(id, id % 2 == 0 ? "Failed" : "Running", "null"))
            .toList();
    List<ExecutorInfo> listed = observation(null).observe(pods, NOTHING).listed();
    assertThat(listed).hasSize(50);
    assertThat(listed.subList(40, 50))
        .extracting(ExecutorInfo::id)
        .containsExactly("102", "104", "106", "108", "110", "112", "114", "116", "118", "120");
  }

  /** However often it is seen, by whichever operator. */
  @Test
  void eachFailureIsCountedOnce() {
    Pod rejected = executor(1, "Failed", "TopologyAffinityError");
    Pod failed = executor(7, "Failed", "null");
    SparkApplicationStatus status = status(null);
    for (List<Pod> seen :
        List.of(List.of(rejected), List.of(rejected, failed), List.of(failed), List.<Pod>of())) {
      Executors executors =
          new ExecutorObservation(MACHINES, AGENTS, status).observe(seen, NOTHING);
      status = new StatusDraft(status, 1L, Instant.EPOCH).executors(executors).build();
    }
    assertThat(status.executorCounts().failed()).isEqualTo(1);
    assertThat(status.executorCounts().rejected()).isEqualTo(1);
    assertThat(status.executorCounts().counted()).isEqualTo("1,7");
    assertThat(status.executors())
        .extracting(ExecutorInfo::phase)
        .containsExactly("Rejected", "Failed");
  }

  @Test
  void countsStayTrueBeyondWhatIsListed() {
    SparkApplicationStatus status = status(null);
    for (int id = 1; id <= 500; id++) {
      Executors executors =
          new ExecutorObservation(MACHINES, AGENTS, status)
              .observe(List.of(executor(id, "Failed", "null")), NOTHING);
      status = new StatusDraft(status, 1L, Instant.EPOCH).executors(executors).build();
    }
    assertThat(status.executorCounts().failed()).isEqualTo(500);
    assertThat(status.executorCounts().counted()).isEqualTo("1-500");
    assertThat(status.executors()).hasSizeLessThanOrEqualTo(50);
  }

  @Test
  void counts() {
    Executors executors =
        observation(
                List.of(
                    ExecutorInfo.of("0", "pi-exec-0", "node-1", "Pending")
                        .verdict(Pinned.Unknown, "N", null)
                        .build()))
            .observe(
                List.of(
                    executor(1, "Running", "null"),
                    executor(2, "Running", "null"),
                    executor(3, "Running", "null"),
                    executor(4, "Pending", "null"),
                    executor(5, "Failed", "null"),
                    executor(6, "Failed", "TopologyAffinityError")),
                new Answer(
                    Map.of(
                        "1",
                        new Placement("1-2,9-10", "0"),
                        "2",
                        new Placement("4-5,12-13", "0-1"))));
    assertThat(executors.counts())
        .as("an executor that is gone or failed will not report any more")
        .isEqualTo(new ExecutorCounts(8, 1, 3, 1, 1, 1, 1, 2, "5-6"));
  }

  @Test
  void theWordOfAnAgentIsEnough() {
    assertThat(
            agentObserve(
                "{cpus: '1-2,9-10', kernelCpus: '1-2,9-10', memoryNodes: '0', kernelMemoryNodes: '0', localMemoryPercent: 97, throttledPercent: 0}",
                NO_DRIVER,
                null))
        .isEqualTo(
            ExecutorInfo.of("1", "pi-exec-1", "node-1", "Running")
                .cpus(0, "1-2,9-10", "0")
                .verdict(Pinned.True, "Pinned", null)
                .report(Reporter.Agent, null, 97, 0)
                .build());
  }

  @Test
  void whatAnAgentHasCountedIsSaidUntilItMoves() {
    String entry =
        "{cpus: '1-2,9-10', kernelCpus: '1-2,9-10', memoryNodes: '0', counts: {milliseconds: %d, cycles: 1000000, instructions: %d}}";
    ExecutorInfo before = agentObserve(entry.formatted(10_000, 1_500_000), NO_DRIVER, null);
    assertThat(before.counters()).isEqualTo(new ExecutorCounters(1.5, null, null, null, null));
    assertThat(agentObserve(entry.formatted(70_000, 1_590_000), NO_DRIVER, List.of(before)))
        .isEqualTo(before);
    assertThat(
            agentObserve(entry.formatted(70_000, 1_000_000), NO_DRIVER, List.of(before)).counters())
        .isEqualTo(new ExecutorCounters(1.0, null, null, null, null));
  }

  @Test
  void anAgentAndAnExecutorThatAgreeAreBothNamed() {
    ExecutorInfo info =
        agentObserve(
            "{cpus: '1-2,9-10', kernelCpus: '1-2,9-10', memoryNodes: '0'}", FIRST_IS_PINNED, null);
    assertThat(info.pinned()).isEqualTo(Pinned.True);
    assertThat(info.toldBy()).isEqualTo(Reporter.AgentAndExecutor);
  }

  @Test
  void whatOnlyASilentAgentSaidIsNotKept() {
    ExecutorInfo before =
        agentObserve(
            "{cpus: '1-2,9-10', kernelCpus: '1-2,9-10', kernelMemoryNodes: '0'}", NO_DRIVER, null);
    assertThat(before.pinned()).isEqualTo(Pinned.True);
    assertThat(observe(List.of(running()), NO_DRIVER, List.of(before)))
        .singleElement()
        .satisfies(
            info -> {
              assertThat(info.pinned()).isEqualTo(Pinned.Unknown);
              assertThat(info.cpus()).isNull();
              assertThat(info.message())
                  .isEqualTo("it is off; the agent of node node-1 is missing");
            });
  }

  @Test
  void anOperatorThatHasNotReadTheTopologiesYetChangesNothing() {
    ExecutorInfo before =
        agentObserve(
            "{cpus: '1-2,9-10', kernelCpus: '1-2,9-10', kernelMemoryNodes: '0'}", NO_DRIVER, null);
    assertThat(
            new ExecutorObservation(MACHINES, AgentReports.notLoaded(), status(List.of(before)))
                .observe(List.of(running()), NO_DRIVER)
                .all())
        .containsExactly(before);
  }

  /** Else each look of the agent would be a write of every application on the node. */
  @ParameterizedTest(name = "{0} then {1}")
  @CsvSource({"97, 90, 97", "97, 88, 97", "97, 87, 87", "50, 60, 60", "50, 41, 50"})
  void percentsFollowInStepsOfTen(int first, int second, int shown) {
    String entry =
        "{cpus: '1-2,9-10', kernelCpus: '1-2,9-10', kernelMemoryNodes: '0', localMemoryPercent: %d}";
    ExecutorInfo before = agentObserve(entry.formatted(first), NO_DRIVER, null);
    ExecutorInfo after = agentObserve(entry.formatted(second), NO_DRIVER, List.of(before));
    assertThat(after.localMemoryPercent()).isEqualTo(shown);
  }

  @Test
  void percentsThatMoveByLittleComeWithAnotherChange() {
    String entry =
        "{cpus: '1-2,9-10', kernelCpus: '%s', kernelMemoryNodes: '0', throttledPercent: %d}";
    ExecutorInfo before = agentObserve(entry.formatted("1-2,9-10", 3), NO_DRIVER, null);
    ExecutorInfo after = agentObserve(entry.formatted("0-15", 5), NO_DRIVER, List.of(before));
    assertThat(after.reason()).isEqualTo("KernelDisagrees");
    assertThat(after.throttledPercent()).isEqualTo(5);
  }

  @Test
  void cachesAreCountedWhereTheTopologyTellsOfThem() {
    Machine machine =
        Samples.machine(
            Serialization.unmarshal(
                """
                metadata: {name: node-1}
                spec:
                  numaNodes:
                  - {id: 0, socket: 0, memory: 17179869184, cores: ["0", "1", "2", "3", "4", "5"], caches: ["0-1", "2-3", "4-5"]}
                  kubelet: {cpuManagerPolicy: static, reservedCpus: "0"}
                """,
                SparkNodeTopology.class));
    ReportedExecutors reported = new Answer(Map.of("1", new Placement("1-4", "0")));
    assertThat(
            new ExecutorObservation(Map.of("node-1", machine), AGENTS, status(null))
                .observe(List.of(running()), reported)
                .all())
        .extracting(ExecutorInfo::caches, ExecutorInfo::pinned)
        .containsExactly(tuple(3, Pinned.True));
  }

  private static Pod running() {
    Pod pod = executor(1, "Running", "null");
    pod.getStatus()
        .setContainerStatuses(
            List.of(
                Serialization.unmarshal(
                    """
                    name: spark-kubernetes-executor
                    containerID: containerd://c-1
                    state: {running: {startedAt: "2026-01-01T12:00:00Z"}}
                    """,
                    ContainerStatus.class)));
    return pod;
  }

  /** With an agent that tells of executor 1. */
  private static ExecutorInfo agentObserve(
      String entry, ReportedExecutors reported, List<ExecutorInfo> before) {
    SparkNodeTopology topology =
        Serialization.unmarshal(
            """
            metadata: {name: node-1}
            status:
              heartbeat: "2026-01-01T12:05:00Z"
              exclusive:
              - %s
            """
                .formatted("{containerId: c-1, " + entry.substring(1)),
            SparkNodeTopology.class);
    AgentReports agents =
        AgentReports.of(node -> Optional.of(topology), Instant.parse("2026-01-01T12:06:00Z"));
    return new ExecutorObservation(MACHINES, agents, status(before))
        .observe(List.of(running()), reported)
        .all()
        .get(0);
  }

  private static List<ExecutorInfo> observe(
      List<Pod> pods, ReportedExecutors reported, List<ExecutorInfo> before) {
    return observation(before).observe(pods, reported).all();
  }

  private static ExecutorObservation observation(List<ExecutorInfo> before) {
    return new ExecutorObservation(MACHINES, AGENTS, status(before));
  }

  private static SparkApplicationStatus status(List<ExecutorInfo> executors) {
    return new StatusDraft(SparkApplicationStatus.empty(), 1L, Instant.EPOCH)
        .shape(new ExecutorShapeInfo("4", 4, "1Gi", "512Mi", "2Gi", 1))
        .executors(
            new Executors(
                ExecutorObservation.nothing(8),
                Objects.requireNonNullElse(executors, List.<ExecutorInfo>of())))
        .build();
  }

  private static List<String> reasons(List<ExecutorInfo> executors) {
    return executors.stream().map(info -> info.pinned() + " " + info.reason()).toList();
  }
}
