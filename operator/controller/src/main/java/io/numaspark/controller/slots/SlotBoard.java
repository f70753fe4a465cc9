package io.numaspark.controller.slots;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The slots of all nodes as they were last counted, for profiles, metrics and applications that
 * wait.
 */
public final class SlotBoard {
  private final Map<String, NodeCount> nodes = new TreeMap<>();
  private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();

  /**
   * One node, counted.
   *
   * @param executors slots of each pod that requests some by its UID, by the application that it
   *     says to belong to
   */
  public record NodeCount(NodeSlots slots, Map<ExecutorsOf, Map<String, Integer>> executors) {
    public NodeCount {
      executors = Map.copyOf(executors);
    }
  }

  /** An attempt of an application: the namespace and Spark's own id of the attempt. */
  public record ExecutorsOf(String namespace, String sparkApplicationId) {}

  /**
   * A node whose count changed; one of the two is present.
   *
   * @param before empty if the node had no slots
   * @param after empty if it has none any more
   */
  public record Change(Optional<NodeSlots> before, Optional<NodeSlots> after) {

    /** Whether anything changed but the number of executors on a node that admits them. */
    public boolean concernsStatus() {
      return !before.map(Change::withoutUse).equals(after.map(Change::withoutUse));
    }

    /** The one or two profiles that have the node, or had it. */
    public Set<String> profiles() {
      return Stream.of(before, after)
          .flatMap(Optional::stream)
          .map(NodeSlots::profile)
          .collect(Collectors.toSet());
    }

    private static NodeSlots withoutUse(NodeSlots slots) {
      return slots.withheld().isPresent()
          ? slots
          : new NodeSlots(
              slots.node(), slots.profile(), slots.planned(), slots.allowed(), 0, Optional.empty());
    }
  }

  /** Slots of a profile over all its nodes. */
  public record ProfileSlots(long planned, long lost, long used, long withheld, long free) {
    static final ProfileSlots NONE = new ProfileSlots(0, 0, 0, 0, 0);

    ProfileSlots plus(NodeSlots node) {
      return new ProfileSlots(
          planned + node.planned(),
          lost + node.lost(),
          used + node.used(),
          withheld + node.withheldSlots(),
          free + node.free());
    }
  }

  /** Called after each change, on the thread that counted. */
  public void onChange(Consumer<Change> listener) {
    listeners.add(listener);
  }

  /** Notes a node's count. */
  public void put(NodeCount count) {
    NodeCount before;
    synchronized (this) {
      before = nodes.put(count.slots().node(), count);
    }
    if (!count.equals(before)) {
      tell(
          new Change(
              Optional.ofNullable(before).map(NodeCount::slots), Optional.of(count.slots())));
    }
  }

  /** Notes that a node has no slots, or is gone. */
  public void remove(String node) {
    NodeCount before;
    synchronized (this) {
      before = nodes.remove(node);
    }
    if (before != null) {
      tell(new Change(Optional.of(before.slots()), Optional.empty()));
    }
  }

  /** The nodes that a profile has, in the order of their names. */
  public synchronized List<NodeCount> nodes(String profile) {
    return nodes.values().stream()
        .filter(count -> count.slots().profile().equals(profile))
        .toList();
  }

  /** The count of one node; empty if it has no slots. */
  public synchronized Optional<NodeCount> count(String node) {
    return Optional.ofNullable(nodes.get(node));
  }

  /** The slots of one node; empty if it has none. */
  public synchronized Optional<NodeSlots> node(String node) {
    return Optional.ofNullable(nodes.get(node)).map(NodeCount::slots);
  }

  /** Sums of all profiles that have nodes. */
  public synchronized Map<String, ProfileSlots> byProfile() {
    Map<String, ProfileSlots> sums = new TreeMap<>();
    for (NodeCount count : nodes.values()) {
      NodeSlots slots = count.slots();
      sums.compute(
          slots.profile(),
          (profile, sum) -> Objects.requireNonNullElse(sum, ProfileSlots.NONE).plus(slots));
    }
    return sums;
  }

  private void tell(Change change) {
    listeners.forEach(listener -> listener.accept(change));
  }
}
