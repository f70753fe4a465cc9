package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.cli.trial.TrialSetting.Sizes;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.trial.design.Role;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The studies on a machine with two sockets of 12 cores, and on a small one. */
class StudyTest {
  static final TrialSetting DUAL_SOCKET = setting(2, 12, 2, 98304, true);
  private static final TrialSetting SMALL = setting(1, 2, 1, 2048, false);

  @ParameterizedTest
  @EnumSource(Study.class)
  void everyStudyBeginsWithABaselineAndItsTwoControls(Study study) {
    for (TrialSetting setting : List.of(DUAL_SOCKET, SMALL)) {
      StudyPlan plan = study.plan(setting, 0.2);
      assertThat(plan.arms())
          .extracting(arm -> arm.arm().role())
          .startsWith(Role.BASELINE, Role.SAME, Role.DELAYED);
      assertThat(plan.arms()).extracting(arm -> arm.arm().name()).doesNotHaveDuplicates();
      assertThat(plan.published()).allMatch(sentence -> sentence.endsWith("."));
      assertThat(plan.omitted()).allMatch(sentence -> sentence.endsWith("."));
    }
  }

  @Test
  void bindingBindsOneExecutorForEachNumaNode() {
    StudyPlan plan = Study.BINDING.plan(DUAL_SOCKET, 0.2);
    assertThat(names(plan)).containsExactly("free", "same", "delayed", "cpus", "pinned", "remote");
    assertThat(plan.arms()).allMatch(arm -> arm.executors() == 2 && arm.taskSlots() == 24);
    assertThat(DUAL_SOCKET.shares().of(2).orElseThrow())
        .containsExactly(
            new CoreShare(CpuSet.parse("0-11,24-35"), 0),
            new CoreShare(CpuSet.parse("12-23,36-47"), 1));
    assertThat(DUAL_SOCKET.shares().opposite(0)).isEqualTo(1);
  }

  @Test
  void withoutASecondNumaNodeNothingIsRemote() {
    StudyPlan plan = Study.BINDING.plan(SMALL, 0.2);
    assertThat(names(plan)).containsExactly("free", "same", "delayed", "cpus");
    assertThat(plan.omitted())
        .containsExactly("This machine has one NUMA node, so no memory is remote.");
  }

  @Test
  void executorsAlwaysHaveTheSameCoresInAll() {
    StudyPlan plan = Study.EXECUTORS.plan(DUAL_SOCKET, 0);
    assertThat(names(plan))
        .containsExactly(
            "executors-1",
            "same",
            "executors-2",
            "executors-4",
            "executors-6",
            "executors-8",
            "executors-12",
            "executors-24");
    assertThat(plan.arms()).allMatch(arm -> arm.executors() * arm.taskSlots() == 48);
  }

  @Test
  void moreTaskSlotsThanCpusAreSharedByAnyNumberOfExecutors() {
    TrialSetting waiting =
        new TrialSetting(
            SMALL.topology(),
            "processor",
            new Sizes(6144, OptionalInt.empty(), OptionalInt.of(12), List.of(4, 5, 12, 24)),
            false,
            List.of(),
            Optional.empty(),
            false);
    StudyPlan plan = Study.EXECUTORS.plan(waiting, 0);
    assertThat(names(plan)).containsExactly("executors-1", "same", "executors-4", "executors-12");
    assertThat(plan.arms()).allMatch(arm -> arm.executors() * arm.taskSlots() == 12);
    assertThat(plan.omitted()).containsExactly("12 task slots cannot be divided by 5 or 24.");
  }

  @Test
  void isolatedTasksLeaveTheOtherThreadsIdle() {
    LocalArm isolated = Study.SMT.plan(DUAL_SOCKET, 0).arms().get(2);
    assertThat(isolated.taskSlots()).isEqualTo(12);
    assertThat(Study.SMT.plan(SMALL, 0).omitted()).hasSize(1);
  }

  @Test
  void placesAreWholeCoresOfOneNumaNodeOrNone() {
    CoreShares shares = DUAL_SOCKET.shares();
    assertThat(shares.of(3)).isEmpty();
    assertThat(shares.of(1)).isEmpty();
    for (int executors : List.of(2, 4, 6, 8, 12, 24)) {
      List<CoreShare> found = shares.of(executors).orElseThrow();
      assertThat(found).hasSize(executors);
      assertThat(CpuSet.unionOf(found.stream().map(CoreShare::cpus).toList()).size()).isEqualTo(48);
      assertThat(found).allMatch(share -> share.cpus().size() == 48 / executors);
    }
  }

  private static List<String> names(StudyPlan plan) {
    return plan.arms().stream().map(arm -> arm.arm().name()).toList();
  }

  /** Threads of a core are numbered as on most servers: all first threads, then all second ones. */
  static TrialSetting setting(int sockets, int cores, int threads, int heap, boolean numactl) {
    int all = sockets * cores;
    List<NumaNode> nodes =
        IntStream.range(0, sockets)
            .mapToObj(
                socket ->
                    new NumaNode(
                        socket,
                        socket,
                        64L << 30,
                        0,
                        List.of(),
                        IntStream.range(socket * cores, (socket + 1) * cores)
                            .mapToObj(
                                core ->
                                    new Core(
                                        CpuSet.of(
                                            IntStream.range(0, threads)
                                                .map(thread -> core + thread * all))))
                            .toList(),
                        List.of()))
            .toList();
    return new TrialSetting(
        new NodeTopology(nodes),
        "processor",
        new Sizes(heap, OptionalInt.empty(), OptionalInt.empty(), List.of(2, 4, 6, 8, 12, 24)),
        numactl,
        List.of(),
        Optional.empty(),
        false);
  }
}
