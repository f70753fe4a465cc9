package numaspark.facts;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** Measures what facts cost this JVM in CPU time; started by facts-cost.sh, which says how. */
public final class FactsCost {
  private static final int THREADS = 200;
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  private FactsCost() {}

  public static void main(String[] arguments) throws InterruptedException {
    Duration duration = Duration.ofSeconds(Long.parseLong(arguments[0]));
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> awaitQuietly(end));
      thread.setDaemon(true);
      thread.start();
    }

    AtomicInteger messages = new AtomicInteger();
    FactsSettings usual = new FactsSettings(true, Duration.ofSeconds(10), Duration.ofSeconds(60));
    long start = System.nanoTime();
    FactsReporter reporter =
        FactsReporter.start(
            usual, "1", "host", Roots.ofThisMachine(), message -> messages.incrementAndGet());
    Thread.sleep(duration.toMillis());
    double wall = System.nanoTime() - start;
    double cpu = reporter.cpuNanos();
    reporter.close();
    print("threads of the JVM                          %d", CPU.getThreadCount());
    print("samples in %3.0f s                            %d", wall / 1e9, messages.get());
    print("CPU time of the thread that samples         %.1f ms", cpu / 1e6);
    print("share of one CPU                            %.4f %%", 100 * cpu / wall);

    Jvm jvm = Jvm.ofThisProcess();
    FactsSampler sampler =
        new FactsSampler("1", "host", Roots.ofThisMachine(), jvm, new Concurrency(jvm::nanoTime));
    print("one sample without pages, median of 21      %.2f ms", median(sampler, false, 21) / 1e6);
    print("one sample with pages, median of 5          %.2f ms", median(sampler, true, 5) / 1e6);
    print("the last facts                              %s", sampler.sample(true));
    end.countDown();
  }

  private static long median(FactsSampler sampler, boolean withPages, int times) {
    long[] costs = LongStream.range(0, times).map(i -> cost(sampler, withPages)).toArray();
    Arrays.sort(costs);
    return costs[times / 2];
  }

  private static long cost(FactsSampler sampler, boolean withPages) {
    long before = CPU.getCurrentThreadCpuTime();
    sampler.sample(withPages);
    return CPU.getCurrentThreadCpuTime() - before;
  }

  private static void awaitQuietly(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }
}
