package io.numaspark.controller.slots;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node whose count changed; one of the two is present.
 *
 * @param before empty if the node had no slots
 * @param after empty if it has none any more
 */
public record SlotChange(Optional<NodeCount> before, Optional<NodeCount> after) {

  /** Whether anything changed but the number of executors on a node that admits them. */
  public boolean concernsStatus() {
    return !before.map(SlotChange::withoutUse).equals(after.map(SlotChange::withoutUse));
  }

  /** The one or two profiles that have the node, or had it. */
  public Set<String> profiles() {
    return Stream.of(before, after)
        .flatMap(Optional::stream)
        .map(count -> count.slots().profile())
        .collect(Collectors.toSet());
  }

  private static SlotCount withoutUse(NodeCount count) {
    SlotCount slots = count.slots();
    return slots.withheld().isPresent() || slots.pinnerTrouble().isPresent()
        ? slots
        : new SlotCount(
            slots.node(), slots.profile(), slots.planned(), slots.allowed(), 0, Optional.empty());
  }
}
