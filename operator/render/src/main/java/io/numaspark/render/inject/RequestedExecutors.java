package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.render.text.MemorySize;
import io.numaspark.schema.CustomResourceSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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
record RequestedExecutors(
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
  private static final String INITIAL_EXECUTORS = "spark.dynamicAllocation.initialExecutors";
  private static final String MIN_EXECUTORS = "spark.dynamicAllocation.minExecutors";
  private static final String MAX_EXECUTORS = "spark.dynamicAllocation.maxExecutors";

  /** Properties that must not be written twice with two values. */
  static final List<String> READ =
      List.of(INSTANCES, CORES, REQUEST, LIMIT, MEMORY, OVERHEAD, DYNAMIC);

  private static final List<String> COUNTS =
      List.of(INITIAL_EXECUTORS, MIN_EXECUTORS, MAX_EXECUTORS);

  /** Fields of our own SparkApplication that stand for the properties, whose limits hold. */
  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry(INSTANCES, "spec.executor.instances"),
          Map.entry(CORES, "spec.executor.cores"),
          // A task takes a part of an executor's cores.
          Map.entry(TASK_CPUS, "spec.executor.cores"),
          Map.entry(REQUEST, "spec.executor.coreRequest"),
          Map.entry(LIMIT, "spec.executor.coreLimit"),
          Map.entry(MEMORY, "spec.executor.memory"),
          Map.entry(OVERHEAD, "spec.executor.memoryOverhead"),
          Map.entry(INITIAL_EXECUTORS, "spec.dynamicAllocation.initialExecutors"),
          Map.entry(MIN_EXECUTORS, "spec.dynamicAllocation.minExecutors"),
          Map.entry(MAX_EXECUTORS, "spec.dynamicAllocation.maxExecutors"),
          Map.entry("initExecutors", "spec.dynamicAllocation.initialExecutors"),
          Map.entry("minExecutors", "spec.dynamicAllocation.minExecutors"),
          Map.entry("maxExecutors", "spec.dynamicAllocation.maxExecutors"));

  /**
   * Reads a manifest. The limits are those of our own SparkApplication, except that no executor at
   * all may be asked for.
   *
   * @throws IllegalArgumentException if a value cannot be read; names the field and the remedy
   */
  static RequestedExecutors of(ForeignManifest manifest) {
    boolean dynamic = manifest.get(DYNAMIC).orElse("").equalsIgnoreCase("true");
    int instances = count(manifest, INSTANCES).orElse(dynamic ? 0 : manifest.defaultInstances());
    Map<String, Integer> counts = counts(manifest);
    checkMemory(manifest, MEMORY);
    checkMemory(manifest, OVERHEAD);
    check(manifest, REQUEST, TextNode::valueOf);
    check(manifest, LIMIT, TextNode::valueOf);
    return new RequestedExecutors(
        manifest.language(),
        instances,
        count(manifest, CORES).orElse(1),
        manifest.get(MEMORY).orElse("1g"),
        count(manifest, TASK_CPUS).orElse(1),
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
      count(manifest, property).ifPresent(count -> counts.put(property, count));
    }
    return counts;
  }

  private static Optional<Integer> count(ForeignManifest manifest, String property) {
    Optional<String> text = manifest.get(property);
    if (!property.equals(INSTANCES) || !text.equals(Optional.of("0"))) {
      check(manifest, property, RequestedExecutors::number);
    }
    return text.map(Integer::parseInt);
  }

  private static JsonNode number(String text) {
    return text.matches("-?[0-9]{1,18}")
        ? LongNode.valueOf(Long.parseLong(text))
        : TextNode.valueOf(text);
  }

  private static void checkMemory(ForeignManifest manifest, String property) {
    check(manifest, property, TextNode::valueOf);
    try {
      manifest.get(property).ifPresent(MemorySize::ofSpark);
    } catch (IllegalArgumentException e) {
      throw wrong(manifest, property, e.getMessage());
    }
  }

  private static void check(
      ForeignManifest manifest, String property, Function<String, JsonNode> value) {
    CustomResourceSchema ours = CustomResourceSchema.of(SparkApplication.class);
    manifest
        .get(property)
        .flatMap(
            text -> ours.problems(FIELDS.get(property), value.apply(text)).stream().findFirst())
        .ifPresent(
            problem -> {
              throw wrong(manifest, property, problem);
            });
  }

  private static IllegalArgumentException wrong(
      ForeignManifest manifest, String property, String message) {
    return new IllegalArgumentException(manifest.field(property) + ": " + message);
  }
}
