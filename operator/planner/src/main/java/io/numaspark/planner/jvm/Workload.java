package io.numaspark.planner.jvm;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Kind of work that an application does, and Spark's memory fractions for it.
 *
 * <p>The fractions translate Table 3 of the Ivy Bridge node study (storage and shuffle fractions of
 * Spark 1.x) to unified memory, where storageFraction is a floor that execution can still borrow
 * from.
 */
public enum Workload {
  GENERAL(Map.of()),
  SHUFFLE_HEAVY(Map.of("spark.memory.fraction", "0.7", "spark.memory.storageFraction", "0.1")),
  ITERATIVE(Map.of("spark.memory.fraction", "0.7", "spark.memory.storageFraction", "0.6")),
  STREAMING(Map.of("spark.memory.storageFraction", "0.4")),
  SCAN(Map.of());

  private final Map<String, String> sparkConf;

  Workload(Map<String, String> sparkConf) {
    this.sparkConf = sparkConf;
  }

  /** Spark properties that suit this kind of work. */
  public SortedMap<String, String> sparkConf() {
    return new TreeMap<>(sparkConf);
  }
}
