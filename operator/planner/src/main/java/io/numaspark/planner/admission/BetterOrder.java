package io.numaspark.planner.admission;

import io.numaspark.planner.topology.Machine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An order of admission in which a node takes more of the same pods.
 *
 * <p>The kubelet puts a pod on the lowest NUMA node that has room, never on the best one
 * (policy_single_numa_node.go), so the order decides how much fits. Limit: equal pods stay
 * together; with many kinds, pods or NUMA nodes only "largest first" is tried.
 *
 * @param pods names in the better order
 * @param admitted pods that are admitted then
 * @param admittedAsGiven pods that are admitted in the order given
 */
public record BetterOrder(List<String> pods, int admitted, int admittedAsGiven) {
  /** 120 orders at most. */
  private static final int MOST_KINDS_TO_PERMUTE = 5;

  /** Pods to admit in all tried orders together. */
  private static final int MOST_ADMISSIONS = 4_000;

  /** Beyond it the sets of NUMA nodes make a single admission slow. */
  private static final int MOST_NUMA_NODES = 8;

  public BetterOrder {
    pods = List.copyOf(pods);
  }

  /**
   * The best order of some pods on an empty node.
   *
   * @param pods in the order given, with different names
   * @return empty if no order that was tried gives out more CPUs, or the kubelet does not start
   */
  public static Optional<BetterOrder> of(Machine machine, List<PodRequest> pods) {
    Optional<Outcome> given = outcome(machine, pods);
    if (given.isEmpty() || given.get().admitted() == pods.size()) {
      return Optional.empty();
    }
    boolean fewNumaNodes = machine.topology().numaNodes().size() <= MOST_NUMA_NODES;
    return orders(machine, pods, fewNumaNodes).stream()
        .flatMap(order -> outcome(machine, order).stream())
        .max(Comparator.comparingLong(Outcome::cpus).thenComparingInt(Outcome::admitted))
        .filter(best -> best.cpus() > given.get().cpus())
        .map(best -> new BetterOrder(best.names(), best.admitted(), given.get().admitted()));
  }

  /** The first of equally good ones counts: largest pods first. */
  private static List<List<PodRequest>> orders(
      Machine machine, List<PodRequest> pods, boolean exhaustive) {
    Map<List<ContainerRequest>, List<PodRequest>> kinds = new LinkedHashMap<>();
    pods.stream()
        .sorted(Comparator.comparingLong((PodRequest pod) -> -cpus(machine, pod)))
        .forEach(pod -> kinds.computeIfAbsent(pod.containers(), key -> new ArrayList<>()).add(pod));
    List<List<PodRequest>> orders = new ArrayList<>();
    orders.add(joined(kinds.values()));
    if (exhaustive
        && kinds.size() <= MOST_KINDS_TO_PERMUTE
        && factorial(kinds.size()) * pods.size() <= MOST_ADMISSIONS) {
      permute(new ArrayList<>(), List.copyOf(kinds.values()), orders);
    }
    return orders;
  }

  private static long cpus(Machine machine, PodRequest pod) {
    return KubeletRelease.of(machine.kubelet()).places(pod, machine.kubelet())
        ? pod.peak(PodRequest::exclusiveCpus)
        : 0;
  }

  private static long factorial(int number) {
    return number <= 1 ? 1 : number * factorial(number - 1);
  }

  private static List<PodRequest> joined(Collection<List<PodRequest>> kinds) {
    return kinds.stream().flatMap(List::stream).toList();
  }

  private static void permute(
      List<List<PodRequest>> begun, List<List<PodRequest>> left, List<List<PodRequest>> orders) {
    if (left.isEmpty()) {
      orders.add(joined(begun));
    }
    for (List<PodRequest> next : left) {
      List<List<PodRequest>> longer = new ArrayList<>(begun);
      longer.add(next);
      permute(longer, left.stream().filter(kind -> kind != next).toList(), orders);
    }
  }

  /** What becomes of one order; CPUs are those of the admitted pods. */
  private record Outcome(List<String> names, int admitted, long cpus) {}

  private static Optional<Outcome> outcome(Machine machine, List<PodRequest> order) {
    if (!(KubeletSimulation.start(machine) instanceof KubeletSimulation.Start.Started started)) {
      return Optional.empty();
    }
    int admitted = 0;
    long cpus = 0;
    for (PodRequest pod : order) {
      if (started.kubelet().admit(pod) instanceof Admission.Admitted) {
        admitted++;
        cpus += cpus(machine, pod);
      }
    }
    return Optional.of(new Outcome(order.stream().map(PodRequest::name).toList(), admitted, cpus));
  }
}
