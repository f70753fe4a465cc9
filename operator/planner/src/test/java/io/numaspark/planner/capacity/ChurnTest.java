package io.numaspark.planner.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.admission.Admission;
import io.numaspark.planner.admission.ContainerRequest;
import io.numaspark.planner.admission.ContainerRequest.Role;
import io.numaspark.planner.admission.KubeletSimulation;
import io.numaspark.planner.admission.PodRequest;
import io.numaspark.planner.admission.ResourceAmounts;
import io.numaspark.planner.capacity.ExactFit.Fits;
import io.numaspark.planner.capacity.Worlds.World;
import io.numaspark.planner.topology.KubeletSettings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods come and go on random machines, and the kubelet admits whatever the scheduler sends. */
class ChurnTest {
  private static final int WORLDS = 50;
  private static final int STEPS = 20;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(ints = {1, 2, 3, 4})
  void everyFreeSlotTakesAnExecutor(int seed) {
    Random random = new Random(seed);
    int filled = 0;
    for (int world = 0; world < WORLDS; world++) {
      filled += new Node(Worlds.random(random), random).churn();
    }
    assertThat(filled).as("executors that filled a free slot").isGreaterThan(1000);
  }

  /** A node of a world, with the pods on it. */
  private static final class Node {
    private final World world;
    private final Random random;
    private final KubeletSimulation kubelet;
    private final List<Occupant> pods = new ArrayList<>();
    private int names;
    private int filled;

    Node(World world, Random random) {
      this.world = world;
      this.random = random;
      this.kubelet =
          ((KubeletSimulation.Start.Started) KubeletSimulation.start(world.machine())).kubelet();
    }

    int churn() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(7)) {
          case 0, 1 -> arrives(foreign(), 0);
          case 2 -> arrives(executor(slotCpus(), slotBytes()), Math.min(1, capacity().free()));
          case 3 -> anEarlierShape();
          case 4 -> anExactShape();
          default -> leaves();
        }
        SlotCapacity published = capacity();
        assertThat(published.capacity()).as(this::told).isGreaterThanOrEqualTo(requested());
        assertThat(published.lost()).as(this::told).isBetween(0, published.slots());
        // The scheduler may see pods gone before anything new is published.
        for (int i = random.nextInt(3); i > 0; i--) {
          leaves();
        }
        fill(published);
      }
      return filled;
    }

    /**
     * Fills what was published; of a node with more requests than the bound has slots, only what
     * the bound has, because there departures must wait for the next publication.
     */
    private void fill(SlotCapacity published) {
      int proven =
          published.slots()
              - published.lost()
              + published.irregular().stream().mapToInt(Occupant::slotsRequested).sum();
      int free = Math.min(published.capacity(), proven) - requested();
      List<String> fillers = new ArrayList<>();
      for (int i = 0; i < free; i++) {
        PodRequest pod = executor(slotCpus(), slotBytes());
        assertThat(kubelet.admit(pod))
            .as("executor %d of %d of %s; %s", i + 1, free, published, told())
            .isInstanceOf(Admission.Admitted.class);
        fillers.add(pod.name());
      }
      if (free > 0 && world.machine().kubelet().hasOption(KubeletSettings.STRICT_CPU_RESERVATION)) {
        assertThat(kubelet.free().stream().mapToInt(numa -> numa.cpus().size()).sum())
            .as("CPUs left for the shared pool; %s", told())
            .isPositive();
      }
      fillers.forEach(kubelet::remove);
      filled += Math.max(0, free);
    }

    /** An executor of an earlier edition of the profile, larger or smaller. */
    private void anEarlierShape() {
      int cpus = Math.max(1, slotCpus() + (random.nextInt(5) - 2) * world.threads());
      long bytes = slotBytes() / 2 + random.nextInt(1000) * slotBytes() / 1000;
      arrives(executor(cpus, bytes), Math.min(1, capacity().free()));
    }

    private void anExactShape() {
      int cpus = (1 + random.nextInt(8)) * world.threads();
      long bytes = slotBytes() / 2 + random.nextInt(2000) * slotBytes() / 1000;
      ExactFit fit = new ExactShape(cpus, bytes).fit(world.plan());
      if (fit instanceof Fits fits && fits.slotsPerExecutor() <= capacity().free()) {
        int before = pods.size();
        arrives(executor(cpus, bytes), fits.slotsPerExecutor());
        assertThat(pods).as("%s is admitted; %s", fits, told()).hasSize(before + 1);
      }
    }

    /** Stays if the kubelet admits it. */
    private void arrives(PodRequest pod, int slots) {
      if (kubelet.admit(pod) instanceof Admission.Admitted) {
        pods.add(Occupant.of(pod, slots, world.machine().kubelet()));
      }
    }

    private void leaves() {
      if (!pods.isEmpty()) {
        int pod = random.nextInt(pods.size());
        kubelet.remove(pods.remove(pod).name());
      }
    }

    private PodRequest foreign() {
      return switch (random.nextInt(6)) {
        case 0 -> fractional();
        case 1 -> severalContainers();
        case 2 -> executor(someCpus(40), someBytes(3));
        default -> executor(someCpus(6), someBytes(2));
      };
    }

    /** Memory without exclusive CPUs. */
    private PodRequest fractional() {
      return new PodRequest(
          name(), List.of(container("main", Role.APP, "0.5", someBytes(2))), false);
    }

    private PodRequest severalContainers() {
      List<ContainerRequest> containers = new ArrayList<>();
      containers.add(container("init", Role.INIT, String.valueOf(someCpus(6)), someBytes(1)));
      containers.add(container("prepare", Role.INIT, String.valueOf(someCpus(6)), someBytes(1)));
      if (random.nextBoolean()) {
        containers.add(
            random.nextInt(containers.size() + 1),
            container("proxy", Role.SIDECAR, String.valueOf(someCpus(3)), someBytes(1)));
      }
      containers.add(container("main", Role.APP, String.valueOf(someCpus(6)), someBytes(1)));
      if (random.nextBoolean()) {
        containers.add(container("other", Role.APP, "0.25", someBytes(1)));
      }
      return new PodRequest(name(), containers, false);
    }

    private ContainerRequest container(String name, Role role, String cpus, long bytes) {
      ResourceAmounts amounts =
          new ResourceAmounts(
              Optional.of(new BigDecimal(cpus)),
              Optional.of(BigDecimal.valueOf(bytes)),
              new TreeMap<>());
      return new ContainerRequest(name, role, amounts, amounts);
    }

    private PodRequest executor(int cpus, long bytes) {
      return PodRequest.guaranteed(name(), cpus, bytes);
    }

    private String name() {
      return "pod-" + names++;
    }

    /** Mostly whole cores, without which full-pcpus-only rejects a pod. */
    private int someCpus(int most) {
      int cpus = 1 + random.nextInt(most);
      return random.nextInt(4) == 0
          ? cpus
          : (cpus + world.threads() - 1) / world.threads() * world.threads();
    }

    private long someBytes(int mostSlots) {
      return 1 + random.nextInt(1000) * (mostSlots * slotBytes() / 1000);
    }

    private int slotCpus() {
      return world.plan().shape().cpus().cpus();
    }

    private long slotBytes() {
      return world.plan().shape().memory().podBytes();
    }

    private int requested() {
      return pods.stream().mapToInt(Occupant::slotsRequested).sum();
    }

    private SlotCapacity capacity() {
      return SlotCapacity.of(world.plan().shape(), world.plan().layouts().get(0), pods);
    }

    private String told() {
      return world + ", with " + pods + ": " + capacity();
    }
  }
}
