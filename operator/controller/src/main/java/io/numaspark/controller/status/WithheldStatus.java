package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.WithheldNode;
import io.numaspark.controller.slots.NodeSlots;
import io.numaspark.controller.slots.Withheld;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Nodes whose slots are withheld, in the status of a profile and back from it after a restart of
 * the operator.
 *
 * <p>Limit: only the first {@value #LISTED} are kept.
 */
public final class WithheldStatus {
  private static final int LISTED = 20;

  private WithheldStatus() {}

  /** The list in the status. */
  static List<WithheldNode> write(List<NodeSlots> counted) {
    return counted.stream()
        .flatMap(slots -> slots.withheld().map(withheld -> write(slots.node(), withheld)).stream())
        .limit(LISTED)
        .toList();
  }

  private static WithheldNode write(String node, Withheld withheld) {
    return new WithheldNode(
        node,
        withheld.reason(),
        withheld.rejections(),
        withheld.since().toString(),
        withheld.last().toString(),
        withheld.until().toString());
  }

  /** What a status says, by node; entries that somebody broke are left out. */
  public static Map<String, Withheld> read(SparkNodeProfileStatus status) {
    Map<String, Withheld> withheld = new LinkedHashMap<>();
    for (WithheldNode node :
        Objects.requireNonNullElse(status.withheldNodes(), List.<WithheldNode>of())) {
      read(node).ifPresent(read -> withheld.put(node.name(), read));
    }
    return withheld;
  }

  private static Optional<Withheld> read(WithheldNode node) {
    if (node.name() == null || node.reason() == null || node.rejections() == null) {
      return Optional.empty();
    }
    try {
      Withheld withheld =
          new Withheld(
              node.reason(),
              node.rejections(),
              Instant.parse(String.valueOf(node.since())),
              Instant.parse(String.valueOf(node.lastRejection())),
              Instant.parse(String.valueOf(node.until())));
      return withheld.isWithinBounds() ? Optional.of(withheld) : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** What a person should know and do. */
  static String message(List<NodeSlots> withheld) {
    if (withheld.isEmpty()) {
      return "no node's slots are withheld";
    }
    NodeSlots first = withheld.get(0);
    Withheld why = first.withheld().orElseThrow();
    return "%d free slots on %d nodes are withheld; node %s: its kubelet rejected %d executors, the last with %s; free again at %s; look for pods with exclusive CPUs there (kubectl describe node %s), and compare its SparkNodeTopology with the node (numaspark topology)"
        .formatted(
            withheld.stream().mapToInt(NodeSlots::withheldSlots).sum(),
            withheld.size(),
            first.node(),
            why.rejections(),
            why.reason(),
            why.until(),
            first.node());
  }
}
