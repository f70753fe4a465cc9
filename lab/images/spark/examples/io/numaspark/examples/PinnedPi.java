package io.numaspark.examples;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * Estimates Pi with a shuffle, and lets every executor report the CPUs, the memory nodes and the JVM it runs with.
 *
 * <p>Arguments: {@code [slices] [seconds to hold the executors at the end]}.
 */
public final class PinnedPi {
  private static final int SAMPLES_PER_SLICE = 50_000;
  private static final int REPORT_ROUNDS = 30;
  private static final long REPORT_TASK_MILLIS = 500;

  private PinnedPi() {}

  public static void main(String[] args) throws Exception {
    int slices = args.length > 0 ? Integer.parseInt(args[0]) : 12;
    long holdSeconds = args.length > 1 ? Long.parseLong(args[1]) : 0;

    try (SparkSession session = SparkSession.builder().appName("PinnedPi").getOrCreate()) {
      JavaSparkContext spark = new JavaSparkContext(session.sparkContext());
      System.out.println("Pi is roughly " + estimatePi(spark, slices));
      reportExecutors(spark).values().stream().sorted().forEach(System.out::println);
      System.out.flush();
      TimeUnit.SECONDS.sleep(holdSeconds);
    }
  }

  /** Every slice contributes to every bucket, so each reduce task fetches blocks of all executors. */
  private static double estimatePi(JavaSparkContext spark, int slices) {
    long hits =
        spark
            .parallelize(numbers(slices), slices)
            .flatMapToPair(slice -> samples(slice, slices).iterator())
            .reduceByKey(Long::sum, slices)
            .values()
            .reduce(Long::sum);
    return 4.0 * hits / ((double) slices * SAMPLES_PER_SLICE);
  }

  private static List<Tuple2<Integer, Long>> samples(int slice, int buckets) {
    SplittableRandom random = new SplittableRandom(slice);
    List<Tuple2<Integer, Long>> pairs = new ArrayList<>(SAMPLES_PER_SLICE);
    for (int i = 0; i < SAMPLES_PER_SLICE; i++) {
      double x = random.nextDouble();
      double y = random.nextDouble();
      pairs.add(new Tuple2<>(i % buckets, x * x + y * y <= 1 ? 1L : 0L));
    }
    return pairs;
  }

  /**
   * Spark offers no way to address one executor, so short tasks for twice the cores are run until every registered
   * executor has answered. The number of rounds is bounded: a lost executor shows as a missing line.
   */
  private static Map<String, String> reportExecutors(JavaSparkContext spark) {
    Map<String, String> reports = new TreeMap<>();
    for (int round = 0; round < REPORT_ROUNDS && reports.size() < registeredExecutors(spark); round++) {
      int tasks = 2 * Math.max(spark.defaultParallelism(), registeredExecutors(spark));
      spark
          .parallelize(numbers(tasks), tasks)
          .mapToPair(
              number -> {
                TimeUnit.MILLISECONDS.sleep(REPORT_TASK_MILLIS);
                return new Tuple2<>(SparkEnv.get().executorId(), describeExecutor());
              })
          .collect()
          .forEach(report -> reports.put(report._1(), report._2()));
    }
    return reports;
  }

  /** The status tracker also counts the driver, which runs tasks only when it is alone (a local master). */
  private static int registeredExecutors(JavaSparkContext spark) {
    return Math.max(1, spark.sc().statusTracker().getExecutorInfos().length - 1);
  }

  private static String describeExecutor() throws IOException {
    return "EXECUTOR id=" + SparkEnv.get().executorId()
        + " host=" + Files.readString(Path.of("/proc/sys/kernel/hostname")).strip()
        + " cpus=" + processStatus("Cpus_allowed_list")
        + " mems=" + processStatus("Mems_allowed_list")
        + " processors=" + Runtime.getRuntime().availableProcessors()
        + " maxHeapBytes=" + virtualMachineOption("MaxHeapSize")
        + " compressedOops=" + virtualMachineOption("UseCompressedOops")
        + " preTouch=" + virtualMachineOption("AlwaysPreTouch")
        + " collector=" + collectors();
  }

  private static String processStatus(String field) throws IOException {
    String prefix = field + ":";
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith(prefix))
          .map(line -> line.substring(prefix.length()).strip())
          .findFirst()
          .orElse("unknown");
    }
  }

  private static String virtualMachineOption(String name) {
    return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption(name).getValue();
  }

  private static String collectors() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(GarbageCollectorMXBean::getName)
        .collect(Collectors.joining("+"));
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toCollection(ArrayList::new));
  }
}
