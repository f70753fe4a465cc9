package io.numaspark.render.executors;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.numaspark.api.v1alpha1.ExecutorSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.plan.Pins;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.Request;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.GivenPods.GivenPod;
import io.numaspark.render.sparkpod.Side;
import io.numaspark.render.sparkpod.SparkPod;
import io.numaspark.render.sparkpod.SparkVolumes;
import io.numaspark.render.text.JavaOptionsText;
import io.numaspark.render.text.Labels;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The properties that make the executor pods: their number, size and labels, and the fields that no
 * pod template can carry, because Spark overwrites some parts of a template with properties or
 * their defaults (BasicExecutorFeatureStep).
 */
public final class ExecutorPods implements Concern {
  /** Spark sets these for executors after the template; a property of the user's comes later. */
  private static final Set<String> BY_PROPERTY = Set.of("SPARK_USER", "SPARK_CONF_DIR");

  private static final String EXECUTOR_ENV = "spark.executorEnv.";

  @Override
  public Contribution contribution(Request request) {
    Settings settings = new Settings();
    addSize(settings, request);
    addLabels(settings, request);
    addPod(settings, request);
    return Contribution.of(settings).withWarnings(request.sized().warnings());
  }

  private static void addSize(Settings settings, Request request) {
    ExecutorSpec fields = request.spec().executor();
    ExecutorRequest executors = request.sized().executors();
    // With dynamic allocation Spark takes the larger of it and the initial number.
    if (executors.range().isEmpty()) {
      settings.derived("spec.executor").put(SparkKeys.EXECUTOR_INSTANCES, executors.instances());
    }
    if (executors.pinned().isPresent()) {
      ExecutorRequest.Pinned pinned = executors.pinned().get();
      addShape(settings.derived("profile " + pinned.profile()), pinned);
    } else {
      settings.field("spec.executor.cores", SparkKeys.EXECUTOR_CORES, executors.taskSlots());
      settings
          .field("spec.executor.memory")
          .putBytes(SparkKeys.EXECUTOR_MEMORY, executors.heapBytes());
      settings
          .field("spec.executor.memoryOverhead")
          .putSize(SparkKeys.EXECUTOR_OVERHEAD, fields.memoryOverhead());
      settings.field("spec.executor.coreRequest", SparkKeys.EXECUTOR_REQUEST, fields.coreRequest());
      settings.field("spec.executor.coreLimit", SparkKeys.EXECUTOR_LIMIT, fields.coreLimit());
    }
    settings.field("spec.executor.javaOptions", SparkKeys.EXECUTOR_OPTIONS, fields.javaOptions());
  }

  /** Properties that follow from a profile's shape alone. */
  static void addShape(Settings.From settings, ExecutorRequest.Pinned pinned) {
    ExecutorMemory memory = pinned.memory();
    settings
        .put(SparkKeys.EXECUTOR_CORES, pinned.cpus().taskSlots())
        .put(SparkKeys.EXECUTOR_REQUEST, pinned.cpus().cpus())
        .putBytes(SparkKeys.EXECUTOR_MEMORY, memory.heapBytes())
        .putBytes(SparkKeys.EXECUTOR_OVERHEAD, memory.sparkOverheadBytes())
        .put("spark.executor.defaultJavaOptions", JavaOptionsText.join(pinned.jvmOptions()));
    // A limit would be a quota on the pod's cgroup, which the runtime's pins do not lift; and with
    // one a static kubelet pins.
    if (pinned.pins() == Pins.KUBELET || pinned.pins() == Pins.BOTH) {
      settings.put(SparkKeys.EXECUTOR_LIMIT, pinned.cpus().cpus());
    }
    if (memory.offHeapBytes() > 0) {
      settings
          .put(SparkKeys.OFF_HEAP, "true")
          .putBytes(SparkKeys.OFF_HEAP_SIZE, memory.offHeapBytes());
    }
  }

  /** The operator's labels, then those of the executors, then those of the application. */
  private static void addLabels(Settings settings, Request request) {
    SortedMap<String, String> own = new TreeMap<>();
    own.put(Labels.APPLICATION, request.identity().names().label());
    own.put(Labels.ATTEMPT, String.valueOf(request.identity().attempt()));
    own.put(Labels.MANAGED_BY, Labels.MANAGER);
    request.executors().pinned().ifPresent(pinned -> own.put(Labels.PROFILE, pinned.profile()));
    SortedMap<String, String> executors =
        new TreeMap<>(SparkProperties.orEmpty(request.spec().executor().labels()));
    executors.keySet().removeAll(own.keySet());
    SortedMap<String, String> application = new TreeMap<>(request.identity().podLabels());
    application.keySet().removeAll(own.keySet());
    application.keySet().removeAll(executors.keySet());
    settings.derived("names of the attempt").putAll(labels(own));
    settings.field("spec.executor.labels").putAll(labels(executors));
    settings.field("metadata.labels").putAll(labels(application));
  }

  private static SortedMap<String, String> labels(Map<String, String> labels) {
    SortedMap<String, String> properties = new TreeMap<>();
    labels.forEach((label, value) -> properties.put(SparkKeys.EXECUTOR_LABEL + label, value));
    return properties;
  }

  private static void addPod(Settings settings, Request request) {
    SparkApplicationSpec spec = request.spec();
    GivenPod given = request.pods().of(Side.EXECUTOR);
    SparkPod pod = given.pod();
    settings.field(
        "spec.executor.deleteOnTermination",
        "spark.kubernetes.executor.deleteOnTermination",
        Optional.ofNullable(request.given().executor())
            .map(ExecutorSpec::deleteOnTermination)
            .orElse(null),
        spec.executor().deleteOnTermination());
    settings.field(
        "spec.executor.serviceAccount",
        "spark.kubernetes.authenticate.executor.serviceAccountName",
        given.serviceAccount().orElse(null));
    Long grace = pod.spec().getTerminationGracePeriodSeconds();
    boolean decommissioned =
        spec.decommission() != null && spec.executor().terminationGracePeriodSeconds() == null;
    settings.field(
        decommissioned
            ? "spec.decommission.graceSeconds"
            : "spec.executor.terminationGracePeriodSeconds",
        "spark.kubernetes.executor.terminationGracePeriodSeconds",
        grace == null ? null : grace + "s");
    SecurityContext context = pod.container().getSecurityContext();
    if (!Boolean.FALSE.equals(context.getAllowPrivilegeEscalation())) {
      // Spark 4.3 writes false over the template otherwise.
      settings.field(
          "spec.executor.securityContext",
          "spark.kubernetes.executor.securityContext.allowPrivilegeEscalation",
          "true");
    }
    SortedMap<String, String> environment = new TreeMap<>();
    if (spec.sparkConfigMap() != null) {
      environment.put(EXECUTOR_ENV + "SPARK_CONF_DIR", SparkPod.SPARK_CONF_FOLDER);
    }
    for (EnvVar variable : pod.environment()) {
      if (isByProperty(variable)) {
        environment.put(EXECUTOR_ENV + variable.getName(), variable.getValue());
      }
    }
    settings.field("spec.executor.env").putAll(environment);
    settings
        .field("spec.executor.volumeMounts")
        .putAll(SparkVolumes.properties(Side.EXECUTOR, spec));
  }

  /** Whether a variable of executors becomes a property, as Spark would overwrite it otherwise. */
  public static boolean isByProperty(EnvVar variable) {
    return BY_PROPERTY.contains(variable.getName()) && variable.getValue() != null;
  }
}
