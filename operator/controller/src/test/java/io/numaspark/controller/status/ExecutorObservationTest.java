package io.numaspark.controller.status;

import static io.numaspark.controller.fixture.Pods.executor;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorCounts;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorShapeInfo;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.observe.ReportedExecutors;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.controller.observe.ReportedExecutors.Placement;
import io.numaspark.planner.topology.Machine;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutorObservationTest {
  private static final ReportedExecutors NOTHING = new Answer(Map.of());
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
              assertThat(info.pinned()).isEqualTo("Unknown");
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
            new ExecutorInfo(
                "1",
                "pi-exec-1",
                "node-1",
                "Running",
                0,
                "1-2,9-10",
                "0",
                "True",
                "Pinned",
                null,
                "Executor",
                null,
                null,
                null));
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
            org.assertj.core.groups.Tuple.tuple("Gone", "1-2,9-10", "True"),
            org.assertj.core.groups.Tuple.tuple("Rejected", null, "Unknown"));
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
      status =
          new StatusDraft(status, 1L).executors(executors.counts(), executors.listed()).build();
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
      status =
          new StatusDraft(status, 1L).executors(executors.counts(), executors.listed()).build();
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
                    new ExecutorInfo(
                        "0",
                        "pi-exec-0",
                        "node-1",
                        "Pending",
                        null,
                        null,
                        null,
                        "Unknown",
                        "N",
                        null)))
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

  private static List<ExecutorInfo> observe(
      List<Pod> pods, ReportedExecutors reported, List<ExecutorInfo> before) {
    return observation(before).observe(pods, reported).all();
  }

  private static ExecutorObservation observation(List<ExecutorInfo> before) {
    return new ExecutorObservation(MACHINES, AGENTS, status(before));
  }

  private static SparkApplicationStatus status(List<ExecutorInfo> executors) {
    return new StatusDraft(SparkApplicationStatus.empty(), 1L)
        .shape(new ExecutorShapeInfo("4", 4, "1Gi", "2Gi", 1))
        .executors(ExecutorObservation.nothing(8), executors)
        .build();
  }

  private static List<String> reasons(List<ExecutorInfo> executors) {
    return executors.stream().map(info -> info.pinned() + " " + info.reason()).toList();
  }
}
