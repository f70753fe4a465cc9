package io.numaspark.examples;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Fills memory outside the heap, so that the kernel kills the container at its limit.
 *
 * <p>Arguments: {@code driver|executor MIB}. The JVM bounds such memory by the size of its heap unless it is started with
 * {@code -XX:MaxDirectMemorySize}.
 */
public final class MemoryHog {
  private static final int MIB = 1 << 20;

  private MemoryHog() {}

  public static void main(String[] args) throws Exception {
    int mebibytes = Integer.parseInt(args[1]);
    try (SparkSession session = SparkSession.builder().appName("MemoryHog").getOrCreate()) {
      int survived =
          switch (args[0]) {
            case "driver" -> fill(mebibytes);
            case "executor" ->
                new JavaSparkContext(session.sparkContext()).parallelize(List.of(mebibytes), 1).map(MemoryHog::fill).first();
            default -> throw new IllegalArgumentException("driver or executor, not " + args[0]);
          };
      System.out.println("SURVIVED " + survived + " MiB");
    }
  }

  /** Every page is written to: untouched memory does not count towards a container's limit. */
  private static int fill(int mebibytes) {
    List<ByteBuffer> blocks = new ArrayList<>();
    byte[] content = new byte[MIB];
    for (int i = 0; i < mebibytes; i++) {
      blocks.add(ByteBuffer.allocateDirect(MIB).put(content));
    }
    return blocks.size();
  }
}
