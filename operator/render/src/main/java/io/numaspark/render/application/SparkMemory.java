package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.Side;
import io.numaspark.render.text.MemorySize;
import java.util.Map;
import java.util.Objects;

/**
 * Memory of driver and executor pods as Spark adds it up (BasicDriverFeatureStep; ResourceProfile:
 * getResourcesForClusterManager); spec.sparkConf wins over the typed fields.
 *
 * <p>Limit: a driver's off-heap memory is not added, because Spark does not add it either.
 */
public final class SparkMemory {
  /** The heap of a pod that the application gives none, as the fields' descriptions say. */
  public static final String DEFAULT_HEAP = "1g";

  private static final String LEAST_OVERHEAD = "384m";

  private final SparkApplicationSpec spec;
  private final Map<String, String> conf;
  private final Side side;

  private SparkMemory(SparkApplicationSpec spec, Side side) {
    this.spec = spec;
    this.conf = SparkProperties.orEmpty(spec.sparkConf());
    this.side = side;
  }

  /**
   * Memory of the driver pod in MiB: heap and overhead.
   *
   * @throws IllegalArgumentException naming the property that is not a size
   */
  static long driverMib(SparkApplicationSpec spec) {
    SparkMemory driver = new SparkMemory(spec, Side.DRIVER);
    return driver.heapMib() + driver.overheadMib();
  }

  /**
   * Memory of an executor pod, with the shuffle data that it keeps in memory.
   *
   * @throws IllegalArgumentException naming the property that is not a size
   */
  public static ExecutorMemory executor(SparkApplicationSpec spec) {
    SparkMemory executor = new SparkMemory(spec, Side.EXECUTOR);
    long heap = executor.heapMib() * MemorySize.MIB;
    boolean offHeap = "true".equalsIgnoreCase(executor.conf.get(SparkKeys.OFF_HEAP));
    return new ExecutorMemory(
            heap,
            executor.overheadMib() * MemorySize.MIB,
            offHeap ? executor.mib(SparkKeys.OFF_HEAP_SIZE, "0") * MemorySize.MIB : 0)
        .withPysparkBytes(
            spec.type() == Type.Python
                ? executor.mib(SparkKeys.PYSPARK_MEMORY, "0") * MemorySize.MIB
                : 0)
        .withShuffleBytes(ShuffleSize.bytesBeside(heap, spec));
  }

  private long heapMib() {
    return mib(
        side.property("memory"), Objects.requireNonNullElse(side.of(spec).memory(), DEFAULT_HEAP));
  }

  private long overheadMib() {
    String overhead = side.property("memoryOverhead");
    if (conf.containsKey(overhead) || side.of(spec).memoryOverhead() != null) {
      return mib(overhead, side.of(spec).memoryOverhead());
    }
    String own = side.property("memoryOverheadFactor");
    String key = conf.containsKey(own) ? own : SparkKeys.MEMORY_OVERHEAD_FACTOR;
    String factor =
        conf.getOrDefault(
            key,
            Objects.requireNonNullElse(
                spec.memoryOverheadFactor(), SparkLanguage.overheadFactor(spec.type())));
    if (!factor.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
      throw new IllegalArgumentException(
          "spec.sparkConf[\"%s\"]: '%s' is not a factor; write for example 0.1"
              .formatted(key, factor));
    }
    return Math.max(
        (long) (heapMib() * Double.parseDouble(factor)),
        mib(side.property("minMemoryOverhead"), LEAST_OVERHEAD));
  }

  private long mib(String key, String field) {
    String size = conf.getOrDefault(key, field);
    // Spark takes this one in bytes if it has no unit, all others in MiB.
    boolean bytes = key.equals(SparkKeys.OFF_HEAP_SIZE) && size.matches("[0-9]+");
    try {
      return MemorySize.ofSpark(bytes ? size + "b" : size) / MemorySize.MIB;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("spec.sparkConf[\"" + key + "\"]: " + e.getMessage(), e);
    }
  }
}
