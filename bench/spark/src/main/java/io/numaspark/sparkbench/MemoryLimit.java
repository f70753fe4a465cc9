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
  private final boolean versionOne;

  private MemoryLimit(Path group, boolean versionOne) {
    this.group = group;
    this.versionOne = versionOne;
  }

  /** Without a limit at first. */
  static MemoryLimit create(String name) throws IOException {
    boolean versionOne = Files.exists(VERSION_1.resolve("memory.limit_in_bytes"));
    Path group = (versionOne ? VERSION_1 : VERSION_2).resolve(name);
    try {
      Files.createDirectories(group);
    } catch (IOException e) {
      throw new IOException(
          group
              + " cannot be made: suites on an emulated device need root and the cgroup controller \"memory\"",
          e);
    }
    return new MemoryLimit(group, versionOne);
  }

  /**
   * Sets the limit to what the processes have of their own now, and room for files. What they
   * allocate later takes from that room.
   */
  void leave(int mebibytesForFiles) throws IOException {
    String field = versionOne ? "total_rss " : "anon ";
    long own =
        Files.readAllLines(group.resolve("memory.stat")).stream()
            .filter(line -> line.startsWith(field))
            .mapToLong(line -> Long.parseLong(line.substring(field.length())))
            .findFirst()
            .orElseThrow(() -> new IOException("no " + field.strip() + " in memory.stat"));
    set(own + ((long) mebibytesForFiles << 20));
  }

  /** Sets the limit of everything that the processes touch, files included. */
  void set(long bytes) throws IOException {
    Files.writeString(
        group.resolve(versionOne ? "memory.limit_in_bytes" : "memory.max"), Long.toString(bytes));
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
