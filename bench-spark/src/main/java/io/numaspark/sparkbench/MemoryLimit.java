package io.numaspark.sparkbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A memory cgroup (version 1 or 2): what its processes read and write of files is kept in memory
 * only as far as the limit has room, as on a machine whose memory is smaller than its data.
 */
final class MemoryLimit implements AutoCloseable {

  private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/memory");
  private static final Path VERSION_2 = Path.of("/sys/fs/cgroup");

  private final Path group;

  private MemoryLimit(Path group) {
    this.group = group;
  }

  static MemoryLimit create(String name, long bytes) throws IOException {
    boolean first = Files.exists(VERSION_1.resolve("memory.limit_in_bytes"));
    Path group = (first ? VERSION_1 : VERSION_2).resolve(name);
    Path limit = group.resolve(first ? "memory.limit_in_bytes" : "memory.max");
    try {
      Files.createDirectories(group);
      Files.writeString(limit, Long.toString(bytes));
    } catch (IOException e) {
      throw new IOException(
          limit
              + " cannot be written: suites on an emulated device need root and the cgroup controller \"memory\"",
          e);
    }
    return new MemoryLimit(group);
  }

  /** The command, inside of the limit from its first instruction. */
  List<String> around(List<String> command) {
    List<String> wrapped =
        new java.util.ArrayList<>(
            List.of(
                "/bin/sh", "-c", "echo $$ > \"$0/cgroup.procs\" && exec \"$@\"", group.toString()));
    wrapped.addAll(command);
    return wrapped;
  }

  @Override
  public void close() throws IOException {
    for (int attempt = 0; attempt < 50; attempt++) {
      try {
        Files.delete(group);
        return;
      } catch (IOException busy) {
        pause(); // a process that has just ended is still in it
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
