package io.numaspark.planner.admission;

import java.util.HashMap;
import java.util.Map;

/**
 * The Memory Manager's books of one NUMA node (memorymanager/state: NUMANodeState, MemoryTable).
 *
 * <p>Sizes are unsigned 64-bit numbers, as in the kubelet: a reservation larger than the memory
 * makes a huge amount, not a negative one.
 */
final class MemoryCell {
  /** Name of the resource that is not a huge page. */
  static final String MEMORY = "memory";

  private final Map<String, Table> tables = new HashMap<>();
  private int assignments;

  /** The NUMA nodes that containers on this one share; a mask of this one alone if none do. */
  private long group;

  private final long self;

  MemoryCell(int numaNode) {
    self = 1L << numaNode;
    group = self;
  }

  /** Amounts of one resource. */
  private static final class Table {
    private final long allocatable;
    private long free;
    private long reserved;

    Table(long allocatable) {
      this.allocatable = allocatable;
      this.free = allocatable;
    }
  }

  void add(String resource, long allocatable) {
    tables.put(resource, new Table(allocatable));
  }

  /**
   * The kubelet reads the table without looking whether there is one.
   *
   * @throws UndefinedByKubelet if there is none
   */
  private Table table(String resource) {
    Table table = tables.get(resource);
    if (table == null) {
      throw new UndefinedByKubelet(
          "the kubelet crashes: the pod requests "
              + resource
              + ", of which the node has no pages (nil pointer in memorymanager/policy_static.go)");
    }
    return table;
  }

  long free(String resource) {
    return table(resource).free;
  }

  long allocatable(String resource) {
    return table(resource).allocatable;
  }

  boolean isAssigned() {
    return assignments > 0;
  }

  boolean isInGroup() {
    return Long.bitCount(group) > 1;
  }

  long group() {
    return group;
  }

  /**
   * Takes up to the given size for a container on the given group; returns what is still missing.
   */
  long assign(long ofGroup, String resource, long size) {
    assignments++;
    group = ofGroup;
    Table table = table(resource);
    long given = Long.compareUnsigned(table.free, size) < 0 ? table.free : size;
    table.free -= given;
    table.reserved += given;
    return size - given;
  }

  /** Gives up to the given size back; returns what other NUMA nodes of the group have of it. */
  long release(String resource, long size) {
    assignments--;
    if (assignments == 0) {
      group = self;
    }
    Table table = table(resource);
    long given = Long.compareUnsigned(table.reserved, size) < 0 ? table.reserved : size;
    table.free += given;
    table.reserved -= given;
    return size - given;
  }
}
