package numaspark.shuffle;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A limit of the kernel for the memory of some processes, below the one of this process. */
final class MemoryLimit implements AutoCloseable {
  private final Path group;
  private final boolean first;

  private MemoryLimit(Path group, boolean first) {
    this.group = group;
    this.first = first;
  }

  /** Empty where this process may not make one. */
  static Optional<MemoryLimit> of(long bytes) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
        String[] parts = line.split(":", 3);
        boolean first = parts[1].equals("memory");
        if (first || parts[1].isEmpty()) {
          Path parent = Path.of("/sys/fs/cgroup", first ? "memory" : "", parts[2]);
          Path limit = Path.of(first ? "memory.limit_in_bytes" : "memory.max");
          Path group = parent.resolve("numaspark-test-" + ProcessHandle.current().pid());
          Files.createDirectory(group);
          if (Files.exists(group.resolve(limit))) {
            Files.writeString(group.resolve(limit), Long.toString(bytes));
            return Optional.of(new MemoryLimit(group, first));
          }
          Files.delete(group);
        }
      }
    } catch (IOException e) {
      // not allowed here
    }
    return Optional.empty();
  }

  void add(ProcessHandle process) throws IOException {
    Files.writeString(group.resolve("cgroup.procs"), Long.toString(process.pid()));
  }

  /** The most bytes that were in use at a time, as the kernel counts them. */
  long most() throws IOException {
    Path file = group.resolve(first ? "memory.max_usage_in_bytes" : "memory.peak");
    return Long.parseLong(Files.readString(file).trim());
  }

  /** The kernel holds the group until the last process that was killed is really gone. */
  @Override
  public void close() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try {
        Files.deleteIfExists(group);
        return;
      } catch (FileSystemException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    }
  }
}
