package io.numaspark.agent.writer;

import io.numaspark.agent.knob.Location;
import io.numaspark.planner.topology.CpuSet;

/**
 * The smallest thing that can be read and written: a place on one CPU, or a file of the node.
 *
 * @param location the place
 * @param cpu the CPU; {@value #NODE} if the place is the node's
 */
record Cell(Location location, int cpu) implements Comparable<Cell> {

  /** In place of a CPU. */
  static final int NODE = -1;

  Cell {
    if (location.isPerCpu() ? cpu < 0 || cpu > CpuSet.MAX_ID : cpu != NODE) {
      throw new IllegalArgumentException(location.key() + " has no CPU " + cpu);
    }
  }

  /** The name in the state file: {@code msr-0x1a4/12}, or {@code swappiness}. */
  String key() {
    return cpu == NODE ? location.key() : location.key() + "/" + cpu;
  }

  /**
   * The cell of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Cell parse(String key) {
    int slash = key.indexOf('/');
    if (slash < 0) {
      return new Cell(Location.of(key), NODE);
    }
    CpuSet cpu = CpuSet.parse(key.substring(slash + 1));
    if (cpu.size() != 1) {
      throw new IllegalArgumentException("'" + key + "' names no single CPU");
    }
    return new Cell(Location.of(key.substring(0, slash)), cpu.first());
  }

  @Override
  public int compareTo(Cell other) {
    int byLocation = location.compareTo(other.location);
    return byLocation == 0 ? Integer.compare(cpu, other.cpu) : byLocation;
  }
}
