package io.numaspark.cli.trial;

import io.numaspark.cli.trial.ProcessFacts.Allowed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the executors of one run are seen to do while they live.
 *
 * <p>Limit: what an executor does after the last look is not seen.
 */
final class ExecutorWatch {
  /** An application has not so many executors here; what else lies in the folder is not ours. */
  private static final int MOST_EXECUTORS = 256;

  private static final int MOST_BYTES_OF_PID = 32;

  /**
   * What was seen last of an executor.
   *
   * @param pages by NUMA node
   */
  record Seen(long pid, Allowed allowed, Map<Integer, Long> pages) {}

  private final Path pids;
  private final ProcessFacts facts;
  private final Map<Integer, Seen> executors = new TreeMap<>();

  ExecutorWatch(Path pids, ProcessFacts facts) {
    this.pids = pids;
    this.facts = facts;
  }

  /** Looks at all executors that have started. */
  void look() {
    pids().forEach(this::look);
  }

  private void look(int executor, long pid) {
    Optional<Allowed> allowed = facts.allowed(pid);
    if (allowed.isEmpty()) {
      return;
    }
    Map<Integer, Long> pages = facts.pages(pid);
    Seen before = executors.get(executor);
    executors.put(
        executor,
        new Seen(pid, allowed.get(), pages.isEmpty() && before != null ? before.pages() : pages));
  }

  /**
   * CPU time of the executors that still live. Those of a driver that has ended are the children of
   * init, so nobody else counts their time.
   */
  double cpuSecondsOfLiving() {
    return pids().values().stream().mapToDouble(facts::cpuSeconds).sum();
  }

  Map<Integer, Seen> executors() {
    return executors;
  }

  /** Process ids of all executors that have started, by executor. */
  Map<Integer, Long> pids() {
    Map<Integer, Long> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(pids)) {
      List<Path> some = files.limit(MOST_EXECUTORS).toList();
      for (Path file : some) {
        String name = file.getFileName().toString();
        String text = SmallFile.read(file, MOST_BYTES_OF_PID).orElse("").strip();
        if (name.matches("\\d{1,6}") && text.matches("\\d{1,10}")) {
          found.put(Integer.parseInt(name), Long.parseLong(text));
        }
      }
    } catch (IOException e) {
      return found; // a file that is being written: the next look has it
    }
    return found;
  }
}
