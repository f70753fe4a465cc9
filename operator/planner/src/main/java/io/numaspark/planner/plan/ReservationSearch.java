package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuReservation;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Looks for reserved CPUs that cost fewer executors of a given shape.
 *
 * <p>All ways to spread as many whole cores over the NUMA nodes are looked at; which cores of a
 * NUMA node, in three ways: those reserved now, the first, and the last. Limit: the shape stays.
 */
final class ReservationSearch {
  private final NodeClass nodeClass;
  private final Machine machine;
  private final ExecutorShape shape;
  private final long podBytes;
  private final int freePercent;
  private final boolean cachesMatter;
  private final SlotModel model;
  private final List<NumaNode> numaNodes;
  private final int[] reservedCores;

  ReservationSearch(NodeClass nodeClass, ExecutorShape shape, ShapePolicy policy, SlotModel model) {
    this.nodeClass = nodeClass;
    this.machine = nodeClass.machine();
    this.shape = shape;
    this.freePercent = policy.memory().freePercent();
    this.podBytes = policy.memory().leastPodBytes(shape.memory());
    this.cachesMatter = !policy.priorities().spreadAcrossCaches();
    this.model = model;
    this.numaNodes = machine.topology().numaNodesWithCores();
    this.reservedCores =
        numaNodes.stream()
            .mapToInt(numaNode -> numaNode.cores().size() - machine.freeCores(numaNode).size())
            .toArray();
  }

  /** As many reserved CPUs, rounded up to whole cores, that give more slots or keep to caches. */
  Optional<ReservationAdvice> better() {
    if (machine.isPinnedByRuntime()) {
      return Optional.empty(); // the kubelet's reservation is not what is shared
    }
    int threads = machine.topology().threadsPerCore();
    int cores = (machine.reservedCpus().size() + threads - 1) / threads;
    int[] counts = mostSlots(cores);
    ClassRoom now = room(machine);
    List<Integer> slots = now.slots(podBytes);
    // Asking the kubelet is dear, and most reservations are as good as any.
    return slotsLeaving(counts) > ClassRoom.sum(slots) || cachesMatter && now.straddling(slots) > 0
        ? best(now, counts).filter(ReservationAdvice::isGain)
        : Optional.empty();
  }

  /** At least one whole core of every NUMA node for the system, if that costs no executor. */
  Optional<ReservationAdvice> oneCoreEverywhere() {
    if (machine.isPinnedByRuntime()) {
      return Optional.empty();
    }
    int[] counts = IntStream.of(reservedCores).map(count -> Math.max(1, count)).toArray();
    return best(room(machine), counts)
        .filter(advice -> advice.slotsBefore() > 0)
        .filter(advice -> advice.slotsAfter() >= advice.slotsBefore())
        .filter(advice -> advice.straddlingAfter() <= advice.straddlingBefore() || !cachesMatter)
        .filter(advice -> advice.after().size() > advice.before().size());
  }

  private Optional<ReservationAdvice> best(ClassRoom now, int[] coresOfNumaNodes) {
    return Stream.of(
            placed(coresOfNumaNodes, true, false),
            placed(coresOfNumaNodes, true, true),
            placed(coresOfNumaNodes, false, false),
            placed(coresOfNumaNodes, false, true))
        .distinct()
        .map(reserved -> advice(now, reserved))
        .min(
            Comparator.comparingInt((ReservationAdvice advice) -> -advice.slotsAfter())
                .thenComparingInt(ReservationAdvice::straddlingAfter)
                .thenComparingInt(advice -> advice.after().minus(advice.before()).size()));
  }

  private ReservationAdvice advice(ClassRoom now, CpuSet reserved) {
    ClassRoom then = room(reserving(reserved));
    List<Integer> before = now.slots(podBytes);
    List<Integer> after = then.slots(podBytes);
    return new ReservationAdvice(
        nodeClass.name(),
        machine.reservedCpus(),
        reserved,
        ClassRoom.sum(before),
        ClassRoom.sum(after),
        cachesMatter ? now.straddling(before) : 0,
        cachesMatter ? then.straddling(after) : 0);
  }

  /** The CPUs of the given number of cores of each NUMA node. */
  private CpuSet placed(int[] counts, boolean keepReserved, boolean lastFirst) {
    List<CpuSet> chosen = new ArrayList<>();
    CpuSet reserved = machine.reservedCpus();
    for (int i = 0; i < counts.length; i++) {
      int direction = lastFirst ? -1 : 1;
      numaNodes.get(i).cores().stream()
          .sorted(
              Comparator.comparing(
                      (Core core) -> !(keepReserved && core.threads().intersects(reserved)))
                  .thenComparingInt(core -> direction * core.id()))
          .limit(counts[i])
          .map(Core::threads)
          .forEach(chosen::add);
    }
    return CpuSet.unionOf(chosen);
  }

  /**
   * How many cores to reserve in each NUMA node so that most slots remain; of equally good ways the
   * one nearest to the present. Dynamic programming over the NUMA nodes: exact.
   */
  private int[] mostSlots(int cores) {
    int nodes = numaNodes.size();
    long[] best = new long[cores + 1];
    Arrays.fill(best, Long.MIN_VALUE);
    best[0] = 0;
    int[][] choice = new int[nodes][cores + 1];
    for (int node = 0; node < nodes; node++) {
      long[] next = new long[cores + 1];
      Arrays.fill(next, Long.MIN_VALUE);
      for (int used = 0; used <= cores; used++) {
        int most = Math.min(cores - used, numaNodes.get(node).cores().size());
        for (int here = 0; best[used] != Long.MIN_VALUE && here <= most; here++) {
          long value = best[used] + value(node, here);
          // Of equal ways the one that reserves on the first NUMA nodes.
          if (value >= next[used + here]) {
            next[used + here] = value;
            choice[node][used + here] = here;
          }
        }
      }
      best = next;
    }
    int[] counts = new int[nodes];
    int left = cores;
    for (int node = nodes - 1; node >= 0; node--) {
      counts[node] = choice[node][left];
      left -= counts[node];
    }
    return counts;
  }

  private long value(int node, int reserved) {
    return slotsLeaving(node, reserved) * CpuSet.MAX_ID - Math.abs(reserved - reservedCores[node]);
  }

  private long slotsLeaving(int[] reserved) {
    return IntStream.range(0, reserved.length).mapToLong(i -> slotsLeaving(i, reserved[i])).sum();
  }

  /** Slots of a NUMA node with the given number of reserved cores. */
  private long slotsLeaving(int node, int reserved) {
    NumaNode numaNode = numaNodes.get(node);
    long byCpus = (numaNode.cores().size() - reserved) / shape.cpus().cores();
    long byMemory = ClassRoom.executorBytes(machine, numaNode, freePercent) / podBytes;
    return Math.min(byCpus, byMemory);
  }

  private ClassRoom room(Machine other) {
    return new ClassRoom(
        new NodeClass(nodeClass.name(), nodeClass.nodes(), other),
        shape.cpus().cpus(),
        model,
        freePercent);
  }

  private Machine reserving(CpuSet reserved) {
    KubeletSettings settings = machine.kubelet();
    KubeletSettings.CpuManager cpuManager = settings.cpuManager();
    return new Machine(
        machine.topology(),
        new KubeletSettings(
            new KubeletSettings.CpuManager(
                cpuManager.policy(), cpuManager.options(), new CpuReservation.Explicit(reserved)),
            settings.topologyManager(),
            settings.memoryManager(),
            settings.featureGates(),
            settings.version()));
  }
}
