package numaspark.facts;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import numaspark.facts.ExecutorFacts.RunQueue;

/**
 * Sums {@code schedstat} over the threads of the JVM: nanoseconds on a CPU, nanoseconds ready but
 * waiting for one. The file of the process itself tells of its first thread only.
 */
final class RunQueueReader {
  private static final String FACT = "run-queue delay";

  /** Each costs about 20 µs; an executor has one to three hundred. */
  private static final int MOST_THREADS = 4096;

  private record Times(long running, long waiting) {}

  private final Path tasks;
  private final Unread unread;
  private final byte[] buffer = new byte[128];
  private Map<String, Times> before = new HashMap<>();
  private boolean first = true;

  RunQueueReader(Roots roots, Unread unread) {
    this.tasks = roots.self().resolve("task");
    this.unread = unread;
  }

  /** What has been added since the call before; nothing at the first one. */
  Optional<RunQueue> read() {
    String[] threads = tasks.toFile().list();
    if (threads == null || threads.length > MOST_THREADS) {
      unread.because(
          FACT,
          threads == null
              ? "there is no " + tasks
              : threads.length + " threads are more than " + MOST_THREADS);
      before.clear();
      first = true;
      return Optional.empty();
    }
    Map<String, Times> now = new HashMap<>(threads.length * 2);
    long running = 0;
    long waiting = 0;
    for (String thread : threads) {
      Times times = times(thread);
      if (times == null) {
        continue; // it has ended, or there is no such file for any of them
      }
      now.put(thread, times);
      Times earlier = before.get(thread);
      boolean same = earlier != null && earlier.running <= times.running;
      running += times.running - (same ? earlier.running : 0);
      waiting += times.waiting - (same ? Math.min(earlier.waiting, times.waiting) : 0);
    }
    before = now;
    if (now.isEmpty()) {
      unread.because(FACT, "no thread in " + tasks + " has a readable schedstat");
      first = true;
      return Optional.empty();
    }
    unread.isRead(FACT);
    boolean known = !first;
    first = false;
    return known ? Optional.of(new RunQueue(running / 1e9, waiting / 1e9)) : Optional.empty();
  }

  private Times times(String thread) {
    File file = new File(tasks.toFile(), thread + "/schedstat");
    try (FileInputStream stream = new FileInputStream(file)) {
      int length = Math.max(0, stream.read(buffer));
      String[] words =
          new String(buffer, 0, length, StandardCharsets.US_ASCII).strip().split(" ", 3);
      return words.length < 2
          ? null
          : new Times(Long.parseLong(words[0]), Long.parseLong(words[1]));
    } catch (IOException | NumberFormatException e) {
      return null;
    }
  }
}
