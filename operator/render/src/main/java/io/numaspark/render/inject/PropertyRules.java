package io.numaspark.render.inject;

import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.render.notes.Notes;
import io.numaspark.render.text.MemorySize;
import java.util.List;
import java.util.Map;

/** Which Spark properties keep an executor from being pinned, and what to do instead. */
final class PropertyRules {
  static final String EXECUTOR_NODE_SELECTOR = "spark.kubernetes.executor.node.selector.";

  static final String EXECUTOR_ANNOTATION = "spark.kubernetes.executor.annotation.";

  private static final List<String> NODE_SELECTORS =
      List.of("spark.kubernetes.node.selector.", EXECUTOR_NODE_SELECTOR);

  private static final String POD_SIZE =
      "it would make the pod larger than the profile's slot; remove it, the slot's memory overhead"
          + " has room for the workers";
  private static final String ALLOCATOR =
      "only Spark's own way of making executor pods is known to keep what pins them; remove it";

  private static final Map<String, String> REFUSED =
      Map.of(
          "spark.executor.pyspark.memory", POD_SIZE,
          "spark.kubernetes.allocation.pods.allocator", ALLOCATOR,
          "spark.kubernetes.executor.pod.featureSteps", ALLOCATOR);

  /** They only count without spark.executor.memoryOverhead, which is always written. */
  private static final List<String> WITHOUT_EFFECT =
      List.of("spark.executor.memoryOverheadFactor", "spark.executor.minMemoryOverhead");

  private PropertyRules() {}

  static void check(ForeignManifest manifest, ExecutorMemory memory, Notes notes) {
    for (Map.Entry<String, String> property : manifest.properties().entrySet()) {
      String key = property.getKey();
      String value = property.getValue();
      if (REFUSED.containsKey(key) && !value.equals("direct")) {
        notes.refuse(manifest.field(key), REFUSED.get(key));
      } else if (WITHOUT_EFFECT.contains(key)) {
        notes.warn(
            manifest.field(key),
            "has no effect any more, since spark.executor.memoryOverhead is set");
      } else if (key.startsWith("spark.executor.resource.") && key.endsWith(".amount")) {
        notes.warn(
            manifest.field(key),
            "the profile knows nothing of devices; a pod is admitted only where a device is free in"
                + " the NUMA node that has the CPUs");
      } else if (key.equals("spark.plugins") && value.contains("ExecutorResizePlugin")) {
        notes.refuse(
            manifest.field(key),
            "the kubelet does not resize pods that have CPUs of their own; remove"
                + " ExecutorResizePlugin");
      }
    }
    checkOffHeap(manifest, memory, notes);
    checkJavaOptions(manifest, notes);
  }

  /** A pod that wants two values of one label is never scheduled. */
  static void checkNodeLabels(
      ForeignManifest manifest, Map<String, String> nodeLabels, Notes notes) {
    nodeLabels.forEach(
        (label, value) -> {
          for (String prefix : NODE_SELECTORS) {
            String old = manifest.properties().getOrDefault(prefix + label, value);
            if (!old.equals(value)) {
              notes.refuse(manifest.field(prefix + label), PodTemplate.otherLabel(old, value));
            }
          }
        });
  }

  /** Spark adds it to the pod (BasicExecutorFeatureStep), so it must be the profile's. */
  private static void checkOffHeap(ForeignManifest manifest, ExecutorMemory memory, Notes notes) {
    String size = "spark.memory.offHeap.size";
    boolean enabled = manifest.get("spark.memory.offHeap.enabled").orElse("").equals("true");
    long wanted = enabled ? offHeapBytes(manifest.get(size).orElse("0")) : 0;
    if (wanted > memory.offHeapBytes()) {
      notes.refuse(
          manifest.field(size),
          "is more than the profile's executors have (%s); set spec.executor.offHeap of the SparkNodeProfile"
              .formatted(MemorySize.toSpark(memory.offHeapBytes())));
    }
  }

  /** Without a unit it is bytes, unlike spark.executor.memory. */
  private static long offHeapBytes(String size) {
    return size.matches("[0-9]{1,15}") ? Long.parseLong(size) : MemorySize.ofSpark(size);
  }

  private static void checkJavaOptions(ForeignManifest manifest, Notes notes) {
    for (String key :
        List.of("spark.executor.extraJavaOptions", "spark.executor.defaultJavaOptions")) {
      for (String option : manifest.get(key).orElse("").trim().split("\\s+")) {
        if (option.startsWith("-Xmx") || option.startsWith("-XX:MaxHeapSize")) {
          notes.refuse(
              manifest.field(key),
              option
                  + " sets the heap, which spark.executor.memory does; remove it (Spark refuses it"
                  + " as well)");
        }
      }
    }
  }
}
