package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.cli.trial.ExecutorWatch.Seen;
import io.numaspark.cli.trial.ProcessFacts.Allowed;
import io.numaspark.planner.topology.CpuSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run that was not what its arm says does not count. */
class ProofTest {
  private static final CoreShares MACHINE = StudyTest.setting(2, 2, 1, 4096, true).shares();
  private static final CpuSet ALL = CpuSet.parse("0-3");
  private static final LocalArm FREE = LocalArm.baseline("free", "", 2, 2);

  @Test
  void freeExecutorsMayUseAllCpus() {
    assertThat(faults(FREE, seen("0-3", 50, 50), seen("0-3", 50, 50))).isEmpty();
    assertThat(faults(FREE, seen("0-1", 50, 50), seen("0-3", 50, 50)))
        .containsExactly("Executor 0 might use CPUs 0-1 instead of 0-3.");
  }

  @Test
  void boundExecutorsHaveTheirCpus() {
    LocalArm cpus = FREE.bound(Binding.CPUS);
    assertThat(faults(cpus, seen("0-1", 0, 0), seen("2-3", 0, 0))).isEmpty();
    assertThat(faults(cpus, seen("2-3", 0, 0), seen("2-3", 0, 0))).hasSize(1);
  }

  @Test
  void boundMemoryIsWhereItShouldBe() {
    LocalArm pinned = FREE.bound(Binding.CPUS_AND_MEMORY);
    assertThat(faults(pinned, seen("0-1", 90, 10), seen("2-3", 10, 90))).isEmpty();
    assertThat(faults(pinned, seen("0-1", 70, 30), seen("2-3", 10, 90)))
        .containsExactly(
            "Executor 0 had 70 % of its pages on NUMA node 0 instead of 80 % or more.");
    assertThat(faults(pinned, seen("0-1", 0, 0), seen("2-3", 10, 90)))
        .containsExactly("The pages of executor 0 could not be read.");
  }

  @Test
  void remoteMemoryIsOnTheOtherSide() {
    LocalArm remote = FREE.bound(Binding.REMOTE_MEMORY);
    assertThat(faults(remote, seen("0-1", 5, 95), seen("2-3", 95, 5))).isEmpty();
    assertThat(faults(remote, seen("0-1", 95, 5), seen("2-3", 95, 5))).hasSize(1);
  }

  @Test
  void everyExecutorIsSeen() {
    assertThat(Proof.faults(FREE, Map.of(0, seen("0-3", 1, 1)), ALL, MACHINE))
        .containsExactly("Executors seen: 1 instead of 2.");
  }

  private static List<String> faults(LocalArm arm, Seen first, Seen second) {
    return Proof.faults(arm, Map.of(0, first, 1, second), ALL, MACHINE);
  }

  private static Seen seen(String cpus, long pagesOfNode0, long pagesOfNode1) {
    return new Seen(1, new Allowed(cpus, "0-1"), Map.of(0, pagesOfNode0, 1, pagesOfNode1));
  }
}
