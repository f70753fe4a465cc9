package io.numaspark.examples;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Work for dynamic allocation: many tasks at once, then none until the executors have gone.
 *
 * <p>Arguments: {@code [executors to reach] [executors to shrink to] [seconds to wait at most]}. Prints {@code BUSY executors=N}
 * with the number of executors that ran tasks of one wave, and {@code IDLE executors=N}.
 */
public final class Waves {
  private static final long TASK_MILLIS = 1000;
  private static final int TASKS_PER_EXECUTOR = 4;

  private Waves() {}

  public static void main(String[] args) throws Exception {
    int most = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    int least = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    long seconds = args.length > 2 ? Long.parseLong(args[2]) : 300;

    try (SparkSession session = SparkSession.builder().appName("Waves").getOrCreate()) {
      JavaSparkContext spark = new JavaSparkContext(session.sparkContext());
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      Set<String> busy = new HashSet<>();
      while (busy.size() < most && System.nanoTime() < end) {
        busy = wave(spark, most * TASKS_PER_EXECUTOR);
      }
      System.out.println("BUSY executors=" + busy.size());
      while (executors(spark) > least && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(TASK_MILLIS);
      }
      System.out.println("IDLE executors=" + executors(spark));
    }
  }

  /** The executors that ran tasks of this wave. */
  private static Set<String> wave(JavaSparkContext spark, int tasks) {
    List<Integer> numbers = IntStream.range(0, tasks).boxed().collect(Collectors.toList());
    return new HashSet<>(
        spark
            .parallelize(numbers, tasks)
            .map(
                number -> {
                  TimeUnit.MILLISECONDS.sleep(TASK_MILLIS);
                  return SparkEnv.get().executorId();
                })
            .collect());
  }

  /** The status tracker also counts the driver. */
  private static int executors(JavaSparkContext spark) {
    return spark.sc().statusTracker().getExecutorInfos().length - 1;
  }
}
