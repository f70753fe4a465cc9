package io.numaspark.planner.capacity;

import static io.numaspark.planner.fixture.TopologyBuilder.GIB;

import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.Policies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.plan.LayoutPlanner;
import io.numaspark.planner.plan.NodeClass;
import io.numaspark.planner.plan.PlanResult;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Random machines whose kubelets pin, planned for a random shape. */
final class Worlds {
  private static final long MIB = 1L << 20;

  private Worlds() {}

  /** A machine and a plan with at least one slot on it. */
  record World(Machine machine, PlanResult.Plan plan) {
    int threads() {
      return machine.topology().threadsPerCore();
    }

    @Override
    public String toString() {
      return "%s, %s, slots of %d CPUs and %d MiB"
          .formatted(
              machine.topology().describe(),
              machine.kubelet(),
              plan.shape().cpus().cpus(),
              plan.shape().memory().podBytes() / MIB);
    }
  }

  static World random(Random random) {
    while (true) {
      Optional<World> world = attempt(random);
      if (world.isPresent() && world.get().plan().totalSlots() > 0) {
        return world.get();
      }
    }
  }

  private static Optional<World> attempt(Random random) {
    int cores = 2 + random.nextInt(9);
    NodeTopology topology = topology(random, cores);
    MachineBuilder builder = MachineBuilder.machine(topology).reserving(reserved(random, topology));
    topology
        .numaNodes()
        .forEach(node -> builder.reservingMemory(node.id(), 1 + random.nextInt(2000) * MIB));
    if (random.nextInt(4) == 0) {
      builder.without(KubeletSettings.FULL_PCPUS_ONLY);
    }
    if (random.nextInt(4) == 0) {
      builder.with(MemoryManagerPolicy.NONE);
    }
    if (random.nextInt(4) == 0) {
      builder.with(TopologyManagerScope.CONTAINER);
    }
    if (random.nextInt(4) == 0) {
      builder.with(TopologyManagerPolicy.RESTRICTED);
    }
    if (random.nextInt(4) == 0) {
      builder.with(
          List.of(
                  KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE,
                  KubeletSettings.DISTRIBUTE_CPUS_ACROSS_NUMA,
                  KubeletSettings.STRICT_CPU_RESERVATION)
              .get(random.nextInt(3)));
    }
    Machine machine = builder.build();
    int size = 1 + random.nextInt(Math.min(4, cores));
    PlanResult result =
        LayoutPlanner.plan(
            List.of(new NodeClass("node", 1, machine)),
            Policies.exactly(size, Policies.maxHeap(450 + random.nextInt(4000))));
    return result instanceof PlanResult.Plan plan
        ? Optional.of(new World(machine, plan))
        : Optional.empty();
  }

  /** Equal NUMA nodes but for their memory. */
  private static NodeTopology topology(Random random, int cores) {
    TopologyBuilder builder =
        TopologyBuilder.sockets(1 + random.nextInt(2))
            .numaNodesPerSocket(1 + random.nextInt(3))
            .cores(cores)
            .threads(List.of(1, 2, 2, 4).get(random.nextInt(4)))
            .coresPerCache(1 + random.nextInt(cores));
    NodeTopology topology = (random.nextBoolean() ? builder.adjacentSiblings() : builder).build();
    List<NumaNode> numaNodes = new ArrayList<>();
    for (NumaNode node : topology.numaNodes()) {
      numaNodes.add(
          new NumaNode(
              node.id(),
              node.socket(),
              3 * GIB + random.nextInt(17 * 1024) * MIB,
              0,
              node.distances(),
              node.cores(),
              node.caches()));
    }
    return new NodeTopology(numaNodes);
  }

  /** Whole cores or single threads of some cores; one NUMA node may give all of them. */
  private static String reserved(Random random, NodeTopology topology) {
    CpuSet reserved = CpuSet.EMPTY;
    List<Core> cores =
        random.nextBoolean() ? topology.numaNodes().get(0).cores() : topology.cores();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      Core core = cores.get(random.nextInt(cores.size()));
      reserved = reserved.union(random.nextInt(3) == 0 ? CpuSet.of(core.id()) : core.threads());
    }
    return reserved.toString();
  }
}
