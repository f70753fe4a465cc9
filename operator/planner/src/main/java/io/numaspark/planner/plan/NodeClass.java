package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Hardware;
import io.numaspark.planner.topology.Machine;
import java.util.Set;

/**
 * All nodes with the same topology and the same kubelet settings; planned once.
 *
 * @param name the name of its first node
 * @param nodes how many there are
 * @param hardware what is known of its nodes beside that, each kind once; may be empty
 */
public record NodeClass(String name, int nodes, Machine machine, Set<Hardware> hardware) {
  public NodeClass {
    hardware = Set.copyOf(hardware);
  }

  /** A class of whose hardware nothing else is known. */
  public NodeClass(String name, int nodes, Machine machine) {
    this(name, nodes, machine, Set.of());
  }
}
