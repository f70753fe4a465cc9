package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.WithheldNode;
import io.numaspark.controller.slots.SlotCount;
import io.numaspark.controller.slots.Withheld;
import io.numaspark.render.proof.Diagnosis;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Nodes whose slots are withheld, in the status of a profile and back from it after a restart of
 * the operator.
 *
 * <p>Limit: only the first {@value #LISTED} are kept.
 */
public final class WithheldStatus {
  private static final int LISTED = 100;

  private WithheldStatus() {}

  /**
   * The list in the status.
   *
   * @param before the status as it is: what it says of nodes that this operator has not counted yet
   *     holds, and what another operator wrote that saw a later rejection
   * @param planned names of the nodes that the profile has
   */
  static List<WithheldNode> write(
      List<SlotCount> counted, SparkNodeProfileStatus before, Set<String> planned, Instant now) {
    Map<String, WithheldNode> withheld = new LinkedHashMap<>();
    Set<String> known = counted.stream().map(SlotCount::node).collect(Collectors.toSet());
    if (before != null) {
      nodes(before)
          .filter(node -> planned.contains(node.name()))
          .filter(node -> !known.contains(node.name()) || lasts(node, now))
          .forEach(node -> withheld.put(node.name(), node));
    }
    counted.forEach(
        slots ->
            slots
                .withheld()
                .filter(seen -> !isLater(withheld.get(slots.node()), seen))
                .ifPresent(seen -> withheld.put(slots.node(), write(slots.node(), seen))));
    return withheld.values().stream().limit(LISTED).toList();
  }

  private static boolean lasts(WithheldNode node, Instant now) {
    return read(node).filter(told -> told.isActive(now)).isPresent();
  }

  private static boolean isLater(WithheldNode told, Withheld seen) {
    return told != null
        && read(told).filter(other -> other.last().isAfter(seen.last())).isPresent();
  }

  private static Stream<WithheldNode> nodes(SparkNodeProfileStatus status) {
    return Objects.requireNonNullElse(status.withheldNodes(), List.<WithheldNode>of()).stream()
        .filter(node -> node.name() != null);
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
    nodes(status).forEach(node -> read(node).ifPresent(read -> withheld.put(node.name(), read)));
    return withheld;
  }

  private static Optional<Withheld> read(WithheldNode node) {
    if (node.reason() == null || node.rejections() == null) {
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
  static String message(List<SlotCount> withheld) {
    SlotCount first = withheld.get(0);
    Withheld why = first.withheld().orElseThrow();
    return "%d free slots on %d nodes are withheld; node %s: its kubelet rejected %d executors, the last with %s; free again at %s; look for pods with exclusive CPUs there (kubectl describe node %s), and compare its SparkNodeTopology with the node (numaspark topology)"
        .formatted(
            withheld.stream().mapToInt(SlotCount::withheldSlots).sum(),
            withheld.size(),
            first.node(),
            why.rejections(),
            why.reason(),
            why.until(),
            first.node());
  }

  /** Whether slots of any of these nodes are withheld. */
  static boolean isAny(List<SlotCount> counted) {
    return counted.stream()
        .anyMatch(node -> node.withheld().isPresent() || node.withheldSlots() > 0);
  }

  /** Why; rejections first, because they may be about what nobody has seen. */
  static Diagnosis diagnosis(List<SlotCount> counted) {
    List<SlotCount> rejecting =
        counted.stream().filter(node -> node.withheld().isPresent()).toList();
    if (!rejecting.isEmpty()) {
      return new Diagnosis(ProfileReason.EXECUTORS_REJECTED, message(rejecting));
    }
    List<SlotCount> troubled = counted.stream().filter(node -> node.withheldSlots() > 0).toList();
    if (troubled.isEmpty()) {
      return new Diagnosis(ProfileReason.NO_REJECTION, "no node's slots are withheld");
    }
    SlotCount first = troubled.get(0);
    return new Diagnosis(
        ProfileReason.PINNER_NOT_CONNECTED,
        "%d free slots on %d nodes are withheld, because the container runtime does not pin there; node %s: %s; see the condition PinnersConnected"
            .formatted(
                troubled.stream().mapToInt(SlotCount::withheldSlots).sum(),
                troubled.size(),
                first.node(),
                first.pinnerTrouble().orElseThrow()));
  }
}
