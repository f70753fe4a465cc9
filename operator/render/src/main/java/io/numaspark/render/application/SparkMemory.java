package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.render.MemorySize;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Memory of driver and executor pods as Spark adds it up from its properties
 * (BasicDriverFeatureStep; ResourceProfile: getResourcesForClusterManager).
 *
 * <p>Limit: a driver's off-heap memory is not added, because Spark does not add it either.
 */
public final class SparkMemory {
  private static final String LEAST_OVERHEAD = "384m";

  private SparkMemory() {}

  /**
   * Memory of the driver pod in MiB: heap and overhead.
   *
   * @throws IllegalArgumentException naming the property that is not a size
   */
  public static long driverMib(Map<String, String> conf) {
    long heap = mib(conf, "spark.driver.memory", "1g");
    return heap + overheadMib(conf, "spark.driver.", heap);
  }

  /**
   * Memory of an executor pod.
   *
   * @throws IllegalArgumentException naming the property that is not a size
   */
  public static ExecutorMemory executor(Map<String, String> conf) {
    long heap = mib(conf, "spark.executor.memory", "1g");
    boolean offHeap = "true".equalsIgnoreCase(conf.get("spark.memory.offHeap.enabled"));
    boolean python = "python".equals(conf.get("spark.kubernetes.resource.type"));
    return new ExecutorMemory(
        heap * MemorySize.MIB,
        overheadMib(conf, "spark.executor.", heap) * MemorySize.MIB,
        offHeap ? mib(conf, "spark.memory.offHeap.size", "0") * MemorySize.MIB : 0,
        python ? mib(conf, SparkKeys.PYSPARK_MEMORY, "0") * MemorySize.MIB : 0);
  }

  /** What the application itself says of the sizes that Spark adds up; sparkConf wins. */
  public static Map<String, String> given(SparkApplicationSpec spec) {
    Map<String, String> sizes = new TreeMap<>();
    sizes.put("spark.kubernetes.resource.type", SparkLanguage.resourceType(spec.type()));
    sizes.put(
        SparkKeys.MEMORY_OVERHEAD_FACTOR,
        Objects.requireNonNullElse(
            spec.memoryOverheadFactor(), SparkLanguage.overheadFactor(spec.type())));
    sizes.put(
        SparkKeys.EXECUTOR_MEMORY, Objects.requireNonNullElse(spec.executor().memory(), "1g"));
    if (spec.executor().memoryOverhead() != null) {
      sizes.put(SparkKeys.EXECUTOR_OVERHEAD, spec.executor().memoryOverhead());
    }
    sizes.putAll(SparkProperties.orEmpty(spec.sparkConf()));
    return sizes;
  }

  private static long overheadMib(Map<String, String> conf, String role, long heapMib) {
    if (conf.get(role + "memoryOverhead") != null) {
      return mib(conf, role + "memoryOverhead", null);
    }
    String key = role + "memoryOverheadFactor";
    String factor =
        conf.getOrDefault(key, conf.getOrDefault(SparkKeys.MEMORY_OVERHEAD_FACTOR, "0.1"));
    if (!factor.matches("[0-9]{1,3}(\\.[0-9]{1,6})?")) {
      throw new IllegalArgumentException(
          "spec.sparkConf[\"%s\"]: '%s' is not a factor; write for example 0.1"
              .formatted(conf.containsKey(key) ? key : SparkKeys.MEMORY_OVERHEAD_FACTOR, factor));
    }
    return Math.max(
        (long) (heapMib * Double.parseDouble(factor)),
        mib(conf, role + "minMemoryOverhead", LEAST_OVERHEAD));
  }

  private static long mib(Map<String, String> conf, String key, String fallback) {
    try {
      return MemorySize.ofSpark(conf.getOrDefault(key, fallback)) / MemorySize.MIB;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("spec.sparkConf[\"" + key + "\"]: " + e.getMessage(), e);
    }
  }
}
