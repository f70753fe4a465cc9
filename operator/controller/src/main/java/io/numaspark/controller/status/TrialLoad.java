package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.Load;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.PodLoad;
import io.numaspark.api.v1alpha1.SparkTrialStatus.NodeLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What all but the pods of a run take of the CPUs of its nodes, from what agents report: other
 * pods, the kubelet, the kernel.
 *
 * <p>Limit: it ends with the last report in which the pods of the run are all there, some seconds
 * before the end of the run. What a pod that has gone had taken cannot be told from others.
 */
public final class TrialLoad {
  /** With more nodes than that nobody asks their agents. */
  public static final int MOST_NODES = 64;

  private TrialLoad() {}

  /**
   * The loads of the nodes that pods of the run are on.
   *
   * @param before those so far; null for none
   * @param now what agents report, by the names of their nodes
   * @param own UIDs of the pods of the run
   */
  public static List<NodeLoad> next(
      List<NodeLoad> before, SortedMap<String, Load> now, Set<String> own) {
    Map<String, NodeLoad> known =
        Objects.requireNonNullElse(before, List.<NodeLoad>of()).stream()
            .collect(Collectors.toMap(NodeLoad::node, Function.identity(), (one, other) -> one));
    List<NodeLoad> loads = new ArrayList<>(known.values());
    loads.removeIf(load -> now.containsKey(load.node()));
    now.forEach(
        (node, load) ->
            of(node, load, own, known.get(node))
                .or(() -> Optional.ofNullable(known.get(node)))
                .ifPresent(loads::add));
    return loads.stream()
        .sorted((one, other) -> one.node().compareTo(other.node()))
        .limit(MOST_NODES)
        .toList();
  }

  private static Optional<NodeLoad> of(String node, Load load, Set<String> own, NodeLoad before) {
    if (!isComplete(load)) {
      return Optional.empty();
    }
    List<Long> ownTimes =
        load.pods().stream()
            .filter(pod -> own.contains(pod.podUid()))
            .map(PodLoad::cpuMilliseconds)
            .filter(Objects::nonNull)
            .toList();
    if (ownTimes.isEmpty()) {
      return Optional.empty();
    }
    long ownTime = ownTimes.stream().mapToLong(Long::longValue).sum();
    if (before == null) {
      return Optional.of(
          new NodeLoad(
              node,
              load.totalMilliseconds(),
              load.busyMilliseconds(),
              load.stolenMilliseconds(),
              ownTime,
              ownTimes.size(),
              null,
              null));
    }
    long total = load.totalMilliseconds() - before.totalMilliseconds();
    if (total <= 0 || ownTimes.size() < before.ownPods()) {
      return Optional.empty();
    }
    long others =
        load.busyMilliseconds() - before.busyMilliseconds() - (ownTime - before.ownMilliseconds());
    return Optional.of(
        new NodeLoad(
            node,
            before.totalMilliseconds(),
            before.busyMilliseconds(),
            before.stolenMilliseconds(),
            before.ownMilliseconds(),
            ownTimes.size(),
            percent(others, total),
            percent(load.stolenMilliseconds() - before.stolenMilliseconds(), total)));
  }

  private static boolean isComplete(Load load) {
    return load.totalMilliseconds() != null
        && load.busyMilliseconds() != null
        && load.stolenMilliseconds() != null
        && load.pods() != null;
  }

  /** From 0 to 100, whatever the clocks of two files of the kernel say. */
  private static int percent(long part, long whole) {
    return (int) Math.max(0, Math.min(100, Math.round(100.0 * part / whole)));
  }

  /** The node where others and the hypervisor took most; empty if no agent reported twice. */
  static Optional<NodeLoad> busiest(List<NodeLoad> loads) {
    return Objects.requireNonNullElse(loads, List.<NodeLoad>of()).stream()
        .filter(load -> load.othersPercent() != null && load.stolenPercent() != null)
        .max(
            (one, other) ->
                Integer.compare(
                    Math.max(one.othersPercent(), one.stolenPercent()),
                    Math.max(other.othersPercent(), other.stolenPercent())));
  }
}
