package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.DriverSpec;
import io.numaspark.api.v1alpha1.ExecutorSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.MemoryPolicy;
import io.numaspark.render.JavaOptionsText;
import io.numaspark.render.Labels;
import io.numaspark.render.MemorySize;
import io.numaspark.render.ResourceNames;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The Spark properties of one run: those that Spark's own submission writes, and those that pin
 * executors.
 */
final class SparkConf {
  static final int DRIVER_PORT = 7078;
  static final int BLOCK_MANAGER_PORT = 7079;

  /** Spark's submission writes it too: executors and driver take their default overhead from it. */
  static final String MEMORY_OVERHEAD_FACTOR = "spark.kubernetes.memoryOverheadFactor";

  private SparkConf() {}

  /** Properties of the run, derived first, then overlaid with the user's. */
  static SortedMap<String, String> of(
      SparkApplicationSpec spec,
      ApplicationIdentity identity,
      ExecutorRequest executors,
      String serviceAccount) {
    SortedMap<String, String> conf = new TreeMap<>();
    putRun(conf, spec, identity, serviceAccount);
    conf.put(MEMORY_OVERHEAD_FACTOR, overheadFactor(spec.type()));
    putDriver(conf, spec.driver());
    putLabels(conf, identity.podLabels());
    putExecutors(conf, spec, executors);
    executors.pinned().ifPresent(pinned -> conf.putAll(pinnedExecutors(executors, pinned)));
    WorkloadConf.of(spec, executors)
        .forEach(property -> conf.put(property.key(), property.value()));
    putLabels(conf, labels(identity, executors));
    orEmpty(spec.hadoopConf()).forEach((key, value) -> conf.put("spark.hadoop." + key, value));
    conf.putAll(FieldConf.of(spec));
    conf.putAll(orEmpty(spec.sparkConf()));
    FieldConf.complete(conf, spec);
    // The template is ours even if the user's had another name for Spark's container.
    conf.put("spark.kubernetes.executor.podTemplateContainerName", Labels.EXECUTOR_CONTAINER);
    return conf;
  }

  /** Properties that make executors Guaranteed, of one shape, and patient with a slow start. */
  static SortedMap<String, String> pinnedExecutors(
      ExecutorRequest executors, ExecutorRequest.Pinned pinned) {
    SortedMap<String, String> conf = new TreeMap<>(pinnedShape(pinned));
    RetryLimits.failures(executors.mostInstances().orElse(executors.instances()))
        .forEach(limit -> conf.put(limit.key(), limit.value()));
    return conf;
  }

  /** Properties that follow from the shape alone. */
  static SortedMap<String, String> pinnedShape(ExecutorRequest.Pinned pinned) {
    SortedMap<String, String> conf = new TreeMap<>();
    ExecutorMemory memory = pinned.memory();
    String cpus = String.valueOf(pinned.cpus().cpus());
    conf.put("spark.executor.cores", String.valueOf(pinned.cpus().taskSlots()));
    conf.put("spark.kubernetes.executor.request.cores", cpus);
    conf.put("spark.kubernetes.executor.limit.cores", cpus);
    conf.put("spark.executor.memory", MemorySize.toSpark(memory.heapBytes()));
    conf.put("spark.executor.memoryOverhead", MemorySize.toSpark(memory.overheadBytes()));
    if (memory.offHeapBytes() > 0) {
      conf.put("spark.memory.offHeap.enabled", "true");
      conf.put("spark.memory.offHeap.size", MemorySize.toSpark(memory.offHeapBytes()));
    }
    conf.put("spark.executor.defaultJavaOptions", JavaOptionsText.join(pinned.jvmOptions()));
    return conf;
  }

  /** Labels that executors carry beside those of the user. */
  static SortedMap<String, String> labels(ApplicationIdentity identity, ExecutorRequest executors) {
    SortedMap<String, String> labels = new TreeMap<>();
    labels.put(Labels.APPLICATION, identity.names().label());
    labels.put(Labels.ATTEMPT, String.valueOf(identity.attempt()));
    labels.put(Labels.MANAGED_BY, Labels.MANAGER);
    executors.pinned().ifPresent(pinned -> labels.put(Labels.PROFILE, pinned.profile()));
    return labels;
  }

  private static void putRun(
      SortedMap<String, String> conf,
      SparkApplicationSpec spec,
      ApplicationIdentity identity,
      String serviceAccount) {
    ResourceNames names = identity.names();
    conf.put("spark.app.id", names.sparkAppId());
    conf.put("spark.app.name", identity.name());
    // The driver replaces the address by spark.kubernetes.driver.master because of submitInDriver.
    conf.put("spark.master", "k8s://https://kubernetes.default.svc");
    conf.put("spark.submit.deployMode", "cluster");
    conf.put("spark.kubernetes.submitInDriver", "true");
    conf.put("spark.kubernetes.namespace", identity.namespace());
    conf.put("spark.kubernetes.driver.pod.name", names.driverPod());
    conf.put("spark.kubernetes.executor.podNamePrefix", names.executorPrefix());
    conf.put("spark.kubernetes.resource.type", resourceType(spec.type()));
    conf.put(DriverPod.SERVICE_ACCOUNT, serviceAccount);
    putIfPresent(conf, "spark.kubernetes.container.image", spec.image());
    if (spec.imagePullPolicy() != null) {
      conf.put("spark.kubernetes.container.image.pullPolicy", spec.imagePullPolicy().name());
    }
    if (spec.imagePullSecrets() != null && !spec.imagePullSecrets().isEmpty()) {
      conf.put(
          "spark.kubernetes.container.image.pullSecrets",
          String.join(",", spec.imagePullSecrets()));
    }
    conf.put("spark.driver.host", names.driverService() + "." + identity.namespace() + ".svc");
    conf.put("spark.driver.port", String.valueOf(DRIVER_PORT));
    conf.put("spark.driver.blockManager.port", String.valueOf(BLOCK_MANAGER_PORT));
    conf.put("spark.kubernetes.executor.podTemplateFile", ExecutorPodTemplate.PATH);
  }

  private static void putDriver(SortedMap<String, String> conf, DriverSpec driver) {
    conf.put("spark.driver.cores", String.valueOf(Objects.requireNonNullElse(driver.cores(), 1)));
    conf.put(
        "spark.driver.memory",
        MemorySize.toSpark(MemorySize.ofSpark(Objects.requireNonNullElse(driver.memory(), "1g"))));
    putMemory(conf, "spark.driver.memoryOverhead", driver.memoryOverhead());
    putIfPresent(conf, "spark.driver.extraJavaOptions", driver.javaOptions());
  }

  private static void putExecutors(
      SortedMap<String, String> conf, SparkApplicationSpec spec, ExecutorRequest executors) {
    ExecutorSpec executor = spec.executor();
    // With dynamic allocation Spark takes the larger of it and the initial number.
    if (executors.range().isEmpty()) {
      conf.put("spark.executor.instances", String.valueOf(executors.instances()));
    }
    conf.put("spark.executor.cores", String.valueOf(executors.taskSlots()));
    conf.put("spark.executor.memory", MemorySize.toSpark(executors.heapBytes()));
    putMemory(conf, "spark.executor.memoryOverhead", executor.memoryOverhead());
    putIfPresent(conf, "spark.kubernetes.executor.request.cores", executor.coreRequest());
    putIfPresent(conf, "spark.kubernetes.executor.limit.cores", executor.coreLimit());
    putIfPresent(conf, "spark.executor.extraJavaOptions", executor.javaOptions());
    conf.put(
        "spark.kubernetes.executor.deleteOnTermination",
        String.valueOf(Objects.requireNonNullElse(executor.deleteOnTermination(), true)));
    putLabels(conf, orEmpty(executor.labels()));
  }

  private static void putLabels(SortedMap<String, String> conf, Map<String, String> labels) {
    labels.forEach((label, value) -> conf.put("spark.kubernetes.executor.label." + label, value));
  }

  /** Spark's word for the language (MainAppResource); R is lower case too. */
  static String resourceType(Type type) {
    return type == Type.Scala ? "java" : type.name().toLowerCase(Locale.ROOT);
  }

  /** Spark's default (BasicDriverFeatureStep: defaultOverheadFactor). */
  static String overheadFactor(Type type) {
    return type == Type.Python || type == Type.R
        ? String.valueOf(MemoryPolicy.NON_JVM_OVERHEAD_FACTOR)
        : "0.1";
  }

  private static void putMemory(SortedMap<String, String> conf, String key, String size) {
    if (size != null) {
      conf.put(key, MemorySize.toSpark(MemorySize.ofSpark(size)));
    }
  }

  private static void putIfPresent(SortedMap<String, String> conf, String key, String value) {
    if (value != null) {
      conf.put(key, value);
    }
  }

  static <V> Map<String, V> orEmpty(Map<String, V> map) {
    return Objects.requireNonNullElse(map, Map.of());
  }
}
