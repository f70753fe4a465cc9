package numaspark.facts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import numaspark.facts.ExecutorFacts.Throttling;

/**
 * Reads throttling and pressure of the JVM's own cgroup, version 2 or 1. In a container with a
 * cgroup namespace that is the container's cgroup, and nothing above it can be seen.
 */
final class CgroupReader {
  private static final String THROTTLING = "throttling";

  private final Roots roots;
  private final Unread unread;
  private final Optional<Path> cpu;
  private final Optional<Path> unified;

  CgroupReader(Roots roots, Unread unread) {
    this.roots = roots;
    this.unread = unread;
    List<String> own =
        unread.text("cgroup", roots.self().resolve("cgroup")).orElse("").lines().toList();
    unified =
        own.stream().filter(line -> line.startsWith("0::")).findFirst().flatMap(this::unified);
    // Where both are mounted, the controller is in version 1 if that names it.
    cpu =
        own.stream()
            .filter(CgroupReader::namesCpu)
            .findFirst()
            .flatMap(this::controller)
            .or(() -> unified);
  }

  private static boolean namesCpu(String line) {
    String[] parts = line.split(":", 3);
    return parts.length == 3 && List.of(parts[1].split(",")).contains("cpu");
  }

  private Optional<Path> unified(String line) {
    return folder(roots.cgroups(), line.substring("0::".length()), "cgroup.controllers")
        .or(
            () ->
                folder(
                    roots.cgroups().resolve("unified"), line.substring(3), "cgroup.controllers"));
  }

  private Optional<Path> controller(String line) {
    String[] parts = line.split(":", 3);
    return folder(roots.cgroups().resolve(parts[1]), parts[2], "cpu.stat")
        .or(() -> folder(roots.cgroups().resolve("cpu"), parts[2], "cpu.stat"));
  }

  /** Without a cgroup namespace the path is the host's, while the mount begins at the container. */
  private static Optional<Path> folder(Path mount, String path, String witness) {
    Path own = mount.resolve(path.replaceFirst("^/+", "")).normalize();
    if (own.startsWith(mount) && Files.exists(own.resolve(witness))) {
      return Optional.of(own);
    }
    return Files.exists(mount.resolve(witness)) ? Optional.of(mount) : Optional.empty();
  }

  Optional<Throttling> throttling() {
    if (cpu.isEmpty()) {
      unread.because(THROTTLING, "there is no cgroup with CPU quota under " + roots.cgroups());
      return Optional.empty();
    }
    Path file = cpu.get().resolve("cpu.stat");
    Optional<String> text = unread.text(THROTTLING, file);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Long periods = value(text.get(), "nr_periods ");
    Long throttled = value(text.get(), "nr_throttled ");
    Long micros = value(text.get(), "throttled_usec ");
    Long nanos = value(text.get(), "throttled_time ");
    if (periods == null || throttled == null || (micros == null && nanos == null)) {
      unread.because(THROTTLING, file + " has none; the root of all cgroups has no quota");
      return Optional.empty();
    }
    double seconds = micros == null ? nanos / 1e9 : micros / 1e6;
    return Optional.of(new Throttling(seconds, periods, throttled));
  }

  /**
   * Microseconds since the cgroup was made in which some task waited.
   *
   * @param resource cpu, memory or io
   */
  Long stalledMicros(String resource) {
    String fact = resource + " pressure";
    if (unified.isEmpty()) {
      unread.because(fact, "it needs cgroup version 2");
      return null;
    }
    Path file = unified.get().resolve(resource + ".pressure");
    return unread
        .text(fact, file)
        .flatMap(text -> text.lines().filter(line -> line.startsWith("some ")).findFirst())
        .map(line -> value(line.replace(' ', '\n'), "total="))
        .orElse(null);
  }

  /** The whole number after the name, in one of the lines. */
  private static Long value(String text, String name) {
    for (String line : text.split("\n")) {
      if (line.startsWith(name)) {
        return number(line.substring(name.length()));
      }
    }
    return null;
  }

  private static Long number(String text) {
    try {
      long number = Long.parseLong(text.strip());
      return number < 0 ? null : number;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
