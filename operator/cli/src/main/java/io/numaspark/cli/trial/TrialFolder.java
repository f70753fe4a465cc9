package io.numaspark.cli.trial;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.numaspark.cli.text.InputException;
import io.numaspark.trial.design.Metric;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * The folder of one trial: its plan, its journal, and its results. A trial that was interrupted
 * goes on from it.
 */
final class TrialFolder implements AutoCloseable {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final long MOST_BYTES = 1L << 20;

  /**
   * What a trial was begun with: what must not change before it ends.
   *
   * @param command spark-submit and its arguments, as the user gave them
   * @param counters whether perf counts each run
   * @param arms by name, in words
   */
  record Plan(
      int version,
      String study,
      List<String> command,
      String machine,
      int heapMebibytes,
      long seed,
      String metric,
      int rounds,
      double minimumEffect,
      double delay,
      boolean counters,
      List<Side> arms) {
    Plan {
      // Plans of before there was a choice.
      metric = Objects.requireNonNullElse(metric, Metric.DURATION.name());
    }
  }

  /** An arm in the plan. */
  record Side(
      String name,
      String role,
      String what,
      int executors,
      int taskSlots,
      String binding,
      String jvmOptions,
      SortedMap<String, String> properties) {}

  private final Path folder;
  private final FileChannel channel;

  private TrialFolder(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /**
   * Takes the folder for this process, and makes it if it is not there.
   *
   * @throws InputException if another process runs this trial
   */
  static TrialFolder open(Path folder) throws IOException {
    Files.createDirectories(folder);
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      channel.close();
      throw new InputException(
          folder + ": another process runs this trial; wait for it, or choose another --output");
    }
    return new TrialFolder(folder, channel);
  }

  /**
   * Writes the plan, or compares it with that of the trial that is continued.
   *
   * @throws InputException if the folder holds a trial of something else
   */
  void begin(Plan plan) throws IOException {
    Path file = folder.resolve("plan.json");
    if (!Files.exists(file)) {
      write("plan.json", JSON.writeValueAsString(plan));
      return;
    }
    Plan before = read(file);
    if (!before.equals(plan)) {
      throw new InputException(
          "%s holds another trial: its %s. Repeat its options, or choose another --output"
              .formatted(folder, difference(before, plan)));
    }
  }

  /** The plan of a trial that was begun. */
  static Plan read(Path file) throws IOException {
    if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
      throw new InputException(file + " is not the plan of a trial");
    }
    try {
      return JSON.readValue(Files.readString(file), Plan.class);
    } catch (JsonProcessingException e) {
      throw new InputException(file + " is not the plan of a trial: " + e.getOriginalMessage(), e);
    }
  }

  private static String difference(Plan before, Plan now) {
    if (!before.study().equals(now.study())) {
      return "study is " + before.study();
    }
    if (!before.command().equals(now.command())) {
      return "command is " + String.join(" ", before.command());
    }
    if (!before.machine().equals(now.machine())) {
      return "machine was " + before.machine();
    }
    if (before.heapMebibytes() != now.heapMebibytes()) {
      return "heap is " + before.heapMebibytes() + "Mi";
    }
    if (before.rounds() != now.rounds()) {
      return "rounds are " + before.rounds();
    }
    return "seed, metric, margin, delay or arms differ";
  }

  Journal journal() {
    return new Journal(folder.resolve("runs.jsonl"));
  }

  Path path() {
    return folder;
  }

  /** Replaces a file of results as a whole. */
  void write(String name, String text) throws IOException {
    Path next = folder.resolve(name + ".next");
    Files.writeString(next, text);
    Files.move(
        next,
        folder.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
