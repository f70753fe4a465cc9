package io.numaspark.agent.writer;

import io.numaspark.agent.knob.KernelFiles;
import io.numaspark.agent.knob.Location;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The machine as the kernel shows it below a root: /dev/cpu, /sys and /proc.
 *
 * <p>Limit: opens a file for each access. A profile changes rarely, and an open descriptor would
 * outlive a CPU that is taken offline.
 */
final class FileMachine implements Machine {

  private static final String CPU = "sys/devices/system/cpu/";
  private static final String ALLOW_WRITES = "sys/module/msr/parameters/allow_writes";
  private static final String LOCKDOWN = "sys/kernel/security/lockdown";

  private final Path root;

  FileMachine(Path root) {
    this.root = root;
  }

  @Override
  public long read(Cell cell) throws IOException {
    Location location = cell.location();
    if (!location.isPerCpu()) {
      return KernelFiles.read(root, location);
    }
    if (!location.isMsr()) {
      return KernelFiles.number(KernelFiles.text(root.resolve(dscr(cell))), 16, dscr(cell));
    }
    ByteBuffer content = register();
    try (FileChannel msr = FileChannel.open(msr(cell), StandardOpenOption.READ)) {
      // The position is the number of the register (Linux arch/x86/kernel/msr.c).
      if (msr.read(content, location.msr()) != Long.BYTES) {
        throw new IOException(msr(cell) + " gives no whole register");
      }
    }
    return content.getLong(0);
  }

  @Override
  public void write(Cell cell, long content) throws IOException {
    Location location = cell.location();
    if (!location.isMsr()) {
      String file = location.isPerCpu() ? dscr(cell) : location.file();
      String text =
          location.isPerCpu() ? Long.toHexString(content) : KernelFiles.spell(location, content);
      try (FileChannel channel =
          FileChannel.open(
              root.resolve(file), StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
        // In one piece: the kernel takes each write as a whole setting.
        channel.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.US_ASCII)));
      }
      return;
    }
    ByteBuffer bytes = register().putLong(0, content);
    try (FileChannel msr = FileChannel.open(msr(cell), StandardOpenOption.WRITE)) {
      msr.write(bytes, location.msr());
    }
  }

  private static ByteBuffer register() {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  private Path msr(Cell cell) {
    return root.resolve("dev/cpu/" + cell.cpu() + "/msr");
  }

  private static String dscr(Cell cell) {
    return CPU + "cpu" + cell.cpu() + "/dscr";
  }

  @Override
  public CpuSet onlineCpus() throws IOException {
    return cpus(CPU + "online");
  }

  @Override
  public CpuSet presentCpus() throws IOException {
    return cpus(CPU + "present");
  }

  @Override
  public CpuSet siblings(int cpu) throws IOException {
    return cpus(CPU + "cpu" + cpu + "/topology/thread_siblings_list").union(CpuSet.of(cpu));
  }

  private CpuSet cpus(String file) throws IOException {
    try {
      return CpuSet.parse(KernelFiles.text(root.resolve(file)));
    } catch (IllegalArgumentException e) {
      throw new IOException("/" + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String bootId() throws IOException {
    String id = KernelFiles.text(root.resolve("proc/sys/kernel/random/boot_id"));
    if (id.isEmpty()) {
      throw new IOException("/proc/sys/kernel/random/boot_id is empty");
    }
    return id;
  }

  @Override
  public String msrWriteBlock() {
    String allowWrites = optional(ALLOW_WRITES);
    if (allowWrites.equals("off")) {
      return "the kernel lets nobody write registers (msr.allow_writes=off): write 'default' to /"
          + ALLOW_WRITES;
    }
    String lockdown = optional(LOCKDOWN);
    if (lockdown.contains("[") && !lockdown.contains("[none]")) {
      return "kernel lockdown forbids to write registers (/"
          + LOCKDOWN
          + " is '"
          + lockdown
          + "'): lift it, which mostly means Secure Boot off, or use the settings of the firmware";
    }
    return null;
  }

  private String optional(String file) {
    try {
      return KernelFiles.text(root.resolve(file));
    } catch (IOException e) {
      // Older kernels have no such file; a write that is refused is told from its error.
      return "";
    }
  }
}
