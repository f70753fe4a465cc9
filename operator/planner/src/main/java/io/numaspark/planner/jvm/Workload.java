package io.numaspark.planner.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Kind of work that an application does, and the Spark properties that suit it.
 *
 * <p>The memory fractions translate Table 3 of Awan et al. 2016 (Node Architecture Implications for
 * In-Memory Data Analytics on Scale-in Clusters; Spark 1.5). Its spark.storage.memoryFraction and
 * spark.shuffle.memoryFraction are gone from Spark; unified memory took their place:
 * spark.memory.fraction (0.6) is the part of the heap for both, and spark.memory.storageFraction
 * (0.5) the share of it that the cache keeps when execution wants more.
 *
 * <p>Limit: the studies measured Spark 1.4 and 1.5 on one node; how much the translation gains
 * today was not measured.
 */
public enum Workload {
  GENERAL,
  /** Table 3: Spark core and Spark SQL, storage 0.1, shuffle 0.7. */
  SHUFFLE_HEAVY(
      "0.7", "0.1", "Awan et al. 2016, Table 3, Spark core and SQL: storage 0.1, shuffle 0.7"),
  /** Table 3: MLlib and GraphX, storage 0.6, shuffle 0.4. */
  ITERATIVE("0.7", "0.6", "Awan et al. 2016, Table 3, MLlib and GraphX: storage 0.6, shuffle 0.4"),
  /** Table 3: stream processing, storage 0.4, shuffle 0.6. */
  STREAMING(null, "0.4", "Awan et al. 2016, Table 3, stream processing: storage 0.4, shuffle 0.6"),
  SCAN;

  private static final String PARTITIONS = "spark.sql.shuffle.partitions";

  /** Spark's own number of shuffle partitions; it is left alone where it is enough. */
  private static final long DEFAULT_PARTITIONS = 200;

  /** Spark's tuning guide recommends 2 to 3 tasks for each CPU core. */
  private static final long PARTITIONS_PER_SLOT = 3;

  /** Chiba, Horii and Onodera raised 200 to 400 partitions for 48 worker threads. */
  private static final long SHUFFLE_HEAVY_PARTITIONS_PER_SLOT = 8;

  /**
   * With more, Spark's driver keeps only averages of the sizes of a map task's blocks
   * (spark.shuffle.minNumPartitionsToHighlyCompress), which is what adaptive execution works with.
   */
  private static final long MOST_EXACT_PARTITIONS = 2000;

  private final List<SparkProperty> fractions = new ArrayList<>();

  Workload() {}

  Workload(String fraction, String storageFraction, String source) {
    if (fraction != null) {
      fractions.add(
          new SparkProperty(
              "spark.memory.fraction", fraction, "more of the heap for Spark (" + source + ")"));
    }
    fractions.add(
        new SparkProperty(
            "spark.memory.storageFraction",
            storageFraction,
            "share that the cache keeps (" + source + ")"));
  }

  /**
   * Spark properties that suit this kind of work, with their reasons.
   *
   * @param taskSlots tasks that the application runs at once; empty if it is not known, as with
   *     dynamic allocation without a maximum
   */
  public List<SparkProperty> sparkProperties(OptionalLong taskSlots) {
    List<SparkProperty> properties = new ArrayList<>(fractions);
    if (taskSlots.isPresent() && this != STREAMING) {
      // The state of a streaming query is partitioned by it for as long as its checkpoint lives.
      addPartitions(properties, taskSlots.getAsLong());
    }
    if (this == SHUFFLE_HEAVY) {
      properties.add(
          new SparkProperty(
              "spark.sql.adaptive.coalescePartitions.parallelismFirst",
              "false",
              "joins small partitions up to the advisory size instead of only up to 1 MiB: Chiba, Horii"
                  + " and Onodera saw short queries slowed down by many small tasks (section 6.6)"));
    }
    return List.copyOf(properties);
  }

  private void addPartitions(List<SparkProperty> properties, long slots) {
    long enough = slots * PARTITIONS_PER_SLOT;
    long partitions =
        this == SHUFFLE_HEAVY
            ? Math.max(
                enough, Math.min(slots * SHUFFLE_HEAVY_PARTITIONS_PER_SLOT, MOST_EXACT_PARTITIONS))
            : enough;
    if (partitions > DEFAULT_PARTITIONS) {
      properties.add(
          new SparkProperty(
              PARTITIONS,
              String.valueOf(Math.min(partitions, Integer.MAX_VALUE)),
              this == SHUFFLE_HEAVY
                  ? "8 for each of %d task slots up to 2000, 3 beyond: smaller tasks spare the heap (Chiba, Horii and Onodera, section 6.6: 400 for 48 threads)"
                      .formatted(slots)
                  : "3 for each of %d task slots: Spark's default of 200 would leave slots idle"
                      .formatted(slots)));
    }
  }
}
