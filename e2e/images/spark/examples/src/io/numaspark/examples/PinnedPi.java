package io.numaspark.examples;

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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.sun.management.HotSpotDiagnosticMXBean;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Computes Pi with a shuffle, and has every executor say where it runs and how its JVM is set up.
 *
 * <p>Arguments: {@code [slices] [seconds to hold]}. The second one keeps the executors for that long after the
 * result is printed, for looking at their pods.
 */
public final class PinnedPi {

  private static final int POINTS_PER_SLICE = 50_000;
  private static final int BUCKETS = 64;
  private static final int REPORT_ROUNDS = 20;
  private static final long REPORT_TASK_MILLIS = 300;

  private PinnedPi() {}

  public static void main(String[] args) throws Exception {
    int slices = args.length > 0 ? Integer.parseInt(args[0]) : 12;
    long holdSeconds = args.length > 1 ? Long.parseLong(args[1]) : 0;
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setIfMissing("spark.app.name", "PinnedPi"))) {
      double pi = pi(spark, slices);
      for (String report : executorReports(spark).values()) {
        System.out.println("EXECUTOR " + report);
      }
      System.out.println("Pi is roughly " + pi);
      System.out.flush();
      Thread.sleep(holdSeconds * 1000);
    }
  }

  /** Counts points in the unit circle by bucket; the reduction by bucket is what makes Spark shuffle. */
  private static double pi(JavaSparkContext spark, int slices) {
    JavaPairRDD<Integer, Long> hits = spark.parallelize(range(slices), slices).flatMapToPair(slice -> {
      SplittableRandom random = new SplittableRandom(slice);
      List<Tuple2<Integer, Long>> points = new ArrayList<>(POINTS_PER_SLICE);
      for (int i = 0; i < POINTS_PER_SLICE; i++) {
        double x = random.nextDouble() * 2 - 1;
        double y = random.nextDouble() * 2 - 1;
        points.add(new Tuple2<>(i % BUCKETS, x * x + y * y <= 1 ? 1L : 0L));
      }
      return points.iterator();
    });
    long inside = hits.reduceByKey(Long::sum, Math.max(2, slices / 2)).values().reduce(Long::sum);
    return 4.0 * inside / ((long) slices * POINTS_PER_SLICE);
  }

  /**
   * One report an executor, by numeric id. Tasks go to whichever executor has a free slot, so there are rounds of
   * short tasks, more than there are slots, until every registered executor has answered.
   */
  private static Map<Integer, String> executorReports(JavaSparkContext spark) {
    Map<Integer, String> reports = new TreeMap<>();
    for (int round = 0; round < REPORT_ROUNDS; round++) {
      // the driver counts as one of them
      int registered = Math.max(1, spark.sc().getExecutorMemoryStatus().size() - 1);
      if (reports.size() >= registered) {
        break;
      }
      int tasks = 2 * Math.max(spark.defaultParallelism(), registered);
      spark.parallelize(range(tasks), tasks).map(i -> {
        Thread.sleep(REPORT_TASK_MILLIS);
        return new Tuple2<>(SparkEnv.get().executorId(), report());
      }).collect().forEach(r -> reports.put(numericId(r._1()), r._2()));
    }
    return reports;
  }

  /** In local mode the one executor is called "driver". */
  private static int numericId(String id) {
    return id.chars().allMatch(Character::isDigit) ? Integer.parseInt(id) : 0;
  }

  private static String report() throws IOException {
    HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    return "id=" + SparkEnv.get().executorId()
        + " host=" + Files.readString(Path.of("/proc/sys/kernel/hostname")).trim()
        + " cpus=" + statusLine("Cpus_allowed_list")
        + " mems=" + statusLine("Mems_allowed_list")
        + " processors=" + Runtime.getRuntime().availableProcessors()
        + " maxHeapBytes=" + jvm.getVMOption("MaxHeapSize").getValue()
        + " compressedOops=" + jvm.getVMOption("UseCompressedOops").getValue()
        + " collector=" + ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName).map(n -> n.replace(' ', '_')).collect(Collectors.joining(","))
        + " preTouch=" + jvm.getVMOption("AlwaysPreTouch").getValue();
  }

  private static String statusLine(String key) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith(key + ":"))
        .map(line -> line.substring(key.length() + 1).trim())
        .findFirst().orElse("unknown");
  }

  private static List<Integer> range(int size) {
    return IntStream.range(0, size).boxed().collect(Collectors.toList());
  }
}
