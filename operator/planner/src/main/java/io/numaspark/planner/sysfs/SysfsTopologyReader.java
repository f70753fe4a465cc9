package io.numaspark.planner.sysfs;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.HugepageSize;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads a machine's topology the way the kubelet does at its start: online CPUs only, memory per
 * NUMA node from its meminfo (pkg/kubelet/cm/cpumanager/topology and cAdvisor's sysinfo).
 *
 * <p>It sees the machine as it is now; a kubelet that started before a CPU went offline still holds
 * the older view.
 */
public final class SysfsTopologyReader {

  private static final String NODES = "sys/devices/system/node";
  private static final String CPUS = "sys/devices/system/cpu";
  private static final Pattern NODE = Pattern.compile("node(\\d+)");
  private static final Pattern CACHE_INDEX = Pattern.compile("index(\\d+)");
  private static final Pattern PAGE_SIZE = Pattern.compile("hugepages-(\\d+)kB");
  private static final Pattern MEM_TOTAL = Pattern.compile("(?:Node \\d+ )?MemTotal:\\s+(\\d+) kB");
  private static final int LAST_LEVEL = 3;

  private final SystemTree tree;
  private final CpuSet online;

  private SysfsTopologyReader(SystemTree tree) throws IOException {
    this.tree = tree;
    this.online = tree.cpus(CPUS + "/online");
  }

  /**
   * Reads the tree below {@code root}, which is {@code /} for the machine at hand.
   *
   * @throws IOException naming the file that is missing or not understood, and what to do
   */
  public static NodeReading read(Path root) throws IOException {
    SystemTree tree = new SystemTree(root);
    List<NumaNode> numaNodes = new SysfsTopologyReader(tree).numaNodes();
    try {
      return new NodeReading(new NodeTopology(numaNodes), CpuInfo.read(tree));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "the files below %s contradict each other: %s; read the machine again"
              .formatted(root, e.getMessage()),
          e);
    }
  }

  private List<NumaNode> numaNodes() throws IOException {
    Map<Integer, String> folders = tree.numbered(NODES, NODE);
    if (folders.isEmpty()) {
      // A kernel without NUMA support: all of the machine is one NUMA node.
      return List.of(numaNode(0, online, "proc/meminfo", "sys/kernel/mm/hugepages", List.of(10)));
    }
    List<NumaNode> numaNodes = new ArrayList<>();
    for (Map.Entry<Integer, String> entry : folders.entrySet()) {
      String folder = entry.getValue();
      numaNodes.add(
          numaNode(
              entry.getKey(),
              tree.cpus(folder + "/cpulist").intersect(online),
              folder + "/meminfo",
              folder + "/hugepages",
              distances(folder + "/distance")));
    }
    return withSocketsOfMemoryNodes(numaNodes);
  }

  private NumaNode numaNode(
      int id, CpuSet cpus, String meminfo, String hugepages, List<Integer> distances)
      throws IOException {
    return new NumaNode(
        id,
        cpus.isEmpty() ? 0 : socket(cpus.first()),
        memTotal(meminfo),
        hugepageBytes(hugepages),
        distances,
        cores(cpus),
        caches(cpus));
  }

  private int socket(int cpu) throws IOException {
    // Some Arm firmware leaves the package unknown, which the kernel shows as -1.
    return (int) Math.max(0, tree.number(cpu(cpu) + "/topology/physical_package_id"));
  }

  /** A memory-only node has no CPU to name its socket; it belongs to the nearest one. */
  private static List<NumaNode> withSocketsOfMemoryNodes(List<NumaNode> numaNodes) {
    return numaNodes.stream()
        .map(
            node ->
                node.cores().isEmpty() && node.distances().size() == numaNodes.size()
                    ? withSocket(node, nearestSocket(node, numaNodes))
                    : node)
        .toList();
  }

  private static int nearestSocket(NumaNode memoryNode, List<NumaNode> numaNodes) {
    return numaNodes.stream()
        .filter(node -> !node.cores().isEmpty())
        .min(Comparator.comparing(node -> memoryNode.distances().get(numaNodes.indexOf(node))))
        .map(NumaNode::socket)
        .orElse(memoryNode.socket());
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

  private List<Core> cores(CpuSet cpus) throws IOException {
    List<Core> cores = new ArrayList<>();
    CpuSet left = cpus;
    while (!left.isEmpty()) {
      CpuSet threads = siblings(left.first()).intersect(cpus);
      if (!threads.contains(left.first())) {
        throw tree.unexpected(
            cpu(left.first()) + "/topology/thread_siblings_list", "the CPU itself too", null);
      }
      cores.add(new Core(threads));
      left = left.minus(threads);
    }
    return cores;
  }

  private CpuSet siblings(int cpu) throws IOException {
    // core_cpus_list is the newer name of the same list.
    String newer = cpu(cpu) + "/topology/core_cpus_list";
    return tree.cpus(tree.exists(newer) ? newer : cpu(cpu) + "/topology/thread_siblings_list");
  }

  /** Last-level cache domains; empty if the machine does not tell, as most virtual ones. */
  private List<CpuSet> caches(CpuSet cpus) throws IOException {
    List<CpuSet> caches = new ArrayList<>();
    CpuSet left = cpus;
    while (!left.isEmpty()) {
      Optional<String> cache = lastLevelCache(left.first());
      CpuSet cpu = CpuSet.of(left.first());
      if (cache.isPresent()) {
        // Sub-NUMA clustering may leave one list for the whole socket: cut it to the NUMA node.
        CpuSet shared = tree.cpus(cache.get() + "/shared_cpu_list").intersect(cpus).union(cpu);
        caches.add(shared);
        left = left.minus(shared);
      } else {
        left = left.minus(cpu);
      }
    }
    return caches;
  }

  /** Level 3 where there is one, as the kubelet takes it; otherwise the highest unified cache. */
  private Optional<String> lastLevelCache(int cpu) throws IOException {
    Map<Long, String> byLevel = new TreeMap<>(Comparator.reverseOrder());
    for (String index : tree.numbered(cpu(cpu) + "/cache", CACHE_INDEX).values()) {
      if (tree.optionalText(index + "/type").map("Unified"::equals).orElse(true)) {
        byLevel.putIfAbsent(tree.number(index + "/level"), index);
      }
    }
    return Stream.concat(
            Stream.ofNullable(byLevel.get((long) LAST_LEVEL)), byLevel.values().stream())
        .findFirst();
  }

  private List<Integer> distances(String path) throws IOException {
    Optional<String> text = tree.optionalText(path);
    try {
      return text.isEmpty()
          ? List.of()
          : Stream.of(text.get().split("\\s+")).map(Integer::valueOf).toList();
    } catch (NumberFormatException e) {
      throw tree.unexpected(path, "distances such as 10 21", e);
    }
  }

  private long memTotal(String path) throws IOException {
    for (String line : tree.lines(path)) {
      Matcher matcher = MEM_TOTAL.matcher(line.trim());
      if (matcher.matches()) {
        return Long.parseLong(matcher.group(1)) << 10;
      }
    }
    throw tree.unexpected(path, "a line MemTotal in kB", null);
  }

  private SortedMap<String, Long> hugepageBytes(String folder) throws IOException {
    SortedMap<String, Long> bytes = new TreeMap<>();
    for (Map.Entry<Integer, String> size : tree.numbered(folder, PAGE_SIZE).entrySet()) {
      long pageBytes = (long) size.getKey() << 10;
      long pages = tree.number(size.getValue() + "/nr_hugepages");
      if (pages > 0) {
        bytes.put(HugepageSize.canonical(pageBytes), pages * pageBytes);
      }
    }
    return bytes;
  }

  private static String cpu(int cpu) {
    return CPUS + "/cpu" + cpu;
  }
}
