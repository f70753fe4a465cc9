package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.SparkProperty;
import io.numaspark.render.Labels;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.SizedExecutors.Sized;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/** Puts together what an attempt is made of, after every check has passed. */
final class AttemptRendering {
  private final SparkApplicationSpec spec;
  private final ApplicationIdentity identity;
  private final Optional<ProfileContext> profile;
  private final Sized sized;
  private final Optional<MetricsExposure> metrics;
  private final PluginPolicy policy;
  private final Optional<SparkPluginUse> plugin;

  AttemptRendering(
      SparkApplicationSpec spec,
      ApplicationIdentity identity,
      Optional<ProfileContext> profile,
      Sized sized,
      PluginPolicy policy) {
    this.spec = spec;
    this.identity = identity;
    this.profile = profile;
    this.sized = sized;
    this.metrics = MetricsExposure.of(spec, identity);
    this.policy = policy;
    this.plugin = SparkPluginUse.of(spec, policy);
  }

  /**
   * The manifests.
   *
   * @throws IllegalArgumentException naming the field or property that no pod can be made from
   */
  Manifests manifests(
      String serviceAccount, DriverEndpoints endpoints, Optional<JvmRules> jvm, UiPolicy ui) {
    SortedMap<String, String> conf = conf(serviceAccount, endpoints);
    Optional<ShuffleStorage> shuffle = shuffle(conf);
    shuffle.ifPresent(storage -> storage.addTo(conf));
    ExecutorRequest request = withUserInstances(sized.executors(), conf);
    List<Toleration> tolerations = profile.map(ProfileContext::tolerations).orElse(List.of());
    Pod template =
        PodAdditions.applyAll(
            ExecutorPodTemplate.of(spec, request, tolerations),
            Labels.EXECUTOR_CONTAINER,
            Stream.of(
                    metrics.map(MetricsExposure::executor),
                    plugin.map(SparkPluginUse::executor),
                    shuffle.map(storage -> storage.executor(identity.names().sparkAppId())),
                    Optional.of(ExecutorPlacement.of(spec, identity)))
                .flatMap(Optional::stream));
    DriverManifests driver = new DriverManifests(spec, identity, conf);
    Pod driverPod =
        PodAdditions.applyAll(
            driver.pod(), Labels.DRIVER_CONTAINER, metrics.stream().map(MetricsExposure::driver));
    driverPod = withPlugin(driverPod, conf);
    BatchScheduling batch =
        BatchScheduling.of(
            spec,
            identity,
            new BatchScheduling.Pods(driverPod, template, request.instances(), conf));
    return new Manifests(
        driver.service(),
        driver.configuration(batch.executor().applyTo(template, Labels.EXECUTOR_CONTAINER)),
        others(endpoints, batch),
        batch.driver().applyTo(driverPod, Labels.DRIVER_CONTAINER),
        request,
        conf,
        endpoints.webUi(),
        inEffect(WorkloadConf.of(spec, sized.executors()), conf),
        warnings(jvm, ui, conf));
  }

  /** The user's own win over all of them, but for the exporter's agent, which is appended. */
  private SortedMap<String, String> conf(String serviceAccount, DriverEndpoints endpoints) {
    ExecutorRequest executors = sized.executors();
    SortedMap<String, String> conf = SparkConf.of(spec, identity, executors, serviceAccount);
    sized.dynamic().ifPresent(dynamic -> dynamic.conf(spec).forEach(conf::putIfAbsent));
    if (executors.pinned().isPresent()) {
      RetryLimits.of(
              executors.mostInstances().orElse(executors.instances()),
              executors.range().isPresent(),
              spec.sparkVersion())
          .forEach(limit -> conf.putIfAbsent(limit.key(), limit.value()));
    }
    endpoints.conf().forEach(conf::putIfAbsent);
    metrics.ifPresent(
        exposure -> {
          exposure.conf().forEach(conf::putIfAbsent);
          exposure.addAgent(conf);
        });
    plugin.ifPresent(use -> use.addTo(conf, spec));
    return conf;
  }

  /** After everything else, which the pod may have annotations from. */
  private Pod withPlugin(Pod driver, SortedMap<String, String> conf) {
    return plugin
        .map(
            use ->
                use.driver(
                        spec, driver.getMetadata().getAnnotations(), DriverManifests.uiPort(conf))
                    .applyTo(driver, Labels.DRIVER_CONTAINER))
        .orElse(driver);
  }

  /** Where shuffle data is kept in memory; empty if it is on disk. */
  private Optional<ShuffleStorage> shuffle(SortedMap<String, String> conf) {
    if (!ShuffleStorage.inMemory(spec)) {
      return Optional.empty();
    }
    long bytes =
        sized
            .executors()
            .pinned()
            .map(pinned -> pinned.memory().shuffleBytes())
            .orElseGet(
                () -> ShuffleStorage.bytesBeside(SparkMemory.executor(conf).heapBytes(), spec));
    return Optional.of(
        new ShuffleStorage(
            ShuffleStorage.of(spec),
            bytes,
            SharedPages.of(spec, identity.namespace(), policy),
            policy.sharedPages().claim()));
  }

  private List<HasMetadata> others(DriverEndpoints endpoints, BatchScheduling batch) {
    List<HasMetadata> others = new ArrayList<>();
    metrics.flatMap(MetricsExposure::configuration).ifPresent(others::add);
    others.addAll(endpoints.objects());
    DriverProtection.of(spec, identity).ifPresent(others::add);
    others.addAll(batch.objects());
    return List.copyOf(others);
  }

  private List<String> warnings(
      Optional<JvmRules> jvm, UiPolicy ui, SortedMap<String, String> conf) {
    List<String> warnings = new ArrayList<>(FieldWarnings.of(spec, ui));
    warnings.addAll(PodFieldWarnings.of(spec, conf));
    warnings.addAll(sized.warnings());
    sized.dynamic().ifPresent(dynamic -> warnings.addAll(dynamic.warnings()));
    jvm.ifPresent(rules -> warnings.addAll(rules.advice()));
    warnings.addAll(Advice.of(spec, sized.executors(), conf));
    return List.copyOf(warnings);
  }

  /** Without those that the user's own replaced. */
  private static List<SparkProperty> inEffect(
      List<SparkProperty> properties, SortedMap<String, String> conf) {
    return properties.stream()
        .filter(property -> property.value().equals(conf.get(property.key())))
        .toList();
  }

  /** A fixed number in the user's Spark properties is taken as it is. */
  private static ExecutorRequest withUserInstances(
      ExecutorRequest request, SortedMap<String, String> conf) {
    return request.range().isPresent()
        ? request
        : new ExecutorRequest(
            Integer.parseInt(conf.get("spark.executor.instances")),
            request.taskSlots(),
            request.heapBytes(),
            request.pinned());
  }
}
