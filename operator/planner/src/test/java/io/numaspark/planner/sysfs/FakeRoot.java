package io.numaspark.planner.sysfs;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the files that a machine of a given topology would have, and breaks them on request. */
final class FakeRoot {
  private static final String INTEL =
      "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 62\n"
          + "model name\t: Xeon\n\nprocessor\t: 1\nvendor_id\t: GenuineIntel\nmodel\t\t: 99\n";

  private final Path root;

  private FakeRoot(Path root) {
    this.root = root;
  }

  static FakeRoot of(Path root, NodeTopology topology) {
    FakeRoot fake = new FakeRoot(root);
    fake.write("proc/cpuinfo", INTEL);
    fake.write("sys/devices/system/cpu/smt/control", "on");
    fake.write("sys/devices/system/cpu/online", topology.cpus().toString());
    topology.numaNodes().forEach(fake::writeNode);
    return fake;
  }

  private void writeNode(NumaNode node) {
    String folder = "sys/devices/system/node/node" + node.id();
    write(folder + "/cpulist", node.cpus().toString());
    write(
        folder + "/meminfo",
        "Node %d MemTotal:       %d kB\nNode %d MemFree:  1 kB"
            .formatted(node.id(), node.memoryBytes() >> 10, node.id()));
    write(
        folder + "/distance",
        node.distances().stream().map(String::valueOf).collect(Collectors.joining(" ")));
    write(folder + "/hugepages/hugepages-1048576kB/nr_hugepages", "0");
    write(folder + "/hugepages/hugepages-2048kB/nr_hugepages", "" + (node.hugepageBytes() >> 21));
    for (Core core : node.cores()) {
      core.threads().stream().forEach(cpu -> writeCpu(cpu, core, node));
    }
  }

  private void writeCpu(int cpu, Core core, NumaNode node) {
    String folder = "sys/devices/system/cpu/cpu" + cpu;
    write(folder + "/topology/thread_siblings_list", core.threads().toString());
    write(folder + "/topology/physical_package_id", "" + node.socket());
    writeCache(folder + "/cache/index0", 1, "Data", core.threads());
    writeCache(folder + "/cache/index1", 1, "Instruction", core.threads());
    writeCache(folder + "/cache/index2", 2, "Unified", core.threads());
    node.caches().stream()
        .filter(cache -> cache.contains(cpu))
        .forEach(cache -> writeCache(folder + "/cache/index3", 3, "Unified", cache));
  }

  private void writeCache(String folder, int level, String type, CpuSet shared) {
    write(folder + "/level", "" + level);
    write(folder + "/type", type);
    write(folder + "/shared_cpu_list", shared.toString());
  }

  FakeRoot write(String path, String text) {
    try {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text + "\n");
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes a file, or a folder with all it holds. */
  FakeRoot remove(String path) {
    try (Stream<Path> below = Files.walk(root.resolve(path))) {
      for (Path file : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  NodeReading read() throws IOException {
    return SysfsTopologyReader.read(root);
  }
}
