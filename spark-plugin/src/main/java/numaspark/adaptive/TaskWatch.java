package numaspark.adaptive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import numaspark.adaptive.Interval.Sample;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;

/**
 * Watches one task from any thread: its bytes by Spark's metrics, its wait by the kernel's account
 * of its thread. Where {@code schedstat} is not there, waiting for a CPU counts as wait for I/O.
 * Threads that the task starts itself (Python workers among them) are not seen: their time is wait.
 */
final class TaskWatch {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final List<GarbageCollectorMXBean> PAUSING =
      ManagementFactory.getGarbageCollectorMXBeans().stream()
          .filter(bean -> !bean.getName().contains("Concurrent"))
          .filter(bean -> !bean.getName().endsWith("Cycles"))
          .toList();

  private final TaskMetrics metrics;
  private final long thread = Thread.currentThread().getId();
  private final Path schedstat;
  private final long began;
  private final long notWaitingBefore;

  /** Begins to watch the task of the current thread. */
  TaskWatch(TaskContext task) {
    this.metrics = task.taskMetrics();
    this.schedstat = ofCurrentThread();
    this.notWaitingBefore = notWaiting();
    this.began = System.nanoTime();
  }

  private static Path ofCurrentThread() {
    try {
      Path proc = Path.of("/proc");
      Path file =
          proc.resolve(Files.readSymbolicLink(proc.resolve("thread-self"))).resolve("schedstat");
      return Files.isReadable(file) ? file : null;
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  /** What it did until now, with the bytes that Spark reports while they flow. */
  Sample flowing() {
    metrics.mergeShuffleReadMetrics();
    return sample(
        metrics.inputMetrics().bytesRead() + metrics.shuffleReadMetrics().totalBytesRead());
  }

  /** What it did in all, after its end. */
  Sample whole() {
    return sample(
        metrics.inputMetrics().bytesRead()
            + metrics.outputMetrics().bytesWritten()
            + metrics.shuffleReadMetrics().totalBytesRead()
            + metrics.shuffleWriteMetrics().bytesWritten()
            + metrics.diskBytesSpilled());
  }

  private Sample sample(long bytes) {
    long now = System.nanoTime();
    long wait = now - began - (notWaiting() - notWaitingBefore);
    return new Sample(now, bytes, Math.max(0, wait));
  }

  /** Nanoseconds on a CPU, waiting for one, or stopped by the collector. */
  private long notWaiting() {
    long pauses = 0;
    for (GarbageCollectorMXBean bean : PAUSING) {
      pauses += Math.max(0, bean.getCollectionTime());
    }
    return pauses * 1_000_000 + onOrBeforeCpu();
  }

  private long onOrBeforeCpu() {
    if (schedstat != null) {
      try {
        return sumOfFirstTwo(Files.readString(schedstat));
      } catch (IOException | UncheckedIOException e) {
        // The thread is gone; its task is about to be taken off the list.
      }
    }
    return Math.max(0, THREADS.getThreadCpuTime(thread));
  }

  /** Of {@code <ns on CPU> <ns waiting for one> <timeslices>} (Linux, sched-stats.rst). */
  static long sumOfFirstTwo(String schedstat) {
    String[] fields = schedstat.strip().split(" ");
    return Long.parseLong(fields[0]) + Long.parseLong(fields[1]);
  }
}
