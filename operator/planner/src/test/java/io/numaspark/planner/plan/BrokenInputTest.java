package io.numaspark.planner.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.Policies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.jvm.MemoryPolicy;
import io.numaspark.planner.jvm.PageCachePolicy;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.planner.plan.ShapePolicy.CoreRange;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a machine or a policy says, planning and explaining end with an answer. */
class BrokenInputTest {
  private static final long[] BYTES = {
    0, 1, 1 << 20, 1L << 30, 512L << 30, 1L << 46, Long.MAX_VALUE
  };

  /** The seeds are fixed, so that a failure can be repeated. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomMachinesAndPolicies(long seed) {
    Random random = new Random(seed);
    int plans = 0;
    for (int i = 0; i < 100; i++) {
      List<NodeClass> classes = new ArrayList<>();
      for (int c = random.nextInt(3); c >= 0; c--) {
        classes.add(new NodeClass("class-" + c, random.nextInt(3) * 5_000, machine(random)));
      }
      ShapePolicy policy = random.nextBoolean() ? Policies.between(1, 12) : policy(random);
      PlanResult result = LayoutPlanner.plan(classes, policy);
      Explanation explanation = Explanation.of(result, policy);
      assertThat(result.layouts()).hasSameSizeAs(classes);
      if (result instanceof Shortfall shortfall) {
        assertThat(shortfall.remedy()).isNotBlank();
        assertThat(explanation.candidates()).isEmpty();
      } else {
        plans++;
        assertThat(explanation.candidates().get(0).candidate().strandedMemoryBytes())
            .isNotNegative();
        assertThat(result.layouts())
            .allSatisfy(layout -> assertThat(layout.strandedMemoryBytes()).isNotNegative());
      }
    }
    assertThat(plans).isBetween(1, 95);
  }

  @Test
  void a1024ThreadMachineIsPlanned() {
    NodeTopology topology = TopologyBuilder.sockets(8).cores(64).threads(2).build();
    Machine machine =
        MachineBuilder.machine(topology).reserving("0,512").reservingMemory(1 << 30).build();
    assertThat(Plans.plan(machine, Policies.between(1, 256)).totalSlots()).isGreaterThan(64);
  }

  private static ShapePolicy policy(Random random) {
    int[] cores = {-1, 0, 1, 2, 3, 6, 255, Integer.MAX_VALUE};
    return new ShapePolicy(
        new CoreRange(
            cores[random.nextInt(cores.length)],
            cores[random.nextInt(cores.length)],
            random.nextBoolean()
                ? OptionalInt.empty()
                : OptionalInt.of(cores[random.nextInt(cores.length)])),
        SmtMode.values()[random.nextInt(3)],
        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(9)),
        new ShapePriorities(
            random.nextBoolean(),
            random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(999))),
        new MemoryPolicy(
                BYTES[random.nextInt(6)],
                random.nextInt(3) * 0.5,
                BYTES[random.nextInt(4)],
                BYTES[random.nextInt(4)])
            .withPageCache(pageCache(random))
            .withFreePercent(random.nextInt(91)),
        Policies.jvm());
  }

  private static PageCachePolicy pageCache(Random random) {
    long min = BYTES[random.nextInt(4)];
    long more = BYTES[random.nextInt(BYTES.length)];
    return new PageCachePolicy(min, more > Long.MAX_VALUE - min ? more : min + more);
  }

  private static Machine machine(Random random) {
    List<NumaNode> numaNodes = new ArrayList<>();
    int cpu = 0;
    int threads = 1 + random.nextInt(3);
    int[] ids = {0, 1, 8, 63, 64, 255};
    int count = 1 + random.nextInt(ids.length);
    for (int i = 0; i < count; i++) {
      List<Core> cores = new ArrayList<>();
      for (int c = random.nextInt(i == 0 ? 9 : 12) + (i == 0 ? 1 : 0); c > 0; c--) {
        int own = random.nextInt(40) == 0 ? 1 : threads;
        cores.add(new Core(CpuSet.range(cpu, cpu + own - 1)));
        cpu += own;
      }
      CpuSet all = CpuSet.unionOf(cores.stream().map(Core::threads).toList());
      numaNodes.add(
          new NumaNode(
              ids[i],
              random.nextInt(3),
              BYTES[random.nextInt(BYTES.length)],
              BYTES[random.nextInt(4)],
              List.of(),
              cores,
              random.nextBoolean() || cores.isEmpty() ? List.of() : List.of(all)));
    }
    MachineBuilder builder = MachineBuilder.machine(new NodeTopology(numaNodes));
    builder.reserving("0-" + random.nextInt(threads * 2));
    builder.reservingMemory(BYTES[random.nextInt(BYTES.length)]);
    if (random.nextInt(9) == 0) {
      builder.with(CpuManagerPolicy.NONE);
    }
    if (random.nextInt(3) == 0) {
      builder.with(MemoryManagerPolicy.NONE);
    }
    if (random.nextInt(3) == 0) {
      builder.with(KubeletSettings.STRICT_CPU_RESERVATION);
    }
    if (random.nextInt(3) == 0) {
      builder.with(KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE);
    }
    return builder.build();
  }
}
