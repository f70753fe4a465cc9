package io.numaspark.cli.trial;

import io.numaspark.cli.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Counts what the processes of a run do with the CPUs, by the program {@code perf stat}: it follows
 * all that the run starts. Without root it counts no switches, unless kernel.perf_event_paranoid is
 * 1 or less.
 *
 * <p>Limit: the kernel's work for them is counted neither as instructions nor as cycles.
 */
final class PerfStat {
  private static final String INSTRUCTIONS = "instructions";
  private static final String CYCLES = "cycles";
  private static final String CACHE_MISSES = "LLC-load-misses";
  private static final String SWITCHES = "context-switches";
  private static final String MIGRATIONS = "cpu-migrations";

  /**
   * With u only what runs in user mode, which everybody may count of his own processes. Switches
   * happen in the kernel.
   */
  private static final String EVENTS =
      String.join(
          ",", INSTRUCTIONS + ":u", CYCLES + ":u", CACHE_MISSES + ":u", SWITCHES, MIGRATIONS);

  private static final String SEPARATOR = ";";
  private static final int MOST_BYTES = 1 << 16;

  private final String program;
  private final Duration patience;

  PerfStat(String program) {
    this(program, Duration.ofSeconds(20));
  }

  /**
   * @param patience how long a try may take
   */
  PerfStat(String program, Duration patience) {
    this.program = program;
    this.patience = patience;
  }

  /** Starts a command, and writes its counts to a file when it has ended. */
  List<String> around(Path file) {
    return List.of(program, "stat", "-x", SEPARATOR, "-e", EVENTS, "-o", file.toString(), "--");
  }

  /**
   * Tries it.
   *
   * @param file that may be written
   * @return the events that cannot be counted here
   * @throws InputException if none can, with what perf says
   */
  List<String> probe(Path file) {
    List<String> command = new ArrayList<>(around(file));
    command.add("true");
    Path words = file.resolveSibling(file.getFileName() + ".words");
    int exit;
    try {
      // Into a file: to read what a program says until it ends could take forever.
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(words.toFile())
              .start();
      boolean ended = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
      exit = ended ? process.exitValue() : -1;
      process.destroyForcibly();
    } catch (IOException e) {
      throw new InputException(
          "--counters: %s cannot be started; install it (Debian: linux-perf, Ubuntu: linux-tools-generic, Red Hat: perf), or leave --counters out"
              .formatted(program),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InputException("--counters: interrupted", e);
    }
    String said = SmallFile.read(words, MOST_BYTES).orElse("").strip();
    Map<String, Double> counts = counts(file);
    if (exit != 0 || counts.isEmpty()) {
      throw new InputException(
          "--counters: perf counts nothing here%s; with sysctl kernel.perf_event_paranoid=2 or less it counts without root, or leave --counters out"
              .formatted(said.isEmpty() ? "" : ": " + said.lines().findFirst().orElse("")));
    }
    return List.of(INSTRUCTIONS, CYCLES, CACHE_MISSES, SWITCHES, MIGRATIONS).stream()
        .filter(event -> !counts.containsKey(event))
        .toList();
  }

  /**
   * What the runs of a trial are compared by. What was not counted is absent.
   *
   * @param file that a run has left
   * @param seconds that the run took
   */
  static SortedMap<String, Double> measures(Path file, double seconds) {
    Map<String, Double> counts = counts(file);
    SortedMap<String, Double> measures = new TreeMap<>();
    putRatio(measures, "instructionsPerCycle", counts.get(INSTRUCTIONS), counts.get(CYCLES));
    Double instructions = counts.get(INSTRUCTIONS);
    putRatio(
        measures,
        "cacheMissesPerThousandInstructions",
        counts.get(CACHE_MISSES),
        instructions == null ? null : instructions / 1000);
    Double switches = counts.get(SWITCHES);
    if (switches != null && switches > 0) { // perf says 0 to a user who may not count the kernel
      putRatio(measures, "switchesPerSecond", switches, seconds);
      putRatio(measures, "migrationsPerSecond", counts.get(MIGRATIONS), seconds);
    }
    return measures;
  }

  private static void putRatio(
      SortedMap<String, Double> measures, String name, Double part, Double whole) {
    if (part != null && whole != null && whole > 0) {
      measures.put(name, part / whole);
    }
  }

  /** Lines such as {@code 2;;context-switches:u;865388;100.00;;}, or "<not supported>" in front. */
  private static Map<String, Double> counts(Path file) {
    Map<String, Double> counts = new HashMap<>();
    SmallFile.read(file, MOST_BYTES).stream()
        .flatMap(String::lines)
        .map(line -> line.split(SEPARATOR))
        .filter(fields -> fields.length > 2 && fields[0].matches("[0-9]{1,18}"))
        .forEach(
            fields -> counts.put(fields[2].replaceAll(":.*", ""), Double.parseDouble(fields[0])));
    return counts;
  }
}
