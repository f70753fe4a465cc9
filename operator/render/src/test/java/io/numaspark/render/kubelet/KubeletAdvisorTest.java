package io.numaspark.render.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.planner.plan.ShapePolicy;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.render.fixture.Specs;
import io.numaspark.render.profile.ProfileTranslator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeletAdvisorTest {
  private static final long GIB = 1L << 30;
  private static final long MIB = 1L << 20;

  /** NUMA nodes of equal size, siblings adjacent. */
  private static NodeTopology machine(int numaNodes, int cores, int threads, int coresPerCache) {
    List<NumaNode> nodes = new ArrayList<>();
    for (int id = 0; id < numaNodes; id++) {
      int firstCore = id * cores;
      List<Core> ofNode =
          IntStream.range(firstCore, firstCore + cores)
              .mapToObj(core -> new Core(CpuSet.range(core * threads, (core + 1) * threads - 1)))
              .toList();
      List<CpuSet> caches =
          IntStream.range(0, cores / coresPerCache)
              .mapToObj(
                  cache ->
                      CpuSet.range(
                          (firstCore + cache * coresPerCache) * threads,
                          (firstCore + (cache + 1) * coresPerCache) * threads - 1))
              .toList();
      nodes.add(new NumaNode(id, id / 2, 64 * GIB, 0, List.of(), ofNode, caches));
    }
    return new NodeTopology(nodes);
  }

  private static ShapePolicy executorsOf(int min, int max) {
    return ProfileTranslator.policy(
        Specs.profile("executor: {coresPerExecutor: {min: %d, max: %d}}".formatted(min, max)));
  }

  private static SystemReserve cores(int number) {
    return new SystemReserve(OptionalInt.of(number), 2 * GIB, GIB, 100 * MIB);
  }

  private static KubeletRecommendation recommend(
      NodeTopology topology, ShapePolicy policy, SystemReserve reserve) {
    return KubeletAdvisor.recommend(topology, policy, reserve);
  }

  @ParameterizedTest(name = "{0} x {1} cores, executors of {2}, {3} reserved: {4}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # Case B: a core of each NUMA node is left over by executors of 3 cores, twice.
          2 | 8 | 3 | 1 | 0-1
          2 | 8 | 3 | 2 | 0-1,16-17
          2 | 8 | 3 | 3 | 0-3,16-17
          2 | 8 | 3 | 4 | 0-3,16-19
          # The fifth core costs one executor, and so do the sixth and seventh, of the same NUMA node.
          2 | 8 | 3 | 5 | 0-5,16-19
          2 | 8 | 3 | 7 | 0-9,16-19
          # Nothing is left over: all from one NUMA node.
          2 | 8 | 4 | 2 | 0-3
          2 | 8 | 4 | 4 | 0-7
          1 | 8 | 4 | 1 | 0-1
          """)
  void coresAreReservedWhereTheyCostTheFewestExecutors(
      int numaNodes, int coresOfOne, int size, int reserved, String expected) {
    KubeletRecommendation settings =
        recommend(
            machine(numaNodes, coresOfOne, 2, coresOfOne),
            executorsOf(size, size),
            cores(reserved));
    assertThat(settings.reservedCpus()).hasToString(expected);
    assertThat(settings.reservedCpus().intersects(settings.isolatedCpus())).isFalse();
    assertThat(settings.reservedCpus().union(settings.isolatedCpus()).size())
        .isEqualTo(numaNodes * coresOfOne * 2);
  }

  @Test
  void theSizeOfTheExecutorsIsChosenTogetherWithTheReservation() {
    // Executors of 3 cores would leave both cores to NUMA node 0 and use 15; of 4 cores, 16.
    assertThat(recommend(machine(2, 9, 2, 9), executorsOf(3, 4), cores(2)).reservedCpus())
        .hasToString("0-1,18-19");
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 1", "4, 1", "8, 1"})
  void withoutANumberTheCoresOfOneAndAHalfCpusAreReserved(int threads, int reservedCores) {
    KubeletRecommendation settings =
        recommend(machine(2, 8, threads, 8), executorsOf(2, 2), SystemReserve.DEFAULT);
    assertThat(settings.reservedCpus().size()).isEqualTo(reservedCores * threads);
  }

  @ParameterizedTest
  @CsvSource({"1, 3172", "2, 1586 1586", "3, 1058 1057 1057", "8, 397 397 397 397 396 396 396 396"})
  void reservedMemorySumsExactly(int numaNodes, String shares) {
    KubeletRecommendation settings =
        recommend(machine(numaNodes, 8, 2, 8), executorsOf(2, 2), SystemReserve.DEFAULT);
    assertThat(settings.reservedMemoryBytes().values())
        .extracting(bytes -> bytes / MIB)
        .containsExactlyElementsOf(List.of(shares.split(" ")).stream().map(Long::valueOf).toList());
    assertThat(settings.reservedMemoryBytes().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(3 * GIB + 100 * MIB)
        .isEqualTo(settings.reserve().memoryBytes());
  }

  @Test
  void sharesOfZeroAreLeftOut() {
    SystemReserve little = new SystemReserve(OptionalInt.of(1), 0, 0, 3 * MIB);
    assertThat(recommend(machine(4, 8, 2, 8), executorsOf(2, 2), little).reservedMemoryBytes())
        .containsOnlyKeys(0, 1, 2)
        .containsValues(MIB);
  }

  @ParameterizedTest(name = "{0} threads, caches of {1} cores, executors of {2} cores: {3}")
  @CsvSource({
    "2, 24, 6, full-pcpus-only",
    "1, 24, 6, ''",
    "2, 8, 6, full-pcpus-only prefer-align-cpus-by-uncorecache",
    "2, 8, 8, full-pcpus-only prefer-align-cpus-by-uncorecache",
    "2, 8, 12, full-pcpus-only",
    "1, 8, 4, prefer-align-cpus-by-uncorecache"
  })
  void optionsFollowFromThreadsAndCaches(int threads, int coresPerCache, int size, String options) {
    KubeletRecommendation settings =
        recommend(
            machine(2, 24, threads, coresPerCache), executorsOf(size, size), SystemReserve.DEFAULT);
    assertThat(String.join(" ", settings.cpuManagerPolicyOptions().keySet())).isEqualTo(options);
    assertThat(settings.topologyManagerPolicyOptions()).isEmpty();
  }

  @Test
  void moreThanEightNumaNodesMustBeAllowed() {
    assertThat(
            recommend(machine(12, 8, 2, 8), executorsOf(2, 2), SystemReserve.DEFAULT)
                .topologyManagerPolicyOptions())
        .containsOnlyKeys("max-allowable-numa-nodes")
        .containsValue("12");
  }

  @Test
  void memoryOnlyNumaNodesReserveNothing() {
    List<NumaNode> nodes = new ArrayList<>(machine(2, 8, 2, 8).numaNodes());
    nodes.add(new NumaNode(2, 1, 256 * GIB, 0, List.of(), List.of(), List.of()));
    assertThat(
            recommend(new NodeTopology(nodes), executorsOf(2, 2), SystemReserve.DEFAULT)
                .reservedMemoryBytes())
        .containsOnlyKeys(0, 1);
  }

  @Test
  void whatCannotBeIsRefusedWithItsRemedy() {
    assertThatThrownBy(() -> recommend(machine(2, 8, 2, 8), executorsOf(2, 2), cores(16)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("reserving 16 of 16 cores leaves none to executors; reserve fewer");
    assertThatThrownBy(() -> recommend(machine(2, 4, 2, 4), executorsOf(6, 6), cores(1)))
        .hasMessageContaining("the largest NUMA node has 4 cores without reserved threads")
        .hasMessageContaining("set spec.executor.coresPerExecutor.min to at most 4");
    SystemReserve much = new SystemReserve(OptionalInt.of(1), 200 * GIB, 0, 0);
    assertThatThrownBy(() -> recommend(machine(2, 8, 2, 8), executorsOf(2, 2), much))
        .hasMessage(
            "NUMA node 0 has less than the 102400 MiB that would be reserved on it; reserve less memory");
    NodeTopology lone =
        new NodeTopology(
            List.of(
                new NumaNode(
                    0,
                    0,
                    64 * GIB,
                    0,
                    List.of(),
                    List.of(
                        new Core(CpuSet.parse("0-1")),
                        new Core(CpuSet.parse("2-3")),
                        new Core(CpuSet.parse("4"))),
                    List.of())));
    assertThatThrownBy(() -> recommend(lone, executorsOf(1, 1), cores(1)))
        .hasMessageContaining("bring all threads online");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 | 1048576 | 0       | reserved cores: is 0; a static CPU manager needs at least 1
          1 | 1000000 | 0       | kubeReserved memory: 1000000 bytes is not a whole number of MiB
          1 | 0       | -1048576 | systemReserved memory: -1048576 bytes is not a whole number of MiB
          1 | 0       | 0       | no memory is reserved; a static memory manager needs some
          """)
  void amountsThatNoKubeletTakesAreRefused(
      int cores, long kubeBytes, long systemBytes, String message) {
    assertThatThrownBy(() -> new SystemReserve(OptionalInt.of(cores), kubeBytes, systemBytes, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }
}
