package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * In which order executors of several shapes should come to one node.
 *
 * <p>The kubelet puts a pod on the first NUMA node that has room, never on the best one
 * (policy_single_numa_node.go), so the order decides how much fits. Limit: the executors of one
 * group come together; whole free cores are counted, not chosen.
 *
 * @param best the order that leaves the fewest CPUs out
 * @param worst the order that leaves the most CPUs out
 * @param exhaustive whether all orders were tried; if not, only the largest or the smallest
 *     executors first
 */
public record PackingAdvice(Order best, Order worst, boolean exhaustive) {
  /** 720 orders at most. */
  private static final int MOST_GROUPS_TO_PERMUTE = 6;

  /**
   * Equal executors that come one after another, of one application or profile.
   *
   * @param podBytes memory that each pod requests
   */
  public record Group(String name, int cores, long podBytes, int executors) {}

  /**
   * An order and what becomes of it.
   *
   * @param names the groups as they come
   * @param admitted executors that find room
   * @param coresRejected cores of the executors that find none
   */
  public record Order(List<String> names, int admitted, int coresRejected) {
    public Order {
      names = List.copyOf(names);
    }
  }

  /**
   * Compares the orders of some groups on an empty node.
   *
   * @throws IllegalArgumentException if a group has less than 1 core or 0 executors, or none is
   *     given
   */
  public static PackingAdvice of(Machine machine, List<Group> groups) {
    if (groups.isEmpty()) {
      throw new IllegalArgumentException("groups: at least one is needed");
    }
    for (Group group : groups) {
      if (group.cores() < 1 || group.executors() < 0) {
        throw new IllegalArgumentException(
            "group %s: has %d cores and %d executors; at least 1 and 0 are needed"
                .formatted(group.name(), group.cores(), group.executors()));
      }
    }
    boolean exhaustive = groups.size() <= MOST_GROUPS_TO_PERMUTE;
    List<Group> largestFirst =
        groups.stream().sorted(Comparator.comparingInt((Group g) -> -g.cores())).toList();
    List<List<Group>> orders = new ArrayList<>();
    orders.add(largestFirst);
    if (exhaustive) {
      permute(new ArrayList<>(), largestFirst, orders);
    } else {
      List<Group> smallestFirst = new ArrayList<>(largestFirst);
      Collections.reverse(smallestFirst);
      orders.add(smallestFirst);
    }
    List<Order> tried = orders.stream().map(order -> simulate(machine, order)).toList();
    Comparator<Order> fewestRejected = Comparator.comparingInt(Order::coresRejected);
    // Of equal orders the first one counts: largest first.
    return new PackingAdvice(
        tried.stream().min(fewestRejected).orElseThrow(),
        tried.stream().min(fewestRejected.reversed()).orElseThrow(),
        exhaustive);
  }

  private static void permute(List<Group> begun, List<Group> left, List<List<Group>> orders) {
    if (left.isEmpty()) {
      orders.add(List.copyOf(begun));
    }
    for (Group next : left) {
      List<Group> others = new ArrayList<>(left);
      others.remove(next);
      begun.add(next);
      permute(begun, others, orders);
      begun.remove(begun.size() - 1);
    }
  }

  private static Order simulate(Machine machine, List<Group> order) {
    boolean memoryCounts = machine.kubelet().memoryManagerPolicy() == MemoryManagerPolicy.STATIC;
    List<NumaNode> numaNodes = machine.topology().numaNodes();
    int[] cores = numaNodes.stream().mapToInt(n -> machine.freeCores(n).size()).toArray();
    long[] bytes =
        numaNodes.stream().mapToLong(n -> ClassRoom.allocatableBytes(machine, n)).toArray();
    int admitted = 0;
    int rejected = 0;
    for (Group group : order) {
      int left = group.executors();
      for (int i = 0; i < cores.length; i++) {
        int fit = Math.min(left, cores[i] / group.cores());
        if (memoryCounts && group.podBytes() > 0) {
          fit = (int) Math.min(fit, bytes[i] / group.podBytes());
        }
        cores[i] -= fit * group.cores();
        bytes[i] -= fit * group.podBytes();
        admitted += fit;
        left -= fit;
      }
      rejected += left * group.cores();
    }
    return new Order(order.stream().map(Group::name).toList(), admitted, rejected);
  }
}
