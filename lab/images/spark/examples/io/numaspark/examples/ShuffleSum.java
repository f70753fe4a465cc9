package io.numaspark.examples;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * Sends every record through two shuffles and checks the sum of what arrives.
 *
 * <p>Arguments: {@code [records] [bytes a record carries] [partitions]}. Record {@code n} counts {@code n}, so that the sum is
 * known: {@code records * (records - 1) / 2}. Prints one line that begins with {@code SHUFFLE}; its byte counts are Spark's own
 * task metrics, remote meaning read from another executor. A wrong sum ends the job with an exception.
 */
public final class ShuffleSum {
  private ShuffleSum() {}

  public static void main(String[] args) throws Exception {
    long records = args.length > 0 ? Long.parseLong(args[0]) : 20_000;
    int payload = args.length > 1 ? Integer.parseInt(args[1]) : 512;
    int partitions = args.length > 2 ? Integer.parseInt(args[2]) : 6;

    ShuffleBytes bytes = new ShuffleBytes();
    long sum;
    try (SparkSession session = SparkSession.builder().appName("ShuffleSum").getOrCreate()) {
      SparkContext context = session.sparkContext();
      context.addSparkListener(bytes);
      sum = sum(new JavaSparkContext(context), records, payload, partitions);
    }
    // The context has stopped, so that its listeners have heard of every task.
    System.out.printf(
        "SHUFFLE records=%d sum=%d written=%d readLocal=%d readRemote=%d%n",
        records, sum, bytes.written.sum(), bytes.readLocal.sum(), bytes.readRemote.sum());
    if (sum != records * (records - 1) / 2) {
      throw new IllegalStateException("the sum of " + records + " records is not " + sum);
    }
  }

  private static long sum(JavaSparkContext spark, long records, int payload, int partitions) {
    List<Integer> slices = IntStream.range(0, partitions).boxed().collect(Collectors.toList());
    JavaRDD<Tuple2<Long, byte[]>> input =
        spark.parallelize(slices, partitions).flatMap(slice -> slice(slice, partitions, records, payload));
    return input
        .repartition(partitions)
        .mapToPair(record -> record)
        .partitionBy(new HashPartitioner(partitions))
        .map(record -> record._2().length == payload ? record._1() : -1L)
        .reduce(Long::sum);
  }

  private static Iterator<Tuple2<Long, byte[]>> slice(int slice, int slices, long records, int payload) {
    return LongStream.range(slice * records / slices, (slice + 1) * records / slices)
        .mapToObj(number -> new Tuple2<>(number, new byte[payload]))
        .iterator();
  }

  private static final class ShuffleBytes extends SparkListener {
    private final LongAdder written = new LongAdder();
    private final LongAdder readLocal = new LongAdder();
    private final LongAdder readRemote = new LongAdder();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      TaskMetrics metrics = end.taskMetrics();
      if (metrics != null) {
        written.add(metrics.shuffleWriteMetrics().bytesWritten());
        readLocal.add(metrics.shuffleReadMetrics().localBytesRead());
        readRemote.add(metrics.shuffleReadMetrics().remoteBytesRead());
      }
    }
  }
}
