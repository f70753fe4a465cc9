package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.fixture.Samples;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a real API server stores of what others create, with the {@link InstalledWebhook}. */
@ExtendWith(ApiServer.class)
class WebhookIT {
  private static final String JOBS = "webhook-jobs";
  private static final String DRIVERS = "webhook-drivers";
  private static final String OTHERS = "webhook-others";
  private static final String SLOT = "slots.numaspark.io/webhook-it";
  private static final String CRD =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: sparkapplications.sparkoperator.k8s.io, annotations: {api-approved.kubernetes.io: unapproved}}
      spec:
        group: sparkoperator.k8s.io
        names: {kind: SparkApplication, listKind: SparkApplicationList, plural: sparkapplications, singular: sparkapplication}
        scope: Namespaced
        versions:
          - name: v1beta2
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {generateName: etl-exec-, namespace: %s, labels: {spark-role: executor}}
      spec:
        containers:
          - name: spark-kubernetes-executor
            image: spark
            resources: {requests: {cpu: '%s', memory: 2Gi}, limits: {memory: 2Gi}}
      """;

  private static final String APPLICATION =
      """
      apiVersion: sparkoperator.k8s.io/v1beta2
      kind: SparkApplication
      metadata: {name: etl, namespace: webhook-jobs}
      spec: {type: Scala, sparkVersion: 4.1.0, executor: {instances: 2, cores: 12, memory: 8g}}
      """;

  private static KubernetesClient client;
  private static InstalledWebhook webhook;

  @BeforeAll
  static void install() throws IOException {
    client = ApiServer.client();
    namespace(JOBS, Map.of("numaspark.io/inject", "webhook-it"));
    namespace(
        DRIVERS,
        Map.of("numaspark.io/inject", "webhook-it", "numaspark.io/inject-drivers", "true"));
    namespace(OTHERS, Map.of());
    client.resource(Samples.dualSocket("webhook-node")).createOr(existing -> existing.update());
    client
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName("webhook-node")
                .addToLabels("webhook", "it")
                .endMetadata()
                .build())
        .createOr(existing -> existing.update());
    client.resource(profile(3)).create();
    apply(CRD);
    client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName("sparkapplications.sparkoperator.k8s.io")
        .waitUntilCondition(
            crd ->
                crd.getStatus() != null
                    && crd.getStatus().getConditions().stream()
                        .anyMatch(c -> c.getType().equals("Established")),
            60,
            TimeUnit.SECONDS);
    webhook = new InstalledWebhook(client);
    awaitAsked();
  }

  /** API servers learn of a configuration by a watch. */
  private static void awaitAsked() {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !annotation(pod(JOBS, "6"), "numaspark.io/injection").isEmpty());
  }

  @AfterEach
  void cleanUp() {
    client.pods().inNamespace(JOBS).delete();
    client.pods().inNamespace(OTHERS).delete();
    client
        .genericKubernetesResources("sparkoperator.k8s.io/v1beta2", "SparkApplication")
        .inNamespace(JOBS)
        .delete();
  }

  @AfterAll
  static void uninstall() {
    if (webhook != null) {
      webhook.close();
    }
    client.resources(SparkNodeProfile.class).withName("webhook-it").delete();
    client.nodes().withName("webhook-node").delete();
    client.resource(Samples.dualSocket("webhook-node")).delete();
    client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName("sparkapplications.sparkoperator.k8s.io")
        .delete();
    client.close();
  }

  private static void namespace(String name, Map<String, String> labels) {
    client
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build())
        .serverSideApply();
    client
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(name)
                .withName("default")
                .endMetadata()
                .build())
        .serverSideApply();
  }

  private static SparkNodeProfile profile(int cores) {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkNodeProfile
        metadata: {name: webhook-it}
        spec:
          nodeSelector: {matchLabels: {webhook: it}}
          executor: {coresPerExecutor: {preferred: %d}}
        """
            .formatted(cores),
        SparkNodeProfile.class);
  }

  private static <T extends HasMetadata> void apply(String yaml) {
    client
        .resource(Serialization.unmarshal(yaml, GenericKubernetesResource.class))
        .serverSideApply();
  }

  private static Pod pod(String namespace, String cpu) {
    return client
        .resource(Serialization.unmarshal(POD.formatted(namespace, cpu), Pod.class))
        .create();
  }

  private static String annotation(HasMetadata object, String name) {
    Map<String, String> annotations = object.getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(name, "");
  }

  private static GenericKubernetesResource application() {
    return client
        .genericKubernetesResources("sparkoperator.k8s.io/v1beta2", "SparkApplication")
        .inNamespace(JOBS)
        .withName("etl")
        .get();
  }

  private static void patchApplication(String merge) {
    client
        .genericKubernetesResources("sparkoperator.k8s.io/v1beta2", "SparkApplication")
        .inNamespace(JOBS)
        .withName("etl")
        .patch(PatchContext.of(PatchType.JSON_MERGE), merge);
  }

  @Test
  void anExecutorIsStoredWithItsSlot() {
    Pod pod = pod(JOBS, "6");
    assertThat(pod.getSpec().getNodeSelector()).containsEntry("webhook", "it");
    assertThat(pod.getSpec().getContainers().get(0).getResources().getLimits())
        .containsEntry(SLOT, new Quantity("1"))
        .containsEntry("cpu", new Quantity("6"));
    assertThat(pod.getStatus().getQosClass()).isEqualTo("Guaranteed");
  }

  @Test
  void oneThatDoesNotFitIsStoredWithTheReason() {
    Pod pod = pod(JOBS, "5");
    assertThat(annotation(pod, "numaspark.io/not-injected")).contains("is not made of whole cores");
    assertThat(pod.getSpec().getNodeSelector()).isNullOrEmpty();
  }

  @Test
  void otherNamespacesAreNotAsked() {
    assertThat(pod(OTHERS, "6").getMetadata().getAnnotations()).isNullOrEmpty();
  }

  @Test
  void aDryRunHasTheSameAnswerAndStoresNothing() {
    Pod pod =
        client
            .resource(Serialization.unmarshal(POD.formatted(JOBS, "6"), Pod.class))
            .dryRun()
            .create();
    assertThat(pod.getSpec().getContainers().get(0).getResources().getLimits()).containsKey(SLOT);
    assertThat(client.pods().inNamespace(JOBS).list().getItems()).isEmpty();
  }

  @Test
  void anApplicationKeepsItsShapeThroughChanges() {
    apply(APPLICATION);
    GenericKubernetesResource created = application();
    assertThat(created.<Integer>get("spec", "executor", "cores")).isEqualTo(6);
    assertThat(created.<String>get("spec", "executor", "coreRequest")).isEqualTo("6");
    patchApplication("{\"spec\": {\"suspend\": true}}");
    assertThat(application().<Object>get("spec", "executor"))
        .isEqualTo(created.get("spec", "executor"));
    patchApplication(
        "{\"spec\": {\"executor\": {\"instances\": 2, \"cores\": 12, \"memory\": \"8g\"}}}");
    assertThat(application().<Object>get("spec", "executor"))
        .as("the same manifest again")
        .isEqualTo(created.get("spec", "executor"));
  }

  @Test
  void propertiesOfADriverAreSplitWhereThisIsOptedInToo() {
    String map =
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: spark-drv-1-conf-map, namespace: %s}
        immutable: true
        data:
          spark.properties: |
            spark.executor.instances=2
            spark.executor.cores=12
            spark.executor.memory=8g
        """;
    try {
      apply(map.formatted(JOBS));
      assertThat(properties(JOBS)).contains("spark.executor.cores=12");
      apply(map.formatted(DRIVERS));
      assertThat(properties(DRIVERS))
          .contains("spark.executor.cores=6")
          .contains("spark.kubernetes.executor.limit.cores=6");
    } finally {
      client.configMaps().inNamespace(JOBS).withName("spark-drv-1-conf-map").delete();
      client.configMaps().inNamespace(DRIVERS).withName("spark-drv-1-conf-map").delete();
    }
  }

  private static String properties(String namespace) {
    return client
        .configMaps()
        .inNamespace(namespace)
        .withName("spark-drv-1-conf-map")
        .get()
        .getData()
        .get("spark.properties");
  }

  @Test
  void newExecutorsFollowTheProfileWithinSeconds() {
    SparkNodeProfile smaller = profile(1);
    try {
      client.resource(smaller).update();
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(
                          pod(JOBS, "2")
                              .getSpec()
                              .getContainers()
                              .get(0)
                              .getResources()
                              .getLimits())
                      .containsEntry(SLOT, new Quantity("1")));
    } finally {
      client.resource(profile(3)).update();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> !annotation(pod(JOBS, "6"), "numaspark.io/injection").isEmpty());
    }
  }

  @Test
  void aBrokenSecretIsMadeAnewAndTheApiServerTrustsTheNewOne() {
    String before = webhook.bundle();
    client
        .secrets()
        .inNamespace(InstalledWebhook.SYSTEM)
        .withName(InstalledWebhook.NAME)
        .edit(
            secret -> {
              secret.setData(Map.of("tls.crt", "bm9uZQ=="));
              return secret;
            });
    await().atMost(Duration.ofSeconds(150)).until(() -> !webhook.bundle().equals(before));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !annotation(pod(JOBS, "6"), "numaspark.io/injection").isEmpty());
  }

  @Test
  void hugeAndOddObjectsAreStoredAllTheSame() {
    Pod large = Serialization.unmarshal(POD.formatted(JOBS, "6"), Pod.class);
    large.getMetadata().setAnnotations(Map.of("a", "x".repeat(250_000)));
    assertThatCode(() -> client.resource(large).create()).doesNotThrowAnyException();
    apply(
        """
        apiVersion: sparkoperator.k8s.io/v1beta2
        kind: SparkApplication
        metadata: {name: etl, namespace: webhook-jobs}
        spec: {type: 7, executor: {instances: many, cores: [], template: {spec: {containers: none}}}}
        """);
    assertThat(annotation(application(), "numaspark.io/not-injected")).isNotEmpty();
    assertThat(application().<String>get("spec", "executor", "instances")).isEqualTo("many");
  }
}
