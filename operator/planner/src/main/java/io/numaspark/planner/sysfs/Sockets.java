package io.numaspark.planner.sysfs;

import io.numaspark.planner.topology.NumaNode;
import java.util.List;
import java.util.TreeSet;

/** Sockets of NUMA nodes, where the kernel names none or names them by strange numbers. */
final class Sockets {
  /** Of a NUMA node without CPUs: nobody names its socket. */
  static final int UNKNOWN = -1;

  /** The CRD takes no larger ones. */
  private static final int LARGEST = 1023;

  private Sockets() {}

  /**
   * The NUMA nodes with sockets from 0 to {@value #LARGEST}: memory alone belongs to the socket of
   * the nearest CPUs, and where firmware numbers packages by its own offsets (ACPI PPTT on Arm),
   * sockets are counted in their order.
   */
  static List<NumaNode> of(List<NumaNode> numaNodes) {
    TreeSet<Integer> sockets = new TreeSet<>();
    numaNodes.stream().map(NumaNode::socket).filter(id -> id != UNKNOWN).forEach(sockets::add);
    boolean count = !sockets.isEmpty() && sockets.last() > LARGEST;
    return numaNodes.stream()
        .map(
            node -> {
              int socket = node.socket() == UNKNOWN ? nearest(node, numaNodes) : node.socket();
              return withSocket(node, count ? sockets.headSet(socket).size() : socket);
            })
        .toList();
  }

  private static int nearest(NumaNode memoryNode, List<NumaNode> numaNodes) {
    int nearest = 0;
    int shortest = Integer.MAX_VALUE;
    for (int i = 0; i < numaNodes.size(); i++) {
      NumaNode node = numaNodes.get(i);
      if (node.socket() != UNKNOWN && memoryNode.distances().size() == numaNodes.size()) {
        int distance = memoryNode.distances().get(i);
        if (distance < shortest) {
          shortest = distance;
          nearest = node.socket();
        }
      }
    }
    return nearest;
  }

  private static NumaNode withSocket(NumaNode node, int socket) {
    return new NumaNode(
        node.id(),
        socket,
        node.memoryBytes(),
        node.hugepageBytesBySize(),
        node.distances(),
        node.cores(),
        node.caches());
  }
}
