package io.numaspark.planner.admission;

import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Merges the hints of all resource managers into one affinity (topologymanager/policy.go:
 * HintMerger, and the policies).
 */
final class TopologyPolicy {
  private final TopologyManagerPolicy policy;
  private final boolean preferClosest;
  private final Map<Integer, List<Integer>> distances = new TreeMap<>();

  TopologyPolicy(NodeTopology topology, KubeletSettings.TopologyManager settings) {
    policy = settings.policy();
    preferClosest =
        policy != TopologyManagerPolicy.SINGLE_NUMA_NODE
            && KubeletSettings.isTrue(
                settings.options().get(KubeletSettings.PREFER_CLOSEST_NUMA_NODES));
    for (NumaNode node : topology.numaNodes()) {
      distances.put(node.id(), node.distances());
    }
  }

  private long allNumaNodes() {
    return distances.keySet().stream().mapToLong(Hint::bit).reduce(0, (one, other) -> one | other);
  }

  /** Whether pods are placed at all; policy none only lets the managers allocate. */
  boolean merges() {
    return policy != TopologyManagerPolicy.NONE;
  }

  /** A merged hint; the policy restricted and single-numa-node admit only preferred ones. */
  boolean admits(Hint merged) {
    return policy == TopologyManagerPolicy.BEST_EFFORT || merged.preferred();
  }

  /** The affinity for the hints of all providers. */
  Hint merge(List<List<List<Hint>>> ofProviders) {
    List<List<Hint>> lists = new ArrayList<>();
    for (List<List<Hint>> ofProvider : ofProviders) {
      if (ofProvider.isEmpty()) {
        lists.add(List.of(Hint.any(true)));
      }
      for (List<Hint> ofResource : ofProvider) {
        lists.add(ofResource.isEmpty() ? List.of(Hint.any(false)) : ofResource);
      }
    }
    if (policy != TopologyManagerPolicy.SINGLE_NUMA_NODE) {
      return best(lists);
    }
    Hint best = best(lists.stream().map(TopologyPolicy::singleNumaNode).toList());
    // All nodes, that is the only one: any CPU will do (policy_single_numa_node.go: Merge).
    return best.mask().getAsLong() == allNumaNodes() ? Hint.any(best.preferred()) : best;
  }

  /** filterSingleNumaHints. */
  private static List<Hint> singleNumaNode(List<Hint> hints) {
    return hints.stream()
        .filter(Hint::preferred)
        .filter(hint -> hint.mask().isEmpty() || Long.bitCount(hint.mask().getAsLong()) == 1)
        .toList();
  }

  /**
   * A choice of one hint for each of the first resources.
   *
   * <p>The kubelet goes through all choices; those with the same three properties come to the same,
   * so that each is followed once.
   *
   * @param common the NUMA nodes in all chosen hints
   * @param preferred whether all were preferred and equal
   * @param anySoFar whether none named NUMA nodes yet
   */
  private record Choice(long common, boolean preferred, boolean anySoFar) {
    Choice and(Hint hint) {
      if (hint.mask().isEmpty()) {
        return new Choice(common, preferred && hint.preferred(), anySoFar);
      }
      long mask = hint.mask().getAsLong();
      boolean equal = anySoFar || mask == common;
      return new Choice(common & mask, preferred && hint.preferred() && equal, false);
    }
  }

  private Hint best(List<List<Hint>> lists) {
    Set<Choice> choices = Set.of(new Choice(allNumaNodes(), true, true));
    for (List<Hint> hints : lists) {
      Set<Choice> longer = new LinkedHashSet<>();
      choices.forEach(choice -> hints.forEach(hint -> longer.add(choice.and(hint))));
      choices = longer;
    }
    int largestOfNarrowest = lists.stream().mapToInt(TopologyPolicy::narrowest).max().orElse(0);
    Hint best = null;
    for (Choice choice : choices) {
      if (choice.common() != 0) {
        Hint candidate = Hint.of(choice.common(), choice.preferred());
        best = best == null ? candidate : better(best, candidate, largestOfNarrowest);
      }
    }
    return best == null ? Hint.of(allNumaNodes(), false) : best;
  }

  /** Size of the narrowest hint; 0 if none names NUMA nodes (maxOfMinAffinityCounts). */
  private static int narrowest(List<Hint> hints) {
    return hints.stream()
        .map(Hint::mask)
        .filter(OptionalLong::isPresent)
        .mapToInt(mask -> Long.bitCount(mask.getAsLong()))
        .min()
        .orElse(0);
  }

  /**
   * HintMerger.compare: preferred ones first; of two others the one whose size is nearest to what
   * the neediest resource needs, from below rather than from above.
   */
  private Hint better(Hint current, Hint candidate, int wanted) {
    if (current.preferred() != candidate.preferred()) {
      return candidate.preferred() ? candidate : current;
    }
    if (current.preferred()) {
      return closer(current, candidate);
    }
    int currentSize = Long.bitCount(current.mask().getAsLong());
    int candidateSize = Long.bitCount(candidate.mask().getAsLong());
    if (currentSize > wanted) {
      return closer(current, candidate);
    }
    if (currentSize == wanted) {
      return candidateSize == wanted ? closer(current, candidate) : current;
    }
    if (candidateSize > wanted) {
      return current;
    }
    if (candidateSize != currentSize) {
      return candidateSize > currentSize ? candidate : current;
    }
    return closer(current, candidate);
  }

  private Hint closer(Hint current, Hint candidate) {
    long one = current.mask().getAsLong();
    long other = candidate.mask().getAsLong();
    if (one == other) {
      return current;
    }
    if (preferClosest && Long.bitCount(one) == Long.bitCount(other)) {
      int order = Double.compare(averageDistance(one), averageDistance(other));
      if (order != 0) {
        return order < 0 ? current : candidate;
      }
    }
    return Hint.isNarrower(one, other) ? current : candidate;
  }

  /**
   * Mean distance of all pairs (numa_info.go: CalculateAverageFor).
   *
   * @throws UndefinedByKubelet with sparse NUMA ids: the kubelet takes the id for the position
   */
  private double averageDistance(long mask) {
    double sum = 0;
    int pairs = 0;
    for (int one : distances.keySet()) {
      for (int other : distances.keySet()) {
        if ((mask & Hint.bit(one)) != 0 && (mask & Hint.bit(other)) != 0) {
          List<Integer> from = distances.get(one);
          if (other >= from.size()) {
            throw new UndefinedByKubelet(
                "the kubelet crashes: prefer-closest-numa-nodes looks for distance %d of NUMA node %d, which has %d"
                    .formatted(other, one, from.size()));
          }
          sum += from.get(other);
          pairs++;
        }
      }
    }
    return sum / pairs;
  }
}
