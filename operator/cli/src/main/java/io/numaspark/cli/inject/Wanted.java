package io.numaspark.cli.inject;

import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.render.MemorySize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an application asks for, with Spark's defaults filled in.
 *
 * @param instances executors, 0 if only dynamic allocation decides
 * @param cores of one executor
 * @param memory heap of one executor, in Spark's notation
 * @param taskCpus cores that one task takes
 * @param counts the other numbers of executors, by property
 * @param unbounded whether dynamic allocation may ask for any number of executors
 */
record Wanted(
    Type language,
    int instances,
    int cores,
    String memory,
    int taskCpus,
    String javaOptions,
    Map<String, Integer> counts,
    boolean unbounded) {
  static final String INSTANCES = "spark.executor.instances";
  static final String CORES = "spark.executor.cores";
  static final String REQUEST = "spark.kubernetes.executor.request.cores";
  static final String LIMIT = "spark.kubernetes.executor.limit.cores";
  static final String MEMORY = "spark.executor.memory";
  static final String OVERHEAD = "spark.executor.memoryOverhead";
  static final String TASK_CPUS = "spark.task.cpus";

  private static final String DYNAMIC = "spark.dynamicAllocation.enabled";
  private static final String MAX_EXECUTORS = "spark.dynamicAllocation.maxExecutors";

  /** Properties that must not be written twice with two values. */
  static final List<String> READ =
      List.of(INSTANCES, CORES, REQUEST, LIMIT, MEMORY, OVERHEAD, DYNAMIC);

  private static final List<String> COUNTS =
      List.of(
          "spark.dynamicAllocation.initialExecutors",
          "spark.dynamicAllocation.minExecutors",
          MAX_EXECUTORS);

  /**
   * Reads a manifest. The bounds are those of our own SparkApplication, except that no executor at
   * all may be asked for.
   *
   * @throws IllegalArgumentException if a value cannot be read; names the field and the remedy
   */
  static Wanted of(ForeignManifest manifest) {
    boolean dynamic = manifest.get(DYNAMIC).orElse("").equalsIgnoreCase("true");
    int instances =
        count(manifest, INSTANCES, 0, 100_000).orElse(dynamic ? 0 : manifest.defaultInstances());
    Map<String, Integer> counts = counts(manifest);
    checkMemory(manifest, MEMORY);
    checkMemory(manifest, OVERHEAD);
    checkCpu(manifest, REQUEST);
    checkCpu(manifest, LIMIT);
    return new Wanted(
        manifest.language(),
        instances,
        count(manifest, CORES, 1, 1024).orElse(1),
        manifest.get(MEMORY).orElse("1g"),
        count(manifest, TASK_CPUS, 1, 1024).orElse(1),
        manifest.get("spark.executor.extraJavaOptions").orElse(""),
        counts,
        dynamic && !counts.containsKey(MAX_EXECUTORS));
  }

  /** The largest number of executors that is asked for, 1 at least. */
  int most() {
    return counts.values().stream().reduce(Math.max(1, instances), Math::max);
  }

  private static Map<String, Integer> counts(ForeignManifest manifest) {
    List<String> properties = new ArrayList<>(COUNTS);
    if (manifest instanceof ApacheApplication) {
      properties.addAll(ApacheApplication.INSTANCES);
    }
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (String property : properties) {
      count(manifest, property, 0, 100_000).ifPresent(count -> counts.put(property, count));
    }
    return counts;
  }

  private static Optional<Integer> count(
      ForeignManifest manifest, String property, int least, int most) {
    Optional<String> text = manifest.get(property);
    Optional<Integer> count =
        text.map(digits -> digits.matches("[0-9]{1,9}") ? Integer.parseInt(digits) : -1);
    if (count.isPresent() && (count.get() < least || count.get() > most)) {
      throw wrong(
          manifest,
          property,
          "'%s' is out of range; give %d to %d".formatted(text.get(), least, most));
    }
    return count;
  }

  private static void checkMemory(ForeignManifest manifest, String property) {
    String size = manifest.get(property).orElse("1g");
    long bytes;
    try {
      bytes = MemorySize.ofSpark(size);
    } catch (IllegalArgumentException e) {
      throw wrong(manifest, property, e.getMessage());
    }
    if (bytes == 0) {
      throw wrong(manifest, property, "'" + size + "' is too small; give 1m or more");
    }
  }

  private static void checkCpu(ForeignManifest manifest, String property) {
    String cpu = manifest.get(property).orElse("1");
    if (!cpu.matches("[0-9]+m?|[0-9]+\\.[0-9]{1,3}")) {
      throw wrong(
          manifest, property, "'" + cpu + "' is no amount of CPU; write for example 2 or 500m");
    }
  }

  private static IllegalArgumentException wrong(
      ForeignManifest manifest, String property, String message) {
    return new IllegalArgumentException(manifest.field(property) + ": " + message);
  }
}
