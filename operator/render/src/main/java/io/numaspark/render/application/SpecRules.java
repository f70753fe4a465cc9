package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.Dependencies;
import io.numaspark.api.v1alpha1.DriverSpec;
import io.numaspark.api.v1alpha1.ExecutorSpec;
import io.numaspark.api.v1alpha1.PodFields;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.api.v1alpha1.SparkPlugin;
import io.numaspark.render.Bounds;
import io.numaspark.render.Labels;
import io.numaspark.render.MemorySize;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.GivenPods;
import io.numaspark.render.sparkpod.Side;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the schema of SparkApplication admits, for files that never went through an API server, and
 * sizes that no pattern can bound.
 */
final class SpecRules {
  private static final String FACTOR = "[0-9]{1,3}(\\.[0-9]{1,6})?";

  static final String CPU = "[1-9][0-9]{0,8}m?|[0-9]{1,9}\\.[0-9]{1,3}";

  private static final String IMAGE = "spark.kubernetes.container.image";

  /** Spark's own labels (KubernetesDriverConf, KubernetesExecutorConf); it refuses a user's. */
  private static final Set<String> RESERVED_LABELS =
      Set.of(
          Labels.SPARK_APP_SELECTOR,
          Labels.SPARK_APP_NAME,
          Labels.SPARK_ROLE,
          Labels.SPARK_EXECUTOR_ID,
          Labels.SPARK_VERSION,
          "spark-exec-resourceprofile-id");

  private SpecRules() {}

  static Optional<Refusal> check(SparkApplicationSpec spec, GivenPods pods) {
    try {
      checkWhatToRun(spec);
      checkDriver(spec.driver());
      checkExecutor(spec);
      checkPods(spec, pods);
      ShuffleRules.checkFields(spec);
      checkPlugin(spec.sparkPlugin());
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(new Refusal(RefusalReason.SPEC_INVALID, e.getMessage()));
    }
  }

  private static void checkWhatToRun(SparkApplicationSpec spec) {
    require(spec.type() != null, "spec.type: is missing; give Java, Scala, Python or R");
    require(
        isSet(spec.image())
            || (isSet(spec.driver().image()) && isSet(spec.executor().image()))
            || isSet(SparkProperties.orEmpty(spec.sparkConf()).get(IMAGE)),
        "spec.image: is missing; give it, or an image in both spec.driver and spec.executor");
    require(
        isSet(spec.mainApplicationFile()),
        "spec.mainApplicationFile: is missing; give the jar, Python or R file");
    require(
        spec.type() == Type.Python || spec.type() == Type.R || isSet(spec.mainClass()),
        "spec.mainClass: is missing; a Java or Scala application needs the class whose main method"
            + " is run");
  }

  /** What the pods' fields say must fit Kubernetes' types and each other. */
  private static void checkPods(SparkApplicationSpec spec, GivenPods pods) {
    require(
        spec.memoryOverheadFactor() == null || spec.memoryOverheadFactor().matches(FACTOR),
        "spec.memoryOverheadFactor: '"
            + spec.memoryOverheadFactor()
            + "' is no factor; write for example 0.1");
    require(
        spec.proxyUser() == null || !spec.proxyUser().isBlank(),
        "spec.proxyUser: is empty; give a user's name or remove it");
    require(
        spec.nodeSelector() == null
            || (spec.driver().nodeSelector() == null && spec.executor().nodeSelector() == null),
        "spec.nodeSelector: is given for the whole application and for one side; give it once, or"
            + " for driver and executor");
    checkLists(spec);
    checkMaps(spec);
    for (Side side : Side.values()) {
      checkLabels(side, side.of(spec).labels());
      checkMemory(side.field("memoryLimit"), side.of(spec).memoryLimit());
      // A profile's shape takes the place of the executors' requests and limits.
      if (side == Side.DRIVER || spec.nodeProfile() == null) {
        checkLimit(side, side.of(spec));
      }
      pods.of(side);
    }
    if (spec.nodeProfile() != null) {
      PinnedPodRules.check(spec, pods);
    }
  }

  private static void checkLists(SparkApplicationSpec spec) {
    requireItems("spec.arguments", spec.arguments());
    requireItems("spec.imagePullSecrets", spec.imagePullSecrets());
    Dependencies deps = spec.deps();
    if (deps != null) {
      requireItems("spec.deps.jars", deps.jars());
      requireItems("spec.deps.files", deps.files());
      requireItems("spec.deps.pyFiles", deps.pyFiles());
      requireItems("spec.deps.packages", deps.packages());
      requireItems("spec.deps.excludePackages", deps.excludePackages());
      requireItems("spec.deps.repositories", deps.repositories());
      requireItems("spec.deps.archives", deps.archives());
    }
  }

  private static void checkMaps(SparkApplicationSpec spec) {
    requireValues("spec.hadoopConf", spec.hadoopConf());
    requireValues("spec.nodeSelector", spec.nodeSelector());
    requireValues("spec.driver.serviceLabels", spec.driver().serviceLabels());
    requireValues("spec.driver.serviceAnnotations", spec.driver().serviceAnnotations());
    for (Side side : Side.values()) {
      PodFields fields = side.of(spec);
      requireValues(side.field("labels"), fields.labels());
      requireValues(side.field("annotations"), fields.annotations());
      requireValues(side.field("nodeSelector"), fields.nodeSelector());
      requireValues(side.field("envVars"), fields.envVars());
    }
  }

  private static void requireValues(String field, Map<String, String> map) {
    for (Map.Entry<String, String> entry : SparkProperties.orEmpty(map).entrySet()) {
      require(
          entry.getValue() != null,
          field + "[\"" + entry.getKey() + "\"]: is empty; give it a value or remove it");
    }
  }

  private static void requireItems(String field, List<String> items) {
    for (int i = 0; items != null && i < items.size(); i++) {
      require(items.get(i) != null, field + "[" + i + "]: is empty; give it a value or remove it");
    }
  }

  private static void checkLabels(Side side, Map<String, String> labels) {
    for (String label : new TreeSet<>(SparkProperties.orEmpty(labels).keySet())) {
      String field = side.field("labels") + "[\"" + label + "\"]";
      require(
          !isReserved(label),
          field + ": Spark and the operator find pods by this label; use another one");
    }
  }

  /** Whether Spark or the operator puts this label on pods. */
  static boolean isReserved(String label) {
    return RESERVED_LABELS.contains(label) || label.startsWith(ApiGroup.NAME + "/");
  }

  /** Spark 4.1 and the API server refuse it too, but after the driver has started. */
  private static void checkLimit(Side side, PodFields fields) {
    String request =
        Objects.requireNonNullElse(
            fields.coreRequest(), String.valueOf(Objects.requireNonNullElse(fields.cores(), 1)));
    require(
        fields.coreLimit() == null
            || new Quantity(fields.coreLimit())
                    .getNumericalAmount()
                    .compareTo(new Quantity(request).getNumericalAmount())
                >= 0,
        side.field("coreLimit")
            + ": "
            + fields.coreLimit()
            + " is less than the request of "
            + request
            + "; give as much or more, or a smaller coreRequest");
  }

  private static void checkDriver(DriverSpec driver) {
    Bounds.within("spec.driver.cores", driver.cores(), 1, 1024);
    checkCpu("spec.driver.coreRequest", driver.coreRequest());
    checkCpu("spec.driver.coreLimit", driver.coreLimit());
    checkMemory("spec.driver.memory", driver.memory());
    checkMemory("spec.driver.memoryOverhead", driver.memoryOverhead());
  }

  private static void checkExecutor(SparkApplicationSpec spec) {
    ExecutorSpec executor = spec.executor();
    Bounds.within("spec.executor.instances", executor.instances(), 1, 100_000);
    Bounds.within("spec.executor.cores", executor.cores(), 1, 1024);
    Bounds.within("spec.executor.nodes", executor.nodes(), 1, 10_000);
    checkCpu("spec.executor.coreRequest", executor.coreRequest());
    checkCpu("spec.executor.coreLimit", executor.coreLimit());
    checkMemory("spec.executor.memory", executor.memory());
    checkMemory("spec.executor.memoryOverhead", executor.memoryOverhead());
    require(
        executor.instances() == null || executor.nodes() == null,
        "spec.executor: instances and nodes are both given; remove one");
    require(
        spec.nodeProfile() != null || executor.nodes() == null,
        "spec.executor.nodes: whole nodes can only be asked for with spec.nodeProfile; use"
            + " spec.executor.instances");
    require(
        spec.nodeProfile() != null || executor.sizing() != ExecutorSpec.Sizing.Exact,
        "spec.executor.sizing: Exact needs spec.nodeProfile; remove it");
  }

  private static void checkPlugin(SparkPlugin plugin) {
    if (plugin == null || plugin.path() == null) {
      return;
    }
    require(
        plugin.path().matches("/[^:,*\\s]*\\.jar"),
        "spec.sparkPlugin.path: '"
            + plugin.path()
            + "' is no path of a jar; write for example /opt/spark/jars/"
            + PluginJar.FILE);
    require(
        !Boolean.FALSE.equals(plugin.enabled()),
        "spec.sparkPlugin.path: enabled is false; remove one of the two");
  }

  private static void checkCpu(String field, String cpu) {
    require(
        cpu == null || cpu.matches(CPU),
        field + ": '" + cpu + "' is no amount of CPU; write for example 2 or 500m");
  }

  private static void checkMemory(String field, String size) {
    if (size == null) {
      return;
    }
    try {
      require(MemorySize.ofSpark(size) > 0, "'" + size + "' is too small; give 1m or more");
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
    }
  }

  private static boolean isSet(String text) {
    return text != null && !text.isEmpty();
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
