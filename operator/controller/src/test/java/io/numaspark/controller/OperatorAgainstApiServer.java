package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.Operator;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.controller.config.OperatorConfig;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.fixture.Scrape;
import io.numaspark.controller.metrics.NodePages;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.wiring.OperatorAssembly;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The operator, wired as it is in its image, against a real API server, and the vocabulary of the
 * tests that run it.
 *
 * <p>Nodes are plain objects, and the tests play kubelet: they patch the status of pods.
 */
@ExtendWith(ApiServer.class)
abstract class OperatorAgainstApiServer {
  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  private final List<HasMetadata> clusterScoped = new ArrayList<>();
  NodePages pages;
  private PrometheusRegistry registry;
  KubernetesClient client;
  private final List<Operator> operators = new ArrayList<>();
  String namespace;

  @BeforeEach
  void prepare() {
    client = ApiServer.client();
    namespace = "it-" + NAMESPACES.incrementAndGet();
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
    // The controller manager's part.
    createServiceAccount("default");
    createServiceAccount("spark");
  }

  @AfterEach
  void cleanUp() {
    stop();
    client.resources(SparkApplication.class).inNamespace(namespace).delete();
    clusterScoped.forEach(resource -> client.resource(resource).delete());
    client.close();
  }

  void executor(String application, String id) {
    String appId = status(application).sparkApplicationId();
    client
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(application + "-exec-" + id)
                .withNamespace(namespace)
                .addToLabels("numaspark.io/application", application)
                .addToLabels("app.kubernetes.io/managed-by", "numaspark")
                .addToLabels("spark-role", "executor")
                .addToLabels("spark-exec-id", id)
                .addToLabels("spark-app-selector", appId)
                .endMetadata()
                .withNewSpec()
                .withNodeName("numa")
                .withTerminationGracePeriodSeconds(0L)
                .addNewContainer()
                .withName("c")
                .withImage("i")
                .endContainer()
                .endSpec()
                .build())
        .create();
    client
        .pods()
        .inNamespace(namespace)
        .withName(application + "-exec-" + id)
        .editStatus(
            pod -> {
              pod.getStatus().setPhase("Running");
              return pod;
            });
  }

  void start() {
    start(Map.of());
  }

  /** Starts with further settings. */
  void start(Map<String, String> settings) {
    start(settings, Clock.systemUTC());
  }

  /** Starts with a clock that may be wrong. */
  void start(Map<String, String> settings, Clock clock) {
    pages = start(settings, namespace, clock).pages();
  }

  /** Starts another operator, as of a second release, for applications of another namespace. */
  void startBeside(String otherNamespace) {
    start(Map.of(), otherNamespace, Clock.systemUTC());
  }

  private OperatorAssembly start(Map<String, String> settings, String ofApplications, Clock clock) {
    Map<String, String> environment = new HashMap<>(settings);
    environment.put("NUMASPARK_NAMESPACES", ofApplications);
    OperatorConfig config = OperatorConfig.fromEnvironment(environment);
    registry = new PrometheusRegistry();
    OperatorAssembly assembly =
        new OperatorAssembly(
            config, ApiServer.client(), registry, new OperatorMetrics(registry, "test"), clock);
    operators.add(assembly.operator());
    assembly.operator().start();
    return assembly;
  }

  /** What Prometheus would read of the operator that was started last. */
  String metrics() {
    return Scrape.of(registry);
  }

  void stop() {
    operators.forEach(Operator::stop);
    operators.clear();
  }

  SparkApplication application(String name, String furtherSpec) {
    SparkApplication application = Samples.application(name, furtherSpec);
    application.getMetadata().setNamespace(namespace);
    application.getMetadata().setUid(null);
    application.getMetadata().setGeneration(null);
    return application;
  }

  <T extends HasMetadata> T create(T resource) {
    if (resource.getMetadata().getNamespace() == null) {
      clusterScoped.add(resource);
    }
    return client.resource(resource).create();
  }

  void createServiceAccount(String name) {
    client
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .build())
        .create();
  }

  void node(String name, String pool) {
    create(
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels("pool", pool)
            .endMetadata()
            .build());
    // Only these fields: the operator labels the node at the same time.
    client
        .nodes()
        .withName(name)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\": {\"capacity\": {\"cpu\": \"16\"}, \"allocatable\": {\"cpu\": \"14\"}}}");
  }

  void label(String node, String pool) {
    client
        .nodes()
        .withName(node)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\": {\"labels\": {\"pool\": \"%s\"}}}".formatted(pool));
  }

  void patchDriver(String application, Consumer<Pod> change) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(application + "-driver")
        .editStatus(
            pod -> {
              change.accept(pod);
              return pod;
            });
  }

  void delete(String application) {
    var resource =
        client.resources(SparkApplication.class).inNamespace(namespace).withName(application);
    resource.delete();
    await().atMost(Duration.ofSeconds(10)).until(() -> resource.get() == null);
  }

  SparkNodeProfileStatus profileStatus(String name) {
    return Optional.ofNullable(
            client.resources(SparkNodeProfile.class).withName(name).get().getStatus())
        .orElseThrow(() -> new AssertionError("profile " + name + " has no status"));
  }

  SparkApplicationStatus status(String name) {
    return Optional.ofNullable(
            client
                .resources(SparkApplication.class)
                .inNamespace(namespace)
                .withName(name)
                .get()
                .getStatus())
        .orElseThrow(() -> new AssertionError("application " + name + " has no status"));
  }

  State state(String name) {
    return status(name).applicationState().state();
  }

  void assertState(String application, State state, String reason) {
    assertThat(state(application)).isEqualTo(state);
    assertThat(condition(status(application).conditions(), "Ready").getReason()).isEqualTo(reason);
  }

  void assertWaits(String application, String reason) {
    assertState(application, State.SUBMITTED, reason);
    assertThat(status(application).applicationState().waitingSince()).isNotNull();
  }

  static Condition assertReady(List<Condition> conditions, String status, String reason) {
    Condition ready = condition(conditions, "Ready");
    assertThat(ready.getReason()).as(ready.getMessage()).isEqualTo(reason);
    assertThat(ready.getStatus()).isEqualTo(status);
    return ready;
  }

  static Condition condition(List<Condition> conditions, String type) {
    return conditions.stream()
        .filter(condition -> condition.getType().equals(type))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no condition " + type));
  }

  String slots(String node, String profile) {
    Node found = client.nodes().withName(node).get();
    String resource = "slots.numaspark.io/" + profile;
    Quantity capacity = found.getStatus().getCapacity().get(resource);
    assertThat(found.getStatus().getAllocatable().get(resource)).isEqualTo(capacity);
    return capacity == null ? null : capacity.getAmount();
  }

  List<String> resourceVersions(String application, String profile, String node) {
    return List.of(
        client
            .resources(SparkApplication.class)
            .inNamespace(namespace)
            .withName(application)
            .get()
            .getMetadata()
            .getResourceVersion(),
        client
            .resources(SparkNodeProfile.class)
            .withName(profile)
            .get()
            .getMetadata()
            .getResourceVersion(),
        client.nodes().withName(node).get().getMetadata().getResourceVersion());
  }

  static void eventually(ThrowingRunnable assertion) {
    eventually(Duration.ofSeconds(60), assertion);
  }

  static void eventually(Duration limit, ThrowingRunnable assertion) {
    await()
        // An operator that stops may lose a race against its own timers: Java Operator SDK's
        // TimerEventSource cancels a task between its creation and Timer.schedule, in a thread
        // that ends anyway.
        .dontCatchUncaughtExceptions()
        .atMost(limit)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(assertion);
  }

  static void stays(ThrowingRunnable assertion) {
    await()
        .during(Duration.ofSeconds(2))
        .atMost(Duration.ofSeconds(5))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(assertion);
  }
}
