package io.numaspark.agent.proof;

import io.numaspark.agent.kubelet.PodResources;
import io.numaspark.planner.topology.CpuSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the container of each thing that the kubelet has given.
 *
 * <p>The kubelet's API names no UIDs and no container ids, but exclusive CPUs are disjoint: equal
 * sets belong together, and of the rest those that overlap each other and no third one. Limit: two
 * containers with the same set cannot be told apart, and then neither is joined.
 */
final class Join {
  private final List<PodResources> given;
  private final Set<CpuSet> pools;
  private final Set<CpuSet> unclaimedSets = new LinkedHashSet<>();
  private final Map<CpuSet, List<KernelContainer>> unclaimed = new LinkedHashMap<>();
  private final List<Pair> pairs = new ArrayList<>();

  private Join(NodeCpus node, List<PodResources> given, List<KernelContainer> running) {
    this.given = given;
    this.pools = node.sharedPools(given);
    for (KernelContainer container : running) {
      if (!container.cpus().isEmpty()) {
        unclaimedSets.add(container.cpus());
        if (container.usage().isPresent()) {
          unclaimed.computeIfAbsent(container.cpus(), set -> new ArrayList<>()).add(container);
        }
      }
    }
  }

  static List<Pair> of(NodeCpus node, List<PodResources> given, List<KernelContainer> running) {
    return new Join(node, given, running).pairs();
  }

  private List<Pair> pairs() {
    List<PodResources> unmatched = new ArrayList<>();
    for (PodResources one : given) {
      if (one.cpus().isEmpty()) {
        pairs.add(new Pair(one, null));
      } else if (!joinEqual(one)) {
        unmatched.add(one);
      }
    }
    unclaimed.keySet().removeIf(this::isShared);
    for (PodResources one : unmatched) {
      joinOverlapping(one, unmatched);
    }
    for (List<KernelContainer> containers : unclaimed.values()) {
      for (KernelContainer container : containers) {
        pairs.add(new Pair(null, container));
      }
    }
    return pairs;
  }

  private boolean joinEqual(PodResources one) {
    List<KernelContainer> equal = unclaimed.get(one.cpus());
    if (equal == null || !areOfOnePod(equal) || givenTwice(one.cpus())) {
      return false;
    }
    pairs.add(new Pair(one, equal.get(0)));
    unclaimed.remove(one.cpus());
    unclaimedSets.remove(one.cpus());
    return true;
  }

  /** An init container may have the same CPUs as the container that runs after it. */
  private static boolean areOfOnePod(List<KernelContainer> containers) {
    String first = containers.get(0).podUid();
    return containers.stream().allMatch(container -> container.podUid().equals(first));
  }

  private boolean givenTwice(CpuSet cpus) {
    return given.stream().filter(one -> one.cpus().equals(cpus)).count() > 1;
  }

  /**
   * Whether these are the CPUs that the kubelet has given to nobody. An init container's are
   * missing there too, although the kubelet's API does not tell of them: then they and the pool
   * together are what is left.
   */
  private boolean isShared(CpuSet cpus) {
    List<CpuSet> besides = unclaimedSets.stream().filter(other -> !other.intersects(cpus)).toList();
    CpuSet others = CpuSet.unionOf(besides);
    for (CpuSet pool : pools) {
      if (pool.minus(others).equals(cpus)) {
        return true;
      }
    }
    return false;
  }

  /** Joins what nobody else can be meant by; otherwise nobody is known to have these CPUs. */
  private void joinOverlapping(PodResources one, List<PodResources> unmatched) {
    List<CpuSet> candidates =
        unclaimed.keySet().stream().filter(set -> set.intersects(one.cpus())).toList();
    if (candidates.size() == 1) {
      CpuSet cpus = candidates.get(0);
      List<KernelContainer> containers = unclaimed.get(cpus);
      boolean mutual =
          unmatched.stream().filter(other -> other.cpus().intersects(cpus)).count() == 1;
      if (mutual && areOfOnePod(containers)) {
        pairs.add(new Pair(one, containers.get(0)));
        unclaimed.remove(cpus);
        return;
      }
    }
    pairs.add(new Pair(one, null));
  }
}
