package io.numaspark.render.rules;

import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.ExecutorSpec.Sizing;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.render.application.DynamicExecutors;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.SparkRelease;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.MemorySize;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which Spark properties a user may not set, and what to do instead.
 *
 * <p>Every other property of the user wins over a derived one. These are refused rather than
 * overridden in silence.
 */
final class ConfRules {
  private static final String RUN = "numaspark sets it for every run; remove it";
  private static final String SIZE =
      "it would change the size of the executor pod, which must equal the profile's slot; remove"
          + " it, and change spec.executor of the SparkNodeProfile if executors should be larger or"
          + " smaller, or keep the application's own size by spec.executor.sizing: Exact";
  private static final String TEMPLATE =
      "numaspark's pod template requests the slot that pins the executor; use spec.executor"
          + " instead";

  /** Properties that identify the run or connect its parts. */
  private static final Map<String, String> ALWAYS_REFUSED =
      Map.ofEntries(
          Map.entry("spark.app.id", RUN),
          Map.entry("spark.master", RUN),
          Map.entry("spark.submit.deployMode", "use spec.mode"),
          Map.entry("spark.driver.host", RUN),
          Map.entry("spark.driver.port", RUN),
          Map.entry("spark.driver.blockManager.port", RUN),
          Map.entry(
              "spark.kubernetes.namespace",
              "executors run in the application's namespace; remove it"),
          Map.entry("spark.kubernetes.driver.pod.name", RUN),
          Map.entry("spark.kubernetes.submitInDriver", RUN),
          Map.entry("spark.kubernetes.resource.type", "use spec.type"),
          Map.entry("spark.kubernetes.executor.podNamePrefix", RUN),
          Map.entry("spark.kubernetes.executor.podTemplateFile", "use spec.executor.template"));

  /**
   * Properties that would take a pinned executor out of its slot or out of the Guaranteed QoS
   * class.
   */
  private static final Map<String, String> REFUSED_WHEN_PINNED =
      Map.ofEntries(
          Map.entry("spark.kubernetes.executor.request.cores", SIZE),
          Map.entry("spark.kubernetes.executor.limit.cores", SIZE),
          Map.entry(
              SparkKeys.PYSPARK_MEMORY,
              "Spark adds it to the executor pods of Python applications only; remove it"),
          Map.entry(
              "spark.executor.defaultJavaOptions",
              "numaspark writes the executors' JVM options there; use spec.executor.javaOptions,"
                  + " which come after them"),
          Map.entry("spark.kubernetes.allocation.pods.allocator", TEMPLATE),
          Map.entry("spark.kubernetes.executor.pod.featureSteps", TEMPLATE),
          Map.entry(
              "spark.kubernetes.executor.pod.excludedFeatureSteps",
              "without one of Spark's own steps the executor pod may lose the resources that pin it;"
                  + " remove it"),
          Map.entry(
              "spark.scheduler.resource.profileMergeConflicts",
              "executors of a resource profile get neither the slot nor the CPU limit, Spark drops"
                  + " both (BasicExecutorFeatureStep), so they cannot be pinned; remove it, and run"
                  + " stages with resources of their own in an application without spec.nodeProfile"));

  /** Sizes of the pod, which are the application's own with spec.executor.sizing: Exact. */
  private static final List<String> REFUSED_WHEN_SPLIT =
      List.of(
          "spark.executor.memory",
          "spark.executor.memoryOverhead",
          "spark.executor.memoryOverheadFactor",
          "spark.executor.minMemoryOverhead",
          "spark.memory.offHeap.enabled",
          "spark.memory.offHeap.size",
          SparkKeys.MEMORY_OVERHEAD_FACTOR);

  /** Spark 4.3's plugin that changes the memory of running executor pods. */
  private static final String RESIZE_PLUGIN =
      "org.apache.spark.scheduler.cluster.k8s.ExecutorResizePlugin";

  /** Properties that numaspark computes with itself, so that it must be able to read them. */
  private static final List<String> SIZES =
      List.of("spark.driver.memory", "spark.driver.memoryOverhead");

  private static final List<String> FACTORS =
      List.of("spark.driver.memoryOverheadFactor", "spark.kubernetes.memoryOverheadFactor");

  private static final List<String> COUNTS =
      List.of("spark.driver.cores", "spark.executor.instances");

  private static final String OWN_LABELS = "spark.kubernetes.executor.label." + ApiGroup.NAME + "/";

  private ConfRules() {}

  /** The first property that an application may not set, or whose value cannot be read. */
  static Optional<Refusal> check(SparkApplicationSpec spec, boolean pinned) {
    Map<String, String> conf = new TreeMap<>(SparkProperties.orEmpty(spec.sparkConf()));
    Optional<Refusal> fraction = checkTaskCpus(conf.get(SparkKeys.TASK_CPUS), spec.sparkVersion());
    if (fraction.isPresent()) {
      return fraction;
    }
    if (pinned && spec.type() == Type.Python && conf.containsKey(SparkKeys.PYSPARK_MEMORY)) {
      Optional<Refusal> unreadable =
          checkSize(SparkKeys.PYSPARK_MEMORY, conf.remove(SparkKeys.PYSPARK_MEMORY));
      return unreadable.or(() -> check(conf, pinning(spec, true)));
    }
    return check(conf, pinning(spec, pinned));
  }

  /** How much of an executor pod a profile decides. */
  enum Pinning {
    NONE,
    EXACT,
    SPLIT
  }

  private static Pinning pinning(SparkApplicationSpec spec, boolean pinned) {
    if (!pinned) {
      return Pinning.NONE;
    }
    return spec.executor().sizing() == Sizing.Exact ? Pinning.EXACT : Pinning.SPLIT;
  }

  /** Spark 4.3 made task CPUs a decimal number; drivers before it end with an exception. */
  private static Optional<Refusal> checkTaskCpus(String cpus, String sparkVersion) {
    if (cpus == null || !cpus.contains(".") || sparkVersion == null) {
      return Optional.empty();
    }
    return SparkRelease.isBefore(sparkVersion, 4, 3)
        ? refuse(
            SparkKeys.TASK_CPUS,
            "'"
                + cpus
                + "' needs Spark 4.3, but spec.sparkVersion is "
                + sparkVersion
                + "; give a whole number, or more spark.executor.cores than CPUs")
        : Optional.empty();
  }

  static Optional<Refusal> check(Map<String, String> userConf, Pinning pinning) {
    for (Map.Entry<String, String> entry : new TreeMap<>(userConf).entrySet()) {
      String key = entry.getKey();
      if (key.startsWith(OWN_LABELS)) {
        return refuse(key, "the operator finds executors by this label; remove it");
      }
      if (ALWAYS_REFUSED.containsKey(key)) {
        return refuse(key, ALWAYS_REFUSED.get(key));
      }
      if (pinning != Pinning.NONE && REFUSED_WHEN_PINNED.containsKey(key)) {
        return refuse(key, REFUSED_WHEN_PINNED.get(key));
      }
      if (pinning == Pinning.SPLIT && REFUSED_WHEN_SPLIT.contains(key)) {
        return refuse(key, SIZE);
      }
      if (pinning != Pinning.NONE && key.equals(SparkKeys.PLUGINS) && resizes(entry.getValue())) {
        return refuse(
            key,
            RESIZE_PLUGIN
                + " changes the memory of running pods, which the kubelet's static CPU and memory"
                + " managers do not allow for pinned ones; remove it from the list");
      }
      Optional<Refusal> unreadable = checkValue(key, entry.getValue());
      if (unreadable.isPresent()) {
        return unreadable;
      }
    }
    return Optional.empty();
  }

  private static Optional<Refusal> checkValue(String key, String value) {
    if (DynamicExecutors.COUNTS.contains(key) && !value.matches("[0-9]{1,10}")) {
      return refuse(key, "'" + value + "' is not a number of executors; give 0 or more");
    }
    if (COUNTS.contains(key) && !value.matches("[1-9][0-9]{0,8}")) {
      return refuse(key, "'" + value + "' is not a positive number; give 1 or more");
    }
    // Bounded, so that no product of it overflows.
    if (key.equals(SparkKeys.EXECUTOR_CORES) && !value.matches("[1-9][0-9]{0,4}")) {
      return refuse(key, "'" + value + "' is not a number of tasks; give 1 to 99999");
    }
    if (FACTORS.contains(key) && !value.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
      return refuse(key, "'" + value + "' is not a factor; write for example 0.1");
    }
    return SIZES.contains(key) ? checkSize(key, value) : Optional.empty();
  }

  private static boolean resizes(String plugins) {
    return Stream.of(plugins.split(",")).map(String::trim).anyMatch(RESIZE_PLUGIN::equals);
  }

  private static Optional<Refusal> checkSize(String key, String value) {
    try {
      MemorySize.ofSpark(value);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return refuse(key, e.getMessage());
    }
  }

  private static Optional<Refusal> refuse(String key, String why) {
    return Optional.of(
        new Refusal(RefusalReason.SPARK_CONF_REFUSED, "spec.sparkConf[\"" + key + "\"]: " + why));
  }
}
