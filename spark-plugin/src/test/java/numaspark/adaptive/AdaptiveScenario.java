package numaspark.adaptive;

import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import numaspark.plugin.DriverMetrics;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkExecutorInfo;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Function1;
import scala.collection.Iterator;
import scala.reflect.ClassTag$;

/**
 * Jobs on made devices, for the tests and, by {@link #main}, for other releases of Spark. A device
 * is a sleep whose length depends on how many tasks of the JVM use it.
 */
public final class AdaptiveScenario implements AutoCloseable {
  private static final AtomicInteger ACTIVE = new AtomicInteger();
  private static final int BLOCKS = 5;

  private final JavaSparkContext spark;

  /** What one task saw: who ran it, when, and with how many others on the device. */
  public record Seen(String executor, long nanos, int together) implements Serializable {}

  /** How a device behaves. */
  public enum Kind {
    /** Fastest at 4 tasks. */
    HDD,
    /** Scales. */
    SSD,
    /** HDD on executor 0, SSD on the others. */
    MIXED,
    /** No bytes, no wait. */
    CPU;

    private double megabytesPerSecond(int users) {
      boolean disk = this == HDD || this == MIXED && SparkEnv.get().executorId().equals("0");
      return disk && users > 4 ? 100 / (1 + 0.35 * (users - 4)) : 25.0 * users;
    }
  }

  public AdaptiveScenario(String master, String... namesAndValues) {
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setAppName("adaptive")
            .set("spark.plugins", "numaspark.plugin.NumasparkPlugin")
            .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .set("spark.executor.memory", "512m")
            .set("spark.ui.enabled", "false")
            .set("spark.locality.wait", "0")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      conf.set(namesAndValues[i], namesAndValues[i + 1]);
    }
    spark = new JavaSparkContext(conf);
  }

  @Override
  public void close() {
    spark.stop();
  }

  public JavaSparkContext spark() {
    return spark;
  }

  /** Until that many executors are there. */
  public void awaitExecutors(int number) throws InterruptedException {
    for (int i = 0;
        i < 600 && spark.sc().statusTracker().getExecutorInfos().length <= number;
        i++) {
      Thread.sleep(100);
    }
    // A first job loads classes everywhere.
    spark.parallelize(numbers(64), 64).map(AdaptiveScenario::nap).count();
  }

  private static int nap(int x) throws InterruptedException {
    Thread.sleep(20);
    return x;
  }

  private static List<Integer> numbers(int n) {
    return IntStream.range(0, n).boxed().collect(Collectors.toList());
  }

  /** A job of one stage on a device; the same kind is the same signature. */
  public List<Seen> run(Kind kind, int tasks) {
    if (kind == Kind.HDD) {
      return spark.parallelize(numbers(tasks), tasks).map(x -> task(Kind.HDD)).collect();
    }
    return spark.parallelize(numbers(tasks), tasks).map(x -> task(kind)).collect();
  }

  private static Seen task(Kind kind) throws InterruptedException {
    int together = ACTIVE.incrementAndGet();
    long begin = System.nanoTime();
    try {
      for (int block = 0; block < BLOCKS; block++) {
        if (kind == Kind.CPU) {
          spin();
          continue;
        }
        int users = ACTIVE.get();
        Thread.sleep((long) (1000 * users / kind.megabytesPerSecond(users)));
        TaskContext.get().taskMetrics().inputMetrics().incBytesRead(1_000_000);
      }
    } finally {
      ACTIVE.decrementAndGet();
    }
    return new Seen(SparkEnv.get().executorId(), begin, together);
  }

  private static void spin() {
    long until = SPIN_NANOS + cpu();
    while (cpu() < until) {
      Math.sqrt(until);
    }
  }

  private static final long SPIN_NANOS = 4_000_000;

  private static long cpu() {
    return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** By executor, the most tasks that were together in the last part of its tasks. */
  public static Map<String, Integer> togetherAtTheEnd(List<Seen> seen, double part) {
    Map<String, Integer> most = new TreeMap<>();
    Map<String, List<Seen>> byExecutor =
        seen.stream().collect(Collectors.groupingBy(Seen::executor));
    byExecutor.forEach(
        (executor, its) -> {
          List<Seen> sorted = new ArrayList<>(its);
          sorted.sort(Comparator.comparingLong(Seen::nanos));
          int from = (int) (sorted.size() * (1 - part));
          most.put(
              executor,
              sorted.subList(from, sorted.size()).stream()
                  .mapToInt(Seen::together)
                  .max()
                  .orElse(0));
        });
    return most;
  }

  /** A metric of this part in the driver, a moment after the executors sent what they know. */
  public long metric(String name) {
    return DriverMetrics.value("adaptive." + name);
  }

  /** Waits for a metric; fails when it does not come. */
  public void awaitMetric(String name, long value) throws InterruptedException {
    for (int i = 0; i < 300; i++) {
      if (metric(name) == value) {
        return;
      }
      Thread.sleep(50);
    }
    throw new IllegalStateException(
        "metric adaptive." + name + " is " + metric(name) + ", not " + value);
  }

  /** Tasks that the driver believes to run, by executor. */
  public int mostRunning() {
    int most = 0;
    for (SparkExecutorInfo info : spark.sc().statusTracker().getExecutorInfos()) {
      most = Math.max(most, info.numRunningTasks());
    }
    return most;
  }

  /** A barrier stage over all slots. */
  public int barrier(int tasks) {
    Object rdd =
        spark
            .parallelize(numbers(tasks), tasks)
            .rdd()
            .barrier()
            .mapPartitions(
                (Function1<Iterator<Integer>, Iterator<Integer>> & Serializable)
                    AdaptiveScenario::meet,
                false,
                ClassTag$.MODULE$.apply(Integer.class));
    return (int) ((org.apache.spark.rdd.RDD<?>) rdd).count();
  }

  private static Iterator<Integer> meet(Iterator<Integer> in) {
    BarrierTaskContext.get().barrier();
    return in;
  }

  /** A job that does not end by itself; each task that passes the gate is counted. */
  public JavaFutureAction<Void> endless(
      int tasks, org.apache.spark.util.LongAccumulator passed, boolean interrupt) {
    spark.setJobGroup("endless", "endless", interrupt);
    JavaFutureAction<Void> job =
        spark
            .parallelize(numbers(tasks), tasks)
            .foreachAsync(
                x -> {
                  passed.add(1);
                  while (!TaskContext.get().isInterrupted()) {
                    Thread.sleep(10);
                  }
                });
    spark.clearJobGroup();
    return job;
  }

  /** Cancels what {@link #endless} began and waits until no task runs. */
  public void cancel() throws InterruptedException {
    spark.cancelJobGroup("endless");
    for (int i = 0; i < 600 && mostRunning() > 0; i++) {
      Thread.sleep(50);
    }
    require(mostRunning() == 0, "tasks still run after the cancel");
  }

  /** Like {@link #run} on the disk, but one executor dies in the middle. */
  public List<Seen> runWithLoss(int tasks) {
    return spark
        .parallelize(numbers(tasks), tasks)
        .map(
            x -> {
              if (x == tasks / 2 && TaskContext.get().attemptNumber() == 0) {
                Runtime.getRuntime().halt(1);
              }
              return task(Kind.HDD);
            })
        .collect();
  }

  /** Writes and reads text and parquet. */
  public void files(Path dir) {
    spark.parallelize(numbers(1000), 16).saveAsTextFile(dir.resolve("text").toString());
    long lines = spark.textFile(dir.resolve("text").toString(), 16).count();
    require(lines == 1000, "lines: " + lines);
    SparkSession sql = SparkSession.builder().getOrCreate();
    sql.range(0, 1000, 1, 16).write().parquet(dir.resolve("parquet").toString());
    long rows = sql.read().parquet(dir.resolve("parquet").toString()).count();
    require(rows == 1000, "rows: " + rows);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  /**
   * What the tests do, on the Spark of the class path; for releases that the build does not know.
   */
  public static void main(String[] arguments) throws Exception {
    String master = arguments.length > 0 ? arguments[0] : "local-cluster[2,8,1024]";
    try (AdaptiveScenario scenario =
        new AdaptiveScenario(master, "spark.numaspark.adaptive.mode", "dynamic")) {
      scenario.awaitExecutors(2);
      List<Seen> seen = scenario.run(Kind.HDD, 128);
      scenario.awaitMetric("decisions.explored", 2);
      System.out.println("hdd: together at the end " + togetherAtTheEnd(seen, 0.25));
      require(togetherAtTheEnd(seen, 0.25).values().stream().allMatch(n -> n <= 4), "not limited");
      scenario.run(Kind.HDD, 128);
      scenario.awaitMetric("decisions.learnt", 2);
      require(scenario.metric("decisions.explored") == 2, "explored twice");
      scenario.awaitMetric("withheldCores", 0);
      List<Seen> mixed = scenario.run(Kind.MIXED, 192);
      System.out.println(
          "mixed: "
              + mixed.stream().collect(Collectors.groupingBy(Seen::executor, Collectors.counting()))
              + " together "
              + togetherAtTheEnd(mixed, 0.25));
      scenario.awaitMetric("withheldCores", 0);
      require(scenario.barrier(16) == 16, "barrier");
      require(scenario.runWithLoss(128).size() == 128, "loss");
      scenario.awaitExecutors(2);
      scenario.awaitMetric("withheldCores", 0);
      require(scenario.barrier(16) == 16, "barrier after loss");
      for (boolean interrupt : new boolean[] {true, false}) {
        org.apache.spark.util.LongAccumulator passed = scenario.spark.sc().longAccumulator();
        scenario.endless(96, passed, interrupt);
        Thread.sleep(3000);
        scenario.cancel();
      }
      List<Seen> after = scenario.run(Kind.CPU, 128);
      System.out.println("cpu after all: " + togetherAtTheEnd(after, 0.5));
      scenario.awaitMetric("withheldCores", 0);
    }
    Path dir = Files.createTempDirectory("adaptive");
    try (AdaptiveScenario scenario =
        new AdaptiveScenario(
            master,
            "spark.numaspark.adaptive.mode",
            "static",
            "spark.numaspark.adaptive.static.threads",
            "2")) {
      scenario.awaitExecutors(2);
      scenario.files(dir);
      System.out.println("static: decisions " + scenario.metric("decisions.static"));
      require(scenario.metric("decisions.static") >= 4, "static");
    }
    System.out.println("SCENARIO OK");
  }
}
