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
  private static final Pattern CPU = Pattern.compile("cpu(\\d+)");
  private static final Pattern NODE = Pattern.compile("node(\\d+)");
  private static final Pattern CACHE_INDEX = Pattern.compile("index(\\d+)");
  private static final Pattern PAGE_SIZE = Pattern.compile("hugepages-(\\d+)kB");
  private static final Pattern MEM_TOTAL =
      Pattern.compile("(?:Node\\s+\\d+\\s+)?MemTotal:\\s+(\\d{1,15}) kB");
  private static final int LAST_LEVEL = 3;

  /** Linux has no more NUMA nodes (NODES_SHIFT is at most 10), and the CRD takes no larger ids. */
  private static final int LARGEST_ID = 1023;

  private static final String DMI_TABLE = "sys/firmware/dmi/tables/DMI";

  private final SystemTree tree;
  private final CpuSet online;

  /** Online CPUs that no NUMA node has claimed so far. */
  private CpuSet unplaced;

  private SysfsTopologyReader(SystemTree tree) throws IOException {
    this.tree = tree;
    this.online = online();
    this.unplaced = online;
  }

  /**
   * Reads the tree below {@code root}, which is {@code /} for the machine at hand.
   *
   * <p>Limit: a NUMA node has one socket, that of its first CPU; where firmware interleaves memory
   * over the sockets, or the kernel has no NUMA support, all sockets count as one.
   *
   * @throws IOException naming the file that is missing or not understood, and what to do
   */
  public static NodeReading read(Path root) throws IOException {
    return read(root, root.resolve(DMI_TABLE));
  }

  /**
   * Reads the tree below {@code root}, and the memory modules from a table that lies elsewhere: in
   * a container, the runtime hides /sys/firmware.
   *
   * @param dmiTable copy or mount of /sys/firmware/dmi/tables/DMI; what cannot be read is unknown
   * @throws IOException naming the file that is missing or not understood, and what to do
   */
  public static NodeReading read(Path root, Path dmiTable) throws IOException {
    SystemTree tree = new SystemTree(root);
    SysfsTopologyReader reader = new SysfsTopologyReader(tree);
    CpuInfo cpu = CpuInfo.read(tree);
    List<NumaNode> numaNodes = reader.numaNodes();
    try {
      return new NodeReading(
          new NodeTopology(Sockets.of(numaNodes)),
          cpu.identity(),
          SystemInfo.read(tree, cpu, dmiTable),
          reader.offline(),
          reader.unplaced);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "the files below %s contradict each other: %s; read the machine again"
              .formatted(root, e.getMessage()),
          e);
    }
  }

  private CpuSet online() throws IOException {
    String list = CPUS + "/online";
    if (tree.exists(list)) {
      return tree.cpus(list);
    }
    // Old kernels have no list; a CPU that is offline has no topology either.
    List<Integer> found = new ArrayList<>();
    for (Map.Entry<Integer, String> cpu : tree.numbered(CPUS, CPU).entrySet()) {
      boolean on = !tree.optionalText(cpu.getValue() + "/online").equals(Optional.of("0"));
      if (on && cpu.getKey() <= CpuSet.MAX_ID && tree.exists(cpu.getValue() + "/topology")) {
        found.add(cpu.getKey());
      }
    }
    return found.isEmpty()
        ? tree.cpus(list)
        : CpuSet.of(found.stream().mapToInt(Integer::intValue));
  }

  /** CPUs that are present and not online; those that the kernel only could have do not count. */
  private CpuSet offline() throws IOException {
    String present = CPUS + "/present";
    return tree.exists(present) ? tree.cpus(present).minus(online) : CpuSet.EMPTY;
  }

  private List<NumaNode> numaNodes() throws IOException {
    List<NumaNode> numaNodes = new ArrayList<>();
    for (Map.Entry<Integer, String> entry : tree.numbered(NODES, NODE).entrySet()) {
      String folder = entry.getValue();
      // A folder without any of its files is that of a NUMA node which is not there (yet).
      if (Stream.of("/cpulist", "/cpumap", "/meminfo")
          .anyMatch(file -> tree.exists(folder + file))) {
        if (entry.getKey() > LARGEST_ID) {
          throw tree.unexpected(NODES, "NUMA nodes with ids up to " + LARGEST_ID, null);
        }
        CpuSet cpus = tree.cpus(folder + "/cpulist", folder + "/cpumap").intersect(online);
        if (!unplaced.containsAll(cpus)) {
          throw tree.unexpected(
              folder + "/cpulist",
              "no CPU of another NUMA node (" + cpus.minus(unplaced) + ")",
              null);
        }
        unplaced = unplaced.minus(cpus);
        numaNodes.add(
            numaNode(
                entry.getKey(),
                cpus,
                folder + "/meminfo",
                folder + "/hugepages",
                distances(folder + "/distance")));
      }
    }
    if (numaNodes.isEmpty()) {
      // A kernel without NUMA support: all of the machine is one NUMA node.
      unplaced = CpuSet.EMPTY;
      return List.of(numaNode(0, online, "proc/meminfo", "sys/kernel/mm/hugepages", List.of(10)));
    }
    return numaNodes;
  }

  private NumaNode numaNode(
      int id, CpuSet cpus, String meminfo, String hugepages, List<Integer> distances)
      throws IOException {
    return new NumaNode(
        id,
        cpus.isEmpty() ? Sockets.UNKNOWN : socket(cpus.first()),
        memTotal(meminfo),
        hugepageBytes(hugepages),
        distances,
        cores(cpus),
        caches(cpus));
  }

  private int socket(int cpu) throws IOException {
    String path = cpu(cpu) + "/topology/physical_package_id";
    long socket = tree.number(path);
    if (socket > Integer.MAX_VALUE) {
      throw tree.unexpected(path, "the number of a socket", null);
    }
    // Some Arm firmware leaves the package unknown, which the kernel shows as -1.
    return (int) Math.max(0, socket);
  }

  private List<Core> cores(CpuSet cpus) throws IOException {
    List<Core> cores = new ArrayList<>();
    CpuSet left = cpus;
    while (!left.isEmpty()) {
      CpuSet threads = siblings(left.first()).intersect(cpus);
      if (!threads.contains(left.first())) {
        throw tree.unexpected(siblingsPath(left.first()), "the CPU itself too", null);
      }
      if (!left.containsAll(threads)) {
        throw tree.unexpected(
            siblingsPath(left.first()),
            "no CPU of another core (" + threads.minus(left) + ")",
            null);
      }
      cores.add(new Core(threads));
      left = left.minus(threads);
    }
    return cores;
  }

  private CpuSet siblings(int cpu) throws IOException {
    String newer = cpu(cpu) + "/topology/core_cpus";
    return tree.cpus(
        siblingsPath(cpu), tree.exists(newer) ? newer : cpu(cpu) + "/topology/thread_siblings");
  }

  private String siblingsPath(int cpu) {
    // core_cpus_list is the newer name of the same list.
    String newer = cpu(cpu) + "/topology/core_cpus_list";
    return tree.exists(newer) ? newer : cpu(cpu) + "/topology/thread_siblings_list";
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
        CpuSet shared = sharing(cache.get()).intersect(left).union(cpu);
        caches.add(shared);
        left = left.minus(shared);
      } else {
        left = left.minus(cpu);
      }
    }
    return caches;
  }

  private CpuSet sharing(String cache) throws IOException {
    return tree.cpus(cache + "/shared_cpu_list", cache + "/shared_cpu_map");
  }

  /** Level 3 where there is one, as the kubelet takes it; otherwise the highest unified cache. */
  private Optional<String> lastLevelCache(int cpu) throws IOException {
    Map<Long, String> byLevel = new TreeMap<>(Comparator.reverseOrder());
    for (String index : tree.numbered(cpu(cpu) + "/cache", CACHE_INDEX).values()) {
      boolean told =
          tree.exists(index + "/level")
              && (tree.exists(index + "/shared_cpu_list")
                  || tree.exists(index + "/shared_cpu_map"));
      if (told && tree.optionalText(index + "/type").map("Unified"::equals).orElse(true)) {
        byLevel.putIfAbsent(tree.number(index + "/level"), index);
      }
    }
    return Stream.concat(
            Stream.ofNullable(byLevel.get((long) LAST_LEVEL)), byLevel.values().stream())
        .findFirst();
  }

  private List<Integer> distances(String path) throws IOException {
    String text = tree.optionalText(path).orElse("");
    try {
      return text.isEmpty()
          ? List.of()
          : Stream.of(text.split("\\s+")).map(Integer::valueOf).toList();
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
      String path = size.getValue() + "/nr_hugepages";
      // Some kernels have the folder of a size that a NUMA node does not offer.
      long pages = tree.exists(path) ? tree.number(path) : 0;
      if (pages < 0 || pages > Long.MAX_VALUE / Math.max(1, pageBytes)) {
        throw tree.unexpected(path, "a number of huge pages", null);
      }
      if (pages > 0) {
        bytes.merge(HugepageSize.canonical(pageBytes), pages * pageBytes, Long::sum);
      }
    }
    return bytes;
  }

  private static String cpu(int cpu) {
    return CPUS + "/cpu" + cpu;
  }
}
