package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.SparkProperty;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.sparkpod.FieldPods;
import io.numaspark.render.sparkpod.Side;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/** Renders an application: the same application and plan give the same bytes. */
public final class ApplicationRenderer {
  private final String defaultServiceAccount;

  /**
   * A renderer.
   *
   * @param defaultServiceAccount service account of drivers whose application names none
   */
  public ApplicationRenderer(String defaultServiceAccount) {
    this.defaultServiceAccount = defaultServiceAccount;
  }

  /**
   * The manifests of an application, or why it is refused; the profile is empty for an ordinary
   * application.
   */
  public RenderResult render(SparkApplication application, Optional<ProfileContext> profile) {
    SparkApplicationSpec spec = application.getSpec();
    Optional<Refusal> refusal =
        check(spec)
            .or(() -> ConfRules.check(spec, profile.isPresent()))
            .or(() -> DriverConfRules.check(spec));
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Optional<ExecutorRequest> executors =
        profile.isPresent()
            ? ExecutorSplit.pinned(spec, profile.get())
            : Optional.of(ExecutorSplit.ordinary(spec));
    if (executors.isEmpty()) {
      return new Refusal(
          "ExecutorMemoryTooSmall",
          "spec.type: a "
              + spec.type()
              + " application keeps 40 % of the heap, and what spark.executor.pyspark.memory says,"
              + " for its workers, which leaves too little heap in the executors of profile "
              + profile.get().name()
              + "; raise spec.executor.coresPerExecutor.min of the profile so that executors are"
              + " larger");
    }
    Optional<JvmRules> jvm =
        executors
            .get()
            .pinned()
            .map(executor -> new JvmRules(spec, profile.orElseThrow(), executor));
    Optional<Refusal> jvmRefusal = jvm.flatMap(JvmRules::refusal);
    if (jvmRefusal.isPresent()) {
      return jvmRefusal.get();
    }
    ApplicationIdentity identity = ApplicationIdentity.of(application);
    String serviceAccount =
        FieldPods.serviceAccount(Side.DRIVER, spec).orElse(defaultServiceAccount);
    SortedMap<String, String> conf = SparkConf.of(spec, identity, executors.get(), serviceAccount);
    ExecutorRequest request = withUserInstances(executors.get(), conf);
    List<Toleration> tolerations = profile.map(ProfileContext::tolerations).orElse(List.of());
    Pod template = ExecutorPodTemplate.of(spec, request, tolerations);
    DriverManifests driver = new DriverManifests(spec, identity, conf);
    Pod driverPod;
    try {
      driverPod = driver.pod();
    } catch (IllegalArgumentException e) {
      return new Refusal("SpecInvalid", e.getMessage());
    }
    return new Manifests(
        driver.service(),
        driver.configuration(template),
        driverPod,
        request,
        conf,
        inEffect(WorkloadConf.of(spec, executors.get()), conf),
        Stream.of(
                FieldWarnings.of(spec, conf),
                jvm.map(JvmRules::advice).orElse(List.of()),
                Advice.of(spec, executors.get(), conf))
            .flatMap(List::stream)
            .toList());
  }

  /** Without those that the user's own replaced. */
  private static List<SparkProperty> inEffect(
      List<SparkProperty> properties, SortedMap<String, String> conf) {
    return properties.stream()
        .filter(property -> property.value().equals(conf.get(property.key())))
        .toList();
  }

  /** Why an application can never be run, whatever its profile: a field that its schema refuses. */
  public static Optional<Refusal> check(SparkApplicationSpec spec) {
    return SpecRules.check(spec);
  }

  /** The port of the driver's web UI. */
  public static int uiPort(SparkApplicationSpec spec) {
    return DriverManifests.uiPort(SparkConf.orEmpty(spec.sparkConf()));
  }

  /** Whether the driver has a web UI, which is on unless the user switched it off. */
  public static boolean isUiEnabled(SparkApplicationSpec spec) {
    return !"false".equalsIgnoreCase(SparkConf.orEmpty(spec.sparkConf()).get("spark.ui.enabled"));
  }

  private static ExecutorRequest withUserInstances(
      ExecutorRequest request, SortedMap<String, String> conf) {
    int instances = Integer.parseInt(conf.get("spark.executor.instances"));
    return new ExecutorRequest(
        instances, request.taskSlots(), request.heapBytes(), request.pinned());
  }
}
