package io.numaspark.planner.capacity;

import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.numaspark.planner.capacity.ExactFit.ClassExecutors;
import io.numaspark.planner.capacity.ExactFit.DoesNotFit;
import io.numaspark.planner.capacity.ExactFit.Fits;
import io.numaspark.planner.capacity.Worlds.World;
import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.Policies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.plan.LayoutPlanner;
import io.numaspark.planner.plan.NodeClass;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.topology.Machine;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Executors of another shape on nodes of slots of 6 CPUs and 11 GiB. */
class ExactShapeTest {
  private static final long MIB = 1L << 20;

  /** NUMA nodes of one socket each, with 1 GiB reserved. */
  private static Machine machine(int numaNodes, int cores) {
    return MachineBuilder.machine(
            TopologyBuilder.sockets(numaNodes).cores(cores + 1).memoryBytes(128 * GIB).build())
        .reserving(
            String.join(
                ",",
                IntStream.range(0, numaNodes)
                    .mapToObj(i -> String.valueOf(i * (cores + 1)))
                    .toList()))
        .reservingMemory(GIB)
        .build();
  }

  private static Plan plan(Machine... machines) {
    return (Plan)
        LayoutPlanner.plan(
            IntStream.range(0, machines.length)
                .mapToObj(i -> new NodeClass("class-" + i, 1, machines[i]))
                .toList(),
            Policies.exactly(6, Policies.withoutPageCache(10 * 1024)));
  }

  @ParameterizedTest(name = "{0} CPUs and {1} GiB: {2} slots, of which it takes {3}, {4} a node")
  @CsvSource({
    "1, 1, 1, 1, 6",
    "6, 11, 1, 1, 6",
    "7, 11, 3, 2, 2",
    "6, 12, 3, 2, 2",
    "12, 22, 3, 2, 2",
    "13, 1, 5, 3, 1",
    "18, 33, 5, 3, 1"
  })
  void onTwoNumaNodesOfThreeSlots(int cpus, long gib, int slots, int width, int executors) {
    ExactFit fit = new ExactShape(cpus, gib * GIB).fit(plan(machine(2, 18)));
    assertThat(fit).isInstanceOf(Fits.class);
    assertThat(((Fits) fit).slotsPerExecutor()).isEqualTo(slots);
    assertThat(((Fits) fit).width()).isEqualTo(width);
    assertThat(((Fits) fit).classes()).containsExactly(new ClassExecutors("class-0", executors));
  }

  @Test
  void saysWhatIsWasted() {
    assertThat(((Fits) new ExactShape(12, GIB).fit(plan(machine(2, 18)))).why())
        .isEqualTo(
            "an executor of 12 CPUs and 1024 MiB takes up to 2 slots of 6 CPUs and 11264 MiB in one NUMA node; only with"
                + " 3 free slots on a node are 2 of them sure to be in one NUMA node, so it holds 1 more than it takes");
    assertThat(((Fits) new ExactShape(12, GIB).fit(plan(machine(1, 18)))).why())
        .isEqualTo(
            "an executor of 12 CPUs and 1024 MiB takes up to 2 slots of 6 CPUs and 11264 MiB in one NUMA node");
  }

  @Test
  void classesThatCannotHoldItAreNeverReached() {
    // Two slots in each of four NUMA nodes, and four in one: 9 of 8 slots never come free.
    Plan plan = plan(machine(4, 12), machine(3, 54));
    Fits fits = (Fits) new ExactShape(24, GIB).fit(plan);
    assertThat(fits.slotsPerExecutor()).isEqualTo(10);
    assertThat(fits.classes())
        .containsExactly(new ClassExecutors("class-0", 0), new ClassExecutors("class-1", 2));
  }

  @Test
  void aClassThatCannotHoldItMayAskForMoreThanOthersHave() {
    Plan plan = plan(machine(4, 12), machine(1, 24));
    assertThat(new ExactShape(18, GIB).fit(plan))
        .isEqualTo(
            new DoesNotFit(
                "an executor of 18 CPUs and 1024 MiB takes 3 slots of 6 CPUs and 11264 MiB in one NUMA node; to be sure of"
                    + " them on every node class it would have to request 9 slots, more than any node that can hold it has",
                "give the nodes with the largest NUMA nodes a profile of their own, or request a smaller executor"));
  }

  @Test
  void largerThanEveryNumaNode() {
    assertThat(new ExactShape(19, GIB).fit(plan(machine(2, 18))))
        .isEqualTo(
            new DoesNotFit(
                "an executor of 19 CPUs and 1024 MiB takes 4 slots of 6 CPUs and 11264 MiB in one NUMA node, and the"
                    + " largest has 3",
                "request at most 18 CPUs and 33792 MiB, or use a profile with larger NUMA nodes"));
    assertThat(new ExactShape(Integer.MAX_VALUE, Long.MAX_VALUE).fit(plan(machine(2, 18))))
        .isInstanceOf(DoesNotFit.class);
    // 19 CPUs are there, but another pod may have the one beside the slots.
    assertThat(new ExactShape(19, GIB).fit(plan(machine(2, 19)))).isInstanceOf(DoesNotFit.class);
  }

  @Test
  void wholeCoresOnly() {
    Machine machine =
        MachineBuilder.machine(TopologyBuilder.sockets(2).cores(16).threads(2).build())
            .reserving("0,32")
            .build();
    assertThat(new ExactShape(7, GIB).fit(plan(machine)))
        .isEqualTo(
            new DoesNotFit(
                "an executor of 7 CPUs and 1024 MiB is not made of whole cores, which have 2 threads here",
                "request 8 CPUs"));
    assertThat(new ExactShape(8, GIB).fit(plan(machine))).isInstanceOf(Fits.class);
  }

  /** Every way in which slots can be free: the asked number is enough, and one less is not. */
  @Test
  void asksForTheLeastNumberThatIsSure() {
    Random random = new Random(21);
    int checked = 0;
    for (int i = 0; i < 300; i++) {
      World world = Worlds.random(random);
      int width = 1 + random.nextInt(3);
      int cpus = width * world.plan().shape().cpus().cpus();
      if (new ExactShape(cpus, MIB).fit(world.plan()) instanceof Fits fits) {
        List<Integer> slots =
            world.plan().layouts().get(0).numaNodes().stream().map(n -> n.slots().size()).toList();
        assertThat(mostFreeWithout(width, slots, 0))
            .as("%s, %d slots wide", slots, width)
            .isEqualTo(fits.slotsPerExecutor() - 1);
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(100);
  }

  /** The most free slots of a node of which no NUMA node has the given number. */
  private static int mostFreeWithout(int width, List<Integer> slots, int next) {
    if (next == slots.size()) {
      return 0;
    }
    int most = 0;
    for (int free = 0; free <= slots.get(next) && free < width; free++) {
      most = Math.max(most, free + mostFreeWithout(width, slots, next + 1));
    }
    return most;
  }

  @Test
  void needsCpusAndMemory() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExactShape(0, 1))
        .withMessage("an executor of 0 CPUs and 1 bytes: both must be at least 1");
    assertThatIllegalArgumentException().isThrownBy(() -> new ExactShape(1, 0));
  }
}
