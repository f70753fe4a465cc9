package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Machine;

/**
 * All nodes with the same topology and the same kubelet settings; planned once.
 *
 * @param name the name of its first node
 * @param nodes how many there are
 */
public record NodeClass(String name, int nodes, Machine machine) {}
