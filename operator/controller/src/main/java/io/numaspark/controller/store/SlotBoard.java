package io.numaspark.controller.store;

import io.numaspark.controller.event.Signal;
import io.numaspark.controller.slots.NodeCount;
import io.numaspark.controller.slots.SlotChange;
import io.numaspark.controller.slots.SlotCount;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The slots of all nodes as they were last counted, for profiles, metrics and applications that
 * wait. After a restart it fills as nodes are reconciled.
 */
public final class SlotBoard {
  private final Map<String, NodeCount> nodes = new TreeMap<>();
  private final Signal<SlotChange> changes = new Signal<>();

  /** Slots of a profile over all its nodes. */
  public record ProfileSlots(long planned, long lost, long used, long withheld, long free) {
    static final ProfileSlots NONE = new ProfileSlots(0, 0, 0, 0, 0);

    ProfileSlots plus(SlotCount node) {
      return new ProfileSlots(
          planned + node.planned(),
          lost + node.lost(),
          used + node.used(),
          withheld + node.withheldSlots(),
          free + node.free());
    }
  }

  /** Emitted after each change, on the thread that counted. */
  public Signal<SlotChange> changes() {
    return changes;
  }

  /** Notes a node's count. */
  public void put(NodeCount count) {
    NodeCount before;
    synchronized (this) {
      before = nodes.put(count.slots().node(), count);
    }
    if (!count.equals(before)) {
      changes.emit(new SlotChange(Optional.ofNullable(before), Optional.of(count)));
    }
  }

  /** Notes that a node has no slots, or is gone. */
  public void remove(String node) {
    NodeCount before;
    synchronized (this) {
      before = nodes.remove(node);
    }
    if (before != null) {
      changes.emit(new SlotChange(Optional.of(before), Optional.empty()));
    }
  }

  /** The nodes that a profile has, in the order of their names. */
  public synchronized List<NodeCount> nodes(String profile) {
    return nodes.values().stream()
        .filter(count -> count.slots().profile().equals(profile))
        .toList();
  }

  /** The slots of one node; empty if it has none. */
  public synchronized Optional<SlotCount> node(String node) {
    return Optional.ofNullable(nodes.get(node)).map(NodeCount::slots);
  }

  /** Sums of all profiles that have nodes. */
  public synchronized Map<String, ProfileSlots> byProfile() {
    Map<String, ProfileSlots> sums = new TreeMap<>();
    for (NodeCount count : nodes.values()) {
      SlotCount slots = count.slots();
      sums.compute(
          slots.profile(),
          (profile, sum) -> Objects.requireNonNullElse(sum, ProfileSlots.NONE).plus(slots));
    }
    return sums;
  }
}
