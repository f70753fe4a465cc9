package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.NamedMachines;
import io.numaspark.planner.fixture.Policies;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.PinnedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the container runtime pins: slots of our own choice, and what is left to all others. */
class RuntimePinningTest {
  private static final long GIB = 1L << 30;

  private static RuntimePinning sharing(int cores) {
    return new RuntimePinning(cores, OptionalLong.empty(), PinnedBy.Memory.BIND);
  }

  /** Two NUMA nodes with caches of four cores, two threads a core: CPUs 0 to 31. */
  private static NodeTopology twoCachesEach() {
    return topology(2, 8, 2, 4);
  }

  private static NodeTopology topology(
      int numaNodes, int coresEach, int threads, int coresOfACache) {
    List<NumaNode> all = new ArrayList<>();
    int next = 0;
    for (int id = 0; id < numaNodes; id++) {
      List<Core> cores = new ArrayList<>();
      List<CpuSet> caches = new ArrayList<>();
      CpuSet cache = CpuSet.EMPTY;
      for (int i = 0; i < coresEach; i++) {
        CpuSet core = CpuSet.range(next, next + threads - 1);
        next += threads;
        cores.add(new Core(core));
        cache = cache.union(core);
        if ((i + 1) % coresOfACache == 0 || i + 1 == coresEach) {
          caches.add(cache);
          cache = CpuSet.EMPTY;
        }
      }
      all.add(new NumaNode(id, id, 64 * GIB, new TreeMap<>(), List.of(), cores, caches));
    }
    return new NodeTopology(all);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // reserved by the kubelet | cores shared of each NUMA node | shared
        "-         | 1 | 0-1,16-17",
        "-         | 0 | 0-1",
        "-         | 2 | 0-3,16-19",
        "0-1       | 1 | 0-1,16-17",
        "3         | 0 | 2-3",
        "4,21      | 1 | 0-1,4-5,16-17,20-21",
        "0-31      | 0 | 0-31",
      })
  void othersShareTheFirstCoresAndThoseThatTheKubeletReserves(
      String reserved, int cores, String shared) {
    var builder = machine(twoCachesEach());
    Machine machine = (reserved == null ? builder : builder.reserving(reserved)).build();
    assertThat(sharing(cores).pin(machine).reservedCpus()).hasToString(shared);
  }

  @Test
  void othersShareAsManyCpusAsTheKubeletCounts() {
    Machine machine = machine(twoCachesEach()).reservingCount(5).build();
    assertThat(sharing(0).pin(machine).reservedCpus().size()).isGreaterThanOrEqualTo(5);
    Machine everything = machine(twoCachesEach()).reservingCount(32).build();
    assertThat(sharing(0).pin(everything).reservedCpus()).hasToString("0-31");
  }

  @Test
  void memoryThatIsSharedIsATwentiethUnlessTheProfileOrTheKubeletSaysMore() {
    Machine machine = machine(twoCachesEach()).reservingMemory(1, 8 * GIB).build();
    assertThat(sharing(1).pin(machine).kubelet().reservedMemoryBytes())
        .containsEntry(0, 64 * GIB / 20)
        .containsEntry(1, 8 * GIB);
    RuntimePinning pinning =
        new RuntimePinning(1, OptionalLong.of(100 * GIB), PinnedBy.Memory.BIND);
    assertThat(pinning.pin(machine).kubelet().reservedMemoryBytes()).containsEntry(0, 64 * GIB);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // cores | slots of the first NUMA node: caches are 0-7 and 8-15, and 0-1 is shared
        "1 | 2-3 4-5 6-7 8-9 10-11 12-13 14-15",
        "2 | 2-5 8-11 12-15",
        "3 | 2-7 8-13",
        "4 | 8-15",
        "7 | 2-15",
        "8 | ''",
      })
  void slotsLieWithinCachesAsFarAsTheyCan(int cores, String expected) {
    Machine pinned = sharing(1).pin(machine(twoCachesEach()).build());
    List<String> slots =
        new RuntimeLayout()
            .slots(pinned, 2 * cores, 0).stream()
                .filter(slot -> slot.numaNode() == 0)
                .map(slot -> slot.cpus().toString())
                .toList();
    assertThat(String.join(" ", slots)).isEqualTo(expected);
  }

  /** Caches of four cores, of which the first has lost one; executors of whole caches. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void executorsLargerThanACacheGetWholeCachesWhileThereAreSome(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 100; i++) {
      int cache = 1 + random.nextInt(6);
      int caches = 1 + random.nextInt(8);
      int shared = 1 + random.nextInt(cache);
      int cachesOfOne = 1 + random.nextInt(3);
      int threads = 1 + random.nextInt(2);
      Machine pinned =
          sharing(shared).pin(machine(topology(1, cache * caches, threads, cache)).build());
      List<Slot> slots = new RuntimeLayout().slots(pinned, cache * cachesOfOne * threads, 0);
      int whole = pinned.freeCores(pinned.topology().numaNodes().get(0)).size() / cache;
      assertThat(slots.size() - straddling(pinned, slots))
          .as("%d caches of %d cores, %d shared, %d a slot", caches, cache, shared, cachesOfOne)
          .isGreaterThanOrEqualTo(whole / cachesOfOne);
      assertThat(slots.stream().dropWhile(slot -> !straddles(pinned, slot)).toList())
          .as("those that straddle come last, because memory cuts off the last ones")
          .allMatch(slot -> straddles(pinned, slot));
    }
  }

  @Test
  void coresWithFewerThreadsThanOthersAreLeftOut() {
    NodeTopology whole = twoCachesEach();
    NumaNode first = whole.numaNodes().get(0);
    List<Core> cores = new ArrayList<>(first.cores());
    cores.set(2, new Core(CpuSet.parse("4")));
    NumaNode damaged =
        new NumaNode(
            0,
            0,
            64 * GIB,
            0,
            List.of(),
            cores,
            List.of(CpuSet.parse("0-4,6-7"), CpuSet.parse("8-15")));
    Machine pinned =
        sharing(1)
            .pin(machine(new NodeTopology(List.of(damaged, whole.numaNodes().get(1)))).build());
    assertThat(new RuntimeLayout().slots(pinned, 4, 0))
        .extracting(slot -> slot.cpus().size())
        .containsOnly(4)
        .hasSize(3 + 3);
    assertThat(Findings.of(pinned))
        .filteredOn(finding -> finding.reason() == Reason.CORES_WITH_FEWER_THREADS)
        .singleElement()
        .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING));
    assertThat(Findings.of(pinned))
        .noneMatch(finding -> finding.reason() == Reason.OFFLINE_SIBLING);
  }

  @Test
  void memoryOfANumaNodeEndsItsSlots() {
    Machine pinned = sharing(1).pin(machine(twoCachesEach()).build());
    assertThat(new RuntimeLayout().slots(pinned, 4, 25 * GIB)).hasSize(4);
    assertThat(new RuntimeLayout().slots(pinned, 4, 100 * GIB)).isEmpty();
  }

  /** On every named machine there are as many slots as in the kubelet's order, or more. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void noMachineLosesASlotToCaches(int cores) {
    for (NamedMachines.NamedMachine named : NamedMachines.all()) {
      Machine pinned = sharing(1).pin(named.machine());
      int cpus = cores * pinned.topology().threadsPerCore();
      List<Slot> ours = new RuntimeLayout().slots(pinned, cpus, 0);
      assertThat(ours).as(named.name()).hasSameSizeAs(new NumaFill().slots(pinned, cpus, 0));
      assertThat(straddling(pinned, ours))
          .as(named.name())
          .isLessThanOrEqualTo(straddling(pinned, new NumaFill().slots(pinned, cpus, 0)));
    }
  }

  private static long straddling(Machine machine, List<Slot> slots) {
    return slots.stream().filter(slot -> straddles(machine, slot)).count();
  }

  private static boolean straddles(Machine machine, Slot slot) {
    return CacheSpan.straddles(
        machine.topology().numaNodes().stream()
            .filter(numaNode -> numaNode.id() == slot.numaNode())
            .findFirst()
            .orElseThrow(),
        slot.cpus());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void slotsAreDisjointWholeCoresOfOneNumaNodeAndLeaveTheSharedOnes(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      int threads = 1 + random.nextInt(4);
      NodeTopology topology =
          topology(1 + random.nextInt(6), 1 + random.nextInt(20), threads, 1 + random.nextInt(8));
      RuntimePinning pinning =
          new RuntimePinning(random.nextInt(3), OptionalLong.empty(), PinnedBy.Memory.LOCAL);
      Machine pinned =
          pinning.pin(
              random.nextBoolean()
                  ? machine(topology).build()
                  : machine(topology)
                      .reservingCount(random.nextInt(topology.cpus().size() + 1))
                      .build());
      int cores = 1 + random.nextInt(6);
      assertThat(pinned.reservedCpus().isEmpty()).isFalse();
      CpuSet taken = pinned.reservedCpus();
      for (Slot slot : new RuntimeLayout().slots(pinned, cores * threads, 0)) {
        assertThat(slot.cpus().intersects(taken)).isFalse();
        assertThat(slot.cpus().size()).isEqualTo(cores * threads);
        NumaNode home = topology.numaNodes().get(slot.numaNode());
        assertThat(home.cpus().containsAll(slot.cpus())).isTrue();
        assertThat(home.cores())
            .allMatch(
                core ->
                    slot.cpus().containsAll(core.threads())
                        || !slot.cpus().intersects(core.threads()));
        taken = taken.union(slot.cpus());
      }
      for (NumaNode numaNode : topology.numaNodes()) {
        assertThat(numaNode.cpus().minus(taken).size())
            .as("what is left of a NUMA node holds no further slot")
            .isLessThan(cores * threads);
      }
    }
  }

  @Test
  void remediesNameWhatTheProfileShares() {
    NodeClass pinned = new NodeClass("a", 1, sharing(8).pin(machine(twoCachesEach()).build()));
    assertThat(LayoutPlanner.plan(List.of(unmanaged(pinned)), Policies.exactly(2)))
        .isInstanceOfSatisfying(
            PlanResult.Shortfall.class,
            shortfall ->
                assertThat(shortfall.remedy()).startsWith("lower spec.pinning.sharedCores"));
  }

  /** The same class, whose kubelet has no manager of its own. */
  private static NodeClass unmanaged(NodeClass pinned) {
    Machine machine = pinned.machine();
    Machine actual =
        machine(machine.topology())
            .with(CpuManagerPolicy.NONE)
            .with(MemoryManagerPolicy.NONE)
            .build();
    return new NodeClass(
        pinned.name(),
        pinned.nodes(),
        new Machine(
            machine.topology(),
            machine.kubelet(),
            new PinnedBy.Runtime(actual, PinnedBy.Memory.BIND)));
  }

  @Test
  void aKubeletThatPinsItselfIsAnError() {
    Machine pinned = sharing(1).pin(machine(twoCachesEach()).build());
    assertThat(Findings.of(pinned))
        .filteredOn(finding -> finding.severity() == Finding.Severity.ERROR)
        .hasSize(2)
        .allSatisfy(
            finding -> {
              assertThat(finding.reason()).isEqualTo(Reason.KUBELET_PINS_ITSELF);
              assertThat(finding.message()).startsWith("spec.pinning.by is Runtime, but");
            });
  }
}
