package numaspark.facts;

import java.util.Optional;
import numaspark.facts.ExecutorFacts.Pages;
import numaspark.facts.ExecutorFacts.Placement;
import numaspark.facts.ExecutorFacts.Pressure;
import numaspark.facts.ExecutorFacts.RunQueue;
import numaspark.facts.ExecutorFacts.Tasks;

/** Puts one executor's facts together. For one thread; never throws for what cannot be read. */
final class FactsSampler {
  private final String executorId;
  private final String host;
  private final Jvm jvm;
  private final Concurrency concurrency;
  private final Unread unread = new Unread();
  private final PlacementReader placements;
  private final PageReader pages;
  private final RunQueueReader runQueue;
  private final CgroupReader cgroup;
  private final Growth clock = new Growth();
  private final Growth cpu = new Growth();
  private final Growth gc = new Growth();
  private final Growth cpuStalls = new Growth();
  private final Growth memoryStalls = new Growth();
  private final Growth ioStalls = new Growth();
  private Pages lastPages;

  FactsSampler(String executorId, String host, Roots roots, Jvm jvm, Concurrency concurrency) {
    this.executorId = executorId;
    this.host = host;
    this.jvm = jvm;
    this.concurrency = concurrency;
    placements = new PlacementReader(roots, unread);
    pages = new PageReader(roots, unread);
    runQueue = new RunQueueReader(roots, unread);
    cgroup = new CgroupReader(roots, unread);
  }

  /**
   * @param withPages whether to look at the pages too, which costs most; if not, the facts carry
   *     what was seen the last time
   */
  ExecutorFacts sample(boolean withPages) {
    Long nanos = clock.to(jvm.nanoTime());
    Double interval = nanos == null || nanos == 0 ? null : nanos / 1e9;
    Placement placement = placements.read();
    if (withPages) {
      lastPages =
          Optional.ofNullable(placement.numaNodes())
              .flatMap(CpuList::parse)
              .flatMap(pages::read)
              .orElse(null);
    }
    // Every counter moves on with every sample, so that the next one is of one interval.
    Optional<RunQueue> threads = runQueue.read();
    long cpuNanos = jvm.cpuNanos();
    Long cpuGrowth = cpu.to(cpuNanos < 0 ? null : cpuNanos);
    Long gcGrowth = gc.to(jvm.gcPauseMillis());
    Tasks tasks = concurrency.interval();
    Pressure pressure =
        new Pressure(
            share(cpuStalls.to(cgroup.stalledMicros("cpu")), 1e-6, interval),
            share(memoryStalls.to(cgroup.stalledMicros("memory")), 1e-6, interval),
            share(ioStalls.to(cgroup.stalledMicros("io")), 1e-6, interval));
    return new ExecutorFacts(
        executorId,
        host,
        interval,
        placement,
        lastPages,
        cgroup.throttling().orElse(null),
        threads.orElse(null),
        cpuGrowth == null ? null : cpuGrowth / 1e9,
        share(gcGrowth, 1e-3, interval),
        interval == null ? null : tasks,
        pressure.equals(new Pressure(null, null, null)) ? null : pressure,
        unread.reasons());
  }

  private static Double share(Long growth, double unit, Double interval) {
    return growth == null || interval == null ? null : Math.min(1, growth * unit / interval);
  }

  /** How much a counter has grown since the look before. */
  private static final class Growth {
    private Long before;

    /** Nothing, when it was or is unknown, or has begun anew. */
    Long to(Long now) {
      Long growth = before == null || now == null || now < before ? null : now - before;
      before = now;
      return growth;
    }
  }
}
