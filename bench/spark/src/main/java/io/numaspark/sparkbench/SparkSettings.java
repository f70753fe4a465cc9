package io.numaspark.sparkbench;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one Spark is started with.
 *
 * @param master with as many executors as the variant has, as processes of their own
 * @param properties of Spark, complete
 */
record SparkSettings(String master, Map<String, String> properties) {

  /** A driver that only plans and collects. */
  static final int DRIVER_MEBIBYTES = 768;

  private static final String COLLECTOR = "-XX:+UseParallelGC";
  private static final int WAVES = 4;

  private static final String EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions";

  /**
   * @param classPath what Spark's own class path lacks
   * @param home a folder of this Spark alone, on the machine's disk or the suite's device
   * @param tmpfs the same on tmpfs
   */
  static SparkSettings of(
      Suite suite, Variant variant, Shape shape, String classPath, Path home, Path tmpfs) {
    int slots = variant.slots() == 0 ? shape.cores() : variant.slots();
    int slotsOfOne = Math.max(1, slots / variant.executors());
    int memoryOfOne =
        variant
                .memory()
                .map(Variant.Memory::heapMebibytes)
                .orElseGet(() -> suite.memoryMebibytes(shape))
            / variant.executors();
    Map<String, String> properties = new TreeMap<>();
    properties.put("spark.app.name", "bench " + suite.name() + " " + variant.name());
    properties.put("spark.ui.enabled", "false");
    properties.put("spark.driver.bindAddress", "127.0.0.1");
    properties.put("spark.driver.host", "127.0.0.1");
    properties.put("spark.driver.memory", DRIVER_MEBIBYTES + "m");
    properties.put("spark.driver.extraClassPath", classPath);
    properties.put("spark.executor.extraClassPath", classPath);
    properties.put("spark.executor.memory", memoryOfOne + "m");
    properties.put("spark.executor.cores", Integer.toString(slotsOfOne));
    properties.put(
        "spark.local.dir",
        (variant.localDir() == Variant.LocalDir.TMPFS ? tmpfs : home).resolve("local").toString());
    properties.put("spark.numaspark.shuffle.pages.dir", tmpfs.resolve("pages").toString());
    properties.put("spark.sql.warehouse.dir", home.resolve("warehouse").toString());
    String partitions =
        Integer.toString(
            suite.device() == DeviceKind.NONE
                ? WAVES * mostSlots(suite, shape)
                : shape.tasksOnDevice());
    properties.put("spark.sql.shuffle.partitions", partitions);
    properties.put("spark.default.parallelism", partitions);
    if (suite.freshSessions()) {
      // All memory taken at the start, so that what is left of the limit for the page cache does
      // not depend on time. One thread compiles
      // and collects as on a machine of this size; the slots are many.
      properties.put(EXECUTOR_OPTIONS, "-Xms" + memoryOfOne + "m -XX:+AlwaysPreTouch");
      properties.put(
          "spark.driver.extraJavaOptions", "-Xms" + DRIVER_MEBIBYTES + "m -XX:+AlwaysPreTouch");
      // Blocks that were fetched lie in the heap, for the same reason: outside it those of 16 tasks
      // would be more than the room that the limit leaves, and the kernel would kill the executor.
      properties.put("spark.shuffle.io.preferDirectBufs", "false");
    }
    properties.putAll(suite.properties());
    properties.putAll(variant.properties());
    properties.merge(
        EXECUTOR_OPTIONS, COLLECTOR, (options, collector) -> collector + " " + options);
    // Room for the worker's own bookkeeping of off-heap memory, which is not heap.
    int workerMemory = 2 * memoryOfOne + 1024;
    String master =
        "local-cluster[%d,%d,%d]".formatted(variant.executors(), slotsOfOne, workerMemory);
    return new SparkSettings(master, properties);
  }

  /** The same number of partitions for all variants, although some have fewer slots. */
  private static int mostSlots(Suite suite, Shape shape) {
    return suite.variants().stream()
        .mapToInt(Variant::slots)
        .map(s -> s == 0 ? shape.cores() : s)
        .max()
        .orElseThrow();
  }
}
