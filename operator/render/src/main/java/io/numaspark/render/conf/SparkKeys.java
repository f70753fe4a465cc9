package io.numaspark.render.conf;

/** Names of Spark properties that several concerns use, and how each list is written. */
public final class SparkKeys {
  public static final String IMAGE = "spark.kubernetes.container.image";
  public static final String DRIVER_IMAGE = "spark.kubernetes.driver.container.image";
  public static final String EXECUTOR_IMAGE = "spark.kubernetes.executor.container.image";
  public static final String SERVICE_ACCOUNT =
      "spark.kubernetes.authenticate.driver.serviceAccountName";

  /** Spark's submission writes it too: executors and driver take their default overhead from it. */
  public static final String MEMORY_OVERHEAD_FACTOR = "spark.kubernetes.memoryOverheadFactor";

  public static final String EXECUTOR_INSTANCES = "spark.executor.instances";
  public static final String EXECUTOR_CORES = "spark.executor.cores";
  public static final String EXECUTOR_MEMORY = "spark.executor.memory";
  public static final String EXECUTOR_OVERHEAD = "spark.executor.memoryOverhead";
  public static final String EXECUTOR_REQUEST = "spark.kubernetes.executor.request.cores";
  public static final String EXECUTOR_LIMIT = "spark.kubernetes.executor.limit.cores";
  public static final String EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions";
  public static final String EXECUTOR_LABEL = "spark.kubernetes.executor.label.";
  public static final String DRIVER_MEMORY = "spark.driver.memory";
  public static final String DRIVER_OVERHEAD = "spark.driver.memoryOverhead";
  public static final String DRIVER_OPTIONS = "spark.driver.extraJavaOptions";
  public static final String OFF_HEAP = "spark.memory.offHeap.enabled";
  public static final String OFF_HEAP_SIZE = "spark.memory.offHeap.size";
  public static final String PLUGINS = "spark.plugins";
  public static final String UI_PORT = "spark.ui.port";
  public static final String UI_ENABLED = "spark.ui.enabled";

  /** Read for the pod's size; Spark adds it for Python applications only. */
  public static final String PYSPARK_MEMORY = "spark.executor.pyspark.memory";

  public static final String TASK_CPUS = "spark.task.cpus";

  private SparkKeys() {}

  /** What stands between the items of a property that is a list. */
  static String separator(String key) {
    if (key.endsWith("JavaOptions")) {
      return " ";
    }
    return key.endsWith("ClassPath") ? ":" : ",";
  }
}
