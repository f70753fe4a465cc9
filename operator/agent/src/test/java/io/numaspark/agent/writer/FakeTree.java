package io.numaspark.agent.writer;

import io.numaspark.agent.knob.KnobObserver;
import io.numaspark.agent.knob.Location;
import io.numaspark.agent.knob.Processor;
import io.numaspark.agent.knob.ProcessorReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.TreeMap;

/**
 * A machine of plain files: two cores with two threads each, CPUs 0 and 2, 1 and 3, whose siblings
 * share their registers by hard links.
 */
public final class FakeTree {

  static final String BOOT = "11111111-1111-1111-1111-111111111111";
  static final int CPUS = 4;

  public final Path root;

  FakeTree(Path root) {
    this.root = root;
    text("proc/sys/kernel/random/boot_id", BOOT);
    text("proc/sys/kernel/numa_balancing", "1");
    text("proc/sys/vm/zone_reclaim_mode", "0");
    text("proc/sys/vm/swappiness", "60");
    text("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
    text("sys/devices/system/cpu/online", "0-3");
    text("sys/devices/system/cpu/present", "0-3");
    for (int cpu = 0; cpu < CPUS; cpu++) {
      text(
          "sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list",
          cpu % 2 + "," + (cpu % 2 + 2));
    }
  }

  /** An Intel machine of family 6 with the registers of all prefetchers. */
  public static FakeTree intel(Path root, int model) {
    FakeTree tree = new FakeTree(root);
    tree.x86("GenuineIntel", 6, model, "fpu msr");
    tree.fill(Location.INTEL_PREFETCH_CONTROL, 0);
    tree.fill(Location.INTEL_PREFETCHERS, 0);
    tree.fill(Location.INTEL_ATOM_PREFETCH, 0);
    return tree;
  }

  /** An AMD machine with this EAX of CPUID leaf 0x80000021. */
  static FakeTree amd(Path root, int family, int eax) {
    FakeTree tree = new FakeTree(root);
    tree.x86("AuthenticAMD", family, 1, "fpu msr");
    tree.fill(Location.AMD_PREFETCH_CONTROL, 0x3C0);
    tree.at("dev/cpu/0/cpuid", 0x80000021L, eax);
    tree.at("dev/cpu/0/cpuid", 0x80000029L, 0);
    return tree;
  }

  static FakeTree power(Path root, String processor) {
    FakeTree tree = new FakeTree(root);
    tree.text(
        "proc/cpuinfo",
        "processor\t: 0\ncpu\t\t: "
            + processor
            + " (raw), altivec supported\n\nmodel\t: IBM,8286\n");
    for (int cpu = 0; cpu < CPUS; cpu++) {
      tree.text("sys/devices/system/cpu/cpu" + cpu + "/dscr", "10");
    }
    return tree;
  }

  static FakeTree graviton(Path root) {
    FakeTree tree = new FakeTree(root);
    tree.text(
        "proc/cpuinfo",
        "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd40\n");
    return tree;
  }

  void x86(String vendor, int family, int model, String flags) {
    text(
        "proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nmodel name\t: X\nflags\t\t: %s\n"
            .formatted(vendor, family, model, flags));
  }

  Processor processor() throws IOException {
    return ProcessorReader.read(root);
  }

  public KnobObserver observer() throws IOException {
    return new KnobObserver(root, processor());
  }

  public FakeTree text(String file, String text) {
    try {
      Path path = root.resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, text + "\n");
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text(String file) throws IOException {
    return Files.readString(root.resolve(file)).trim();
  }

  /** Gives all CPUs a register with this content. */
  void fill(Location register, long content) {
    for (int cpu = 0; cpu < CPUS; cpu++) {
      set(register, cpu, content);
    }
  }

  void set(Location register, int cpu, long content) {
    try {
      Path shared = root.resolve("dev/cpu/" + cpu % 2 + "/msr");
      at("dev/cpu/" + cpu % 2 + "/msr", register.msr(), content);
      Path own = root.resolve("dev/cpu/" + cpu + "/msr");
      if (!Files.exists(own)) {
        Files.createDirectories(own.getParent());
        Files.createLink(own, shared);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long get(Location register, int cpu) throws IOException {
    return new FileMachine(root).read(new Cell(register, cpu));
  }

  private void at(String file, long position, long content) {
    try {
      Path path = root.resolve(file);
      Files.createDirectories(path.getParent());
      try (FileChannel channel =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        channel.write(bytes.putLong(0, content), position);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything that a knob may live in, by name. */
  public TreeMap<String, Long> everything() throws IOException {
    TreeMap<String, Long> contents = new TreeMap<>();
    FileMachine machine = new FileMachine(root);
    for (Location location : Location.values()) {
      for (int cpu = 0; cpu < (location.isPerCpu() ? CPUS : 1); cpu++) {
        Cell cell = new Cell(location, location.isPerCpu() ? cpu : Cell.NODE);
        try {
          contents.put(cell.key(), machine.read(cell));
        } catch (IOException e) {
          // This machine has no such place.
          contents.put(cell.key(), null);
        }
      }
    }
    return contents;
  }
}
