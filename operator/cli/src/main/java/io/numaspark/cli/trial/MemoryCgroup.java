package io.numaspark.cli.trial;

import io.numaspark.cli.text.InputException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A memory cgroup (version 1 or 2) for one run: all arms get as much memory, and what they read and
 * write of files is in it, as in pods.
 *
 * <p>Limit: making one needs root.
 */
final class MemoryCgroup implements AutoCloseable {
  private static final int MOST_BYTES = 1 << 16;

  private final Path group;
  private final boolean versionOne;

  private MemoryCgroup(Path group, boolean versionOne) {
    this.group = group;
    this.versionOne = versionOne;
  }

  /**
   * @param mount normally {@code /sys/fs/cgroup}
   * @throws InputException if this process may not make one
   */
  static MemoryCgroup create(Path mount, String name, int mebibytes) {
    boolean versionOne = Files.exists(mount.resolve("memory/memory.limit_in_bytes"));
    Path group = mount.resolve(versionOne ? "memory" : "").resolve(name);
    String limit = versionOne ? "memory.limit_in_bytes" : "memory.max";
    try {
      Files.createDirectories(group);
      Files.writeString(group.resolve(limit), Long.toString((long) mebibytes << 20));
      Path swap = group.resolve("memory.swap.max");
      if (Files.exists(swap)) {
        Files.writeString(swap, "0");
      }
      return new MemoryCgroup(group, versionOne);
    } catch (IOException e) {
      group.toFile().delete(); // if it was made, nothing is in it
      throw new InputException(
          "--memory: %s cannot be made, which needs root. Without root, start the trial in a scope: systemd-run --user --scope -p MemoryMax=%dM numaspark trial ..."
              .formatted(group, mebibytes),
          e);
    }
  }

  /**
   * Removes cgroups without processes, whose names begin so.
   *
   * @return whether none is left
   */
  static boolean removeEmpty(Path mount, String prefix) throws IOException {
    Path parent = Files.isDirectory(mount.resolve("memory")) ? mount.resolve("memory") : mount;
    if (!Files.isDirectory(parent)) {
      return true;
    }
    boolean allGone = true;
    try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, prefix + "*")) {
      for (Path group : left) {
        try {
          Files.delete(group);
        } catch (IOException e) {
          allGone = false; // something is still in it, or it is not ours to remove
        }
      }
    }
    return allGone;
  }

  /** The command, inside of the limit from its first instruction. */
  List<String> around(List<String> command) {
    List<String> wrapped =
        new ArrayList<>(
            List.of(
                "/bin/sh", "-c", "echo $$ > \"$0/cgroup.procs\" && exec \"$@\"", group.toString()));
    wrapped.addAll(command);
    return wrapped;
  }

  /** The most that was used, with page cache; empty if the kernel does not say. */
  OptionalLong peakBytes() {
    return number(versionOne ? "memory.max_usage_in_bytes" : "memory.peak", "");
  }

  /** Processes that the kernel killed because of the limit. */
  long killed() {
    return number(versionOne ? "memory.oom_control" : "memory.events", "oom_kill ").orElse(0);
  }

  private OptionalLong number(String file, String before) {
    return SmallFile.read(group.resolve(file), MOST_BYTES).stream()
        .flatMap(String::lines)
        .filter(text -> text.startsWith(before))
        .map(text -> text.substring(before.length()).strip())
        .filter(text -> text.matches("\\d{1,18}"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }

  /** Goes as soon as the last process in it has ended, within five seconds. */
  @Override
  public void close() {
    for (int attempt = 0; attempt < 50; attempt++) {
      try {
        Files.deleteIfExists(group);
        return;
      } catch (IOException busy) {
        try {
          Thread.sleep(100);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }
}
