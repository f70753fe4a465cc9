package numaspark.facts;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import numaspark.facts.ExecutorFacts.Placement;

/** Reads which CPUs and memory nodes the kernel allows, and which NUMA nodes those CPUs are in. */
final class PlacementReader {
  private static final String CPUS = "allowed CPUs";
  private static final String MEMORY = "allowed memory nodes";
  private static final String NODES = "NUMA nodes";

  private final Roots roots;
  private final Unread unread;

  /** A CPU does not move to another NUMA node, and a folder of a CPU has a dozen entries. */
  private final Map<Integer, Optional<Integer>> nodeOfCpu = new HashMap<>();

  PlacementReader(Roots roots, Unread unread) {
    this.roots = roots;
    this.unread = unread;
  }

  Placement read() {
    String status = unread.text(CPUS, roots.self().resolve("status")).orElse("");
    Optional<BitSet> cpus = list(status, "Cpus_allowed_list:", CPUS);
    Optional<BitSet> memory = list(status, "Mems_allowed_list:", MEMORY).map(this::withMemory);
    Optional<BitSet> nodes = cpus.flatMap(this::nodesOf);
    Optional<BitSet> online =
        unread.text("online CPUs", roots.system().resolve("cpu/online")).flatMap(CpuList::parse);
    return new Placement(
        cpus.map(CpuList::format).orElse(null),
        memory.map(CpuList::format).orElse(null),
        nodes.map(CpuList::format).orElse(null),
        cpus.isPresent() && online.isPresent() ? contains(cpus.get(), online.get()) : null);
  }

  private Optional<BitSet> list(String status, String name, String fact) {
    Optional<BitSet> list =
        status
            .lines()
            .filter(line -> line.startsWith(name))
            .findFirst()
            .flatMap(line -> CpuList.parse(line.substring(name.length())));
    if (list.isPresent()) {
      unread.isRead(fact);
    } else {
      unread.because(fact, roots.self().resolve("status") + " has no list " + name);
    }
    return list;
  }

  /** Without a cpuset, nodes that have no memory are allowed too; there is none to have. */
  private BitSet withMemory(BitSet allowed) {
    Optional<BitSet> memory =
        unread
            .text("nodes with memory", roots.system().resolve("node/has_memory"))
            .flatMap(CpuList::parse);
    if (memory.isPresent() && memory.get().intersects(allowed)) {
      allowed.and(memory.get());
    }
    return allowed;
  }

  /** Nothing, when it is not known for one of them. */
  private Optional<BitSet> nodesOf(BitSet cpus) {
    BitSet nodes = new BitSet();
    for (int cpu = cpus.nextSetBit(0); cpu >= 0; cpu = cpus.nextSetBit(cpu + 1)) {
      Optional<Integer> node = nodeOfCpu.computeIfAbsent(cpu, this::nodeOf);
      if (node.isEmpty()) {
        nodeOfCpu.remove(cpu);
        unread.because(NODES, "CPU " + cpu + " is in none, says " + roots.system());
        return Optional.empty();
      }
      nodes.set(node.get());
    }
    unread.isRead(NODES);
    return Optional.of(nodes);
  }

  private Optional<Integer> nodeOf(int cpu) {
    Path folder = roots.system().resolve("cpu/cpu" + cpu);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "node[0-9]*")) {
      for (Path entry : entries) {
        return Optional.of(Integer.parseInt(entry.getFileName().toString().substring(4)));
      }
    } catch (IOException | NumberFormatException e) {
      // none is known
    }
    return Optional.empty();
  }

  private static boolean contains(BitSet cpus, BitSet others) {
    BitSet missing = (BitSet) others.clone();
    missing.andNot(cpus);
    return missing.isEmpty();
  }
}
