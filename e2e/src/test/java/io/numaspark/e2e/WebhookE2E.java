package io.numaspark.e2e;

import static io.numaspark.e2e.SubmitNamespace.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Executors that numaspark does not create: those of plain spark-submit, of a driver in a pod like
 * a notebook's, of a Connect server, and of applications of other operators.
 *
 * <p>Limit: of the other operators there are neither CRDs nor controllers here. Their kinds are
 * stand-ins that take any field, and the test creates the pods that they would create.
 */
@Order(30)
@Tag("webhook")
class WebhookE2E {
  private static final SubmitNamespace JOBS = new SubmitNamespace("jobs-of-others");
  private static final String CONFIGURATION = "numaspark-webhook";

  /** Executors that fit the profile's slots as they are. */
  private static final String EXECUTORS =
      " --conf spark.executor.instances=2 --conf spark.executor.cores=4"
          + " --conf spark.kubernetes.executor.request.cores=4 --conf spark.executor.memory=600m ";

  private static final String KINDS =
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
      ---
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: sparkapplications.spark.apache.org}
      spec:
        group: spark.apache.org
        names: {kind: SparkApplication, listKind: SparkApplicationList, plural: sparkapplications, singular: sparkapplication}
        scope: Namespaced
        versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  private static final String KUBEFLOW =
      """
      apiVersion: sparkoperator.k8s.io/v1beta2
      kind: SparkApplication
      metadata: {name: etl, namespace: jobs-of-others}
      spec:
        type: Scala
        sparkVersion: 4.3.0
        mainClass: a.Main
        mainApplicationFile: local:///a.jar
        executor: {instances: %d, cores: 8, memory: 1g}
      """;

  @BeforeAll
  static void install() {
    Applications.applyProfile();
    Lab.upgradeRelease("--set=webhook.enabled=true", "--set=webhook.replicas=1").orFail();
    rolledOut();
    JOBS.create("numaspark.io/inject: dual-socket");
    Lab.apply(KINDS).orFail();
    Lab.kubectl(
            "wait",
            "--for=condition=Established",
            "crd/sparkapplications.spark.apache.org",
            "crd/sparkapplications.sparkoperator.k8s.io")
        .orFail();
    awaitBundle();
  }

  private static void rolledOut() {
    Lab.kubectl(
            "--namespace=numaspark-system",
            "rollout",
            "status",
            "deployment/numaspark-webhook",
            "--timeout=300s")
        .orFail();
  }

  private static void awaitBundle() {
    Lab.awaitObject(
        "mutatingwebhookconfiguration",
        CONFIGURATION,
        SubmitNamespace.START,
        configuration ->
            !configuration.at("/webhooks/0/clientConfig/caBundle").asText().isEmpty()
                && !configuration.at("/webhooks/1/clientConfig/caBundle").asText().isEmpty());
  }

  @AfterEach
  void cleanUp() {
    for (String kind :
        List.of(
            "sparkapplications.sparkoperator.k8s.io",
            "sparkapplications.spark.apache.org",
            "pods")) {
      JOBS.kubectl("delete", kind, "--all", "--wait=true", "--timeout=300s").orFail();
    }
  }

  @AfterAll
  static void uninstall() {
    Lab.delete("namespace", JOBS.name());
    Lab.delete("crd", "sparkapplications.sparkoperator.k8s.io");
    Lab.delete("crd", "sparkapplications.spark.apache.org");
    Lab.upgradeRelease().orFail();
    assertThat(Lab.get("mutatingwebhookconfiguration", CONFIGURATION).isMissingNode()).isTrue();
  }

  private static void assertInjected(JsonNode pod) {
    assertThat(pod.at("/metadata/annotations/numaspark.io~1injection").asText())
        .isEqualTo("the executor keeps its size and has 1 slot of profile dual-socket");
    SubmitNamespace.assertHasSlot(pod);
  }

  @Test
  void executorsOfSparkSubmitArePinned() {
    JOBS.submit(
        "submit",
        CLUSTER
            + EXECUTORS
            + " --class io.numaspark.examples.PinnedPi"
            + " local:///opt/spark/examples/jars/numaspark-examples.jar 4 60");
    List<CpuSet> sets = JOBS.awaitPinned(2);
    assertThat(sets.get(0).intersects(sets.get(1))).isFalse();
    JOBS.executors().forEach(WebhookE2E::assertInjected);
    String pod = JOBS.executors().get(0).at("/metadata/name").asText();
    await("the node's agent to look at it")
        .atMost(SubmitNamespace.START)
        .untilAsserted(
            () ->
                assertThat(JOBS.kubectl("numaspark", "why", pod).orFail().out())
                    .contains(" is pinned"));
    JOBS.awaitDriver();
  }

  @Test
  void oneLargeExecutorOfSparkSubmitBecomesTwoSmallOnes() {
    Lab.kubectl("label", "namespace", JOBS.name(), "numaspark.io/inject-drivers=true").orFail();
    try {
      JOBS.submit(
          "submit",
          CLUSTER
              + EXECUTORS
              + " --conf spark.executor.instances=1 --conf spark.executor.cores=8"
              + " --conf spark.executor.memory=1g"
              + " --class io.numaspark.examples.PinnedPi"
              + " local:///opt/spark/examples/jars/numaspark-examples.jar 4 60");
      List<CpuSet> sets = JOBS.awaitPinned(2);
      assertThat(sets.get(0).intersects(sets.get(1))).isFalse();
      JOBS.awaitDriver();
    } finally {
      Lab.kubectl("label", "namespace", JOBS.name(), "numaspark.io/inject-drivers-").orFail();
    }
  }

  @Test
  void executorsOfADriverLikeANotebooksArePinned() {
    JOBS.submit(
        "notebook",
        SubmitNamespace.client("notebook")
            + EXECUTORS
            + "--class io.numaspark.examples.PinnedPi"
            + " local:///opt/spark/examples/jars/numaspark-examples.jar 4 60");
    JOBS.awaitPinned(2);
    JOBS.executors().forEach(WebhookE2E::assertInjected);
    JOBS.awaitPhase("notebook", "Succeeded");
  }

  @Test
  void executorsOfAConnectServerArePinned() {
    JOBS.submit(
        "connect",
        SubmitNamespace.client("connect")
            + EXECUTORS
            + "--class org.apache.spark.sql.connect.service.SparkConnectServer spark-internal");
    JOBS.awaitPinned(2);
    JOBS.executors().forEach(WebhookE2E::assertInjected);
  }

  @Test
  void applicationsOfKubeflowAreSplitAndTheirExecutorsPinned() {
    Lab.Output applied = Lab.apply(KUBEFLOW.formatted(1)).orFail();
    assertThat(applied.err()).doesNotContain("Warning");
    JsonNode application = application();
    assertThat(application.at("/spec/executor/cores").asInt()).isEqualTo(4);
    assertThat(application.at("/spec/executor/instances").asInt()).isEqualTo(2);
    for (int id = 1; id <= 2; id++) {
      Lab.apply(standIn(application.at("/spec/executor"), id)).orFail();
    }
    List<CpuSet> sets = JOBS.awaitPinned(2);
    assertThat(sets.get(0).intersects(sets.get(1))).isFalse();

    Lab.apply(KUBEFLOW.formatted(1)).orFail();
    assertThat(application().at("/metadata/generation"))
        .as("kubeflow's operator would start a changed one again")
        .isEqualTo(application.at("/metadata/generation"));
    JOBS.kubectl(
            "patch",
            "sparkapplications.sparkoperator.k8s.io",
            "etl",
            "--type=merge",
            "-p",
            "{\"spec\": {\"executor\": {\"instances\": 1, \"cores\": 8, \"memory\": \"1g\"}}}")
        .orFail();
    assertThat(application().path("spec"))
        .as("the same manifest, written over the injected values")
        .isEqualTo(application.path("spec"));
    Lab.apply(KUBEFLOW.formatted(2)).orFail();
    assertThat(application().at("/spec/executor/instances").asInt()).isEqualTo(4);
  }

  private static JsonNode application() {
    return Lab.json(
        JOBS.kubectl("get", "sparkapplications.sparkoperator.k8s.io", "etl", "-o", "json")
            .orFail()
            .out());
  }

  /** The pod that Spark's driver makes of an application's executor (BasicExecutorFeatureStep). */
  private static String standIn(JsonNode executor, int id) {
    JsonNode template = executor.at("/template/spec");
    String memory =
        (mebibytes(executor.path("memory").asText())
                + mebibytes(executor.path("memoryOverhead").asText()))
            + "Mi";
    return """
        apiVersion: v1
        kind: Pod
        metadata:
          name: etl-exec-%d
          namespace: jobs-of-others
          labels: {spark-role: executor, spark-exec-id: "%d", spark-app-selector: spark-1}
        spec:
          terminationGracePeriodSeconds: 1
          nodeSelector: %s
          tolerations: %s
          containers:
            - name: spark-kubernetes-executor
              image: docker.io/numaspark/pause:lab
              imagePullPolicy: Never
              resources:
                requests: {cpu: "%s", memory: %s, %s: "1"}
                limits: {cpu: "%s", memory: %s, %s: "1"}
        """
        .formatted(
            id,
            id,
            template.path("nodeSelector"),
            template.path("tolerations"),
            executor.path("coreRequest").asText(),
            memory,
            SubmitNamespace.SLOT,
            executor.path("coreLimit").asText(),
            memory,
            SubmitNamespace.SLOT);
  }

  private static int mebibytes(String size) {
    return Integer.parseInt(size.replace("m", ""));
  }

  @Test
  void whatCannotBePinnedRunsAsItIsAndSaysWhy() {
    Lab.Output applied =
        Lab.apply(
                """
                apiVersion: spark.apache.org/v1
                kind: SparkApplication
                metadata: {name: pi, namespace: jobs-of-others}
                spec:
                  mainClass: a.Main
                  sparkConf: {spark.kubernetes.executor.podTemplateFile: /t.yaml}
                """)
            .orFail();
    assertThat(applied.err())
        .contains("Warning: numaspark: executors are not pinned: spec.sparkConf");
    Lab.Output pod = Lab.apply(plainExecutor("plain", "1500m")).orFail();
    assertThat(pod.err()).contains("spark.kubernetes.executor.request.cores: is 1.5");
    JOBS.awaitPhase("plain", "Running");
    assertThat(JOBS.kubectl("numaspark", "why", "plain").orFail().out())
        .contains("spark.kubernetes.executor.request.cores");
    assertThat(awaitEvent("plain", "NotInjected"))
        .contains("spark.kubernetes.executor.request.cores: is 1.5");
  }

  /** The operator's word about a pod that it did not create; the message. */
  private static String awaitEvent(String pod, String reason) {
    return await("event " + reason + " of pod " + pod)
        .atMost(SubmitNamespace.START)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () ->
                JOBS.kubectl(
                        "get",
                        "events",
                        "--field-selector=involvedObject.name=" + pod + ",reason=" + reason,
                        "--output=jsonpath={.items[*].message}")
                    .orFail()
                    .out(),
            message -> !message.isBlank());
  }

  private static String plainExecutor(String name, String cpu) {
    return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: jobs-of-others, labels: {spark-role: executor}}
        spec:
          terminationGracePeriodSeconds: 1
          nodeSelector: {numaspark.io/lab: native}
          containers:
            - name: spark-kubernetes-executor
              image: docker.io/numaspark/pause:lab
              imagePullPolicy: Never
              resources: {requests: {cpu: %s, memory: 64Mi}, limits: {memory: 64Mi}}
        """
        .formatted(name, cpu);
  }

  @Test
  void nothingBreaksWhileTheWebhookIsDown() {
    scale("0");
    long start = System.nanoTime();
    Lab.apply(plainExecutor("alone", "100m")).orFail();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    JOBS.awaitPhase("alone", "Running");
    assertThat(
            Lab.json(JOBS.kubectl("get", "pod", "alone", "-o", "json").orFail().out())
                .at("/metadata/annotations")
                .has("numaspark.io/not-injected"))
        .isFalse();
    assertThat(awaitEvent("alone", "NotReviewed")).isNotBlank();
    Lab.apply(KUBEFLOW.formatted(1)).orFail();
    assertThat(application().at("/spec/executor/cores").asInt()).isEqualTo(8);
    scale("1");
  }

  private static void scale(String replicas) {
    Lab.kubectl(
            "--namespace=numaspark-system",
            "scale",
            "deployment/numaspark-webhook",
            "--replicas=" + replicas)
        .orFail();
    rolledOut();
    if (replicas.equals("0")) {
      Lab.kubectl(
              "--namespace=numaspark-system",
              "wait",
              "--for=delete",
              "pod",
              "-l",
              "app.kubernetes.io/name=numaspark-webhook",
              "--timeout=120s")
          .orFail();
    }
  }

  @Test
  void aCertificateThatSomebodyBreaksIsMadeAnew() {
    Set<String> before = bundles();
    Lab.kubectl(
            "--namespace=numaspark-system",
            "patch",
            "secret",
            "numaspark-webhook",
            "--type=merge",
            "-p",
            "{\"data\": {\"tls.crt\": \"bm9uZQ==\", \"ca.crt\": \"\", \"ca.key\": null}}")
        .orFail();
    await()
        .atMost(SubmitNamespace.START)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> !bundles().equals(before));
    await()
        .atMost(SubmitNamespace.START)
        .untilAsserted(
            () -> {
              JOBS.kubectl("delete", "pod", "plain", "--ignore-not-found").orFail();
              assertThat(Lab.apply(plainExecutor("plain", "1500m")).orFail().err())
                  .contains("Warning");
            });
  }

  private static Set<String> bundles() {
    JsonNode configuration = Lab.get("mutatingwebhookconfiguration", CONFIGURATION);
    return Set.of(
        configuration.at("/webhooks/0/clientConfig/caBundle").asText(),
        configuration.at("/webhooks/1/clientConfig/caBundle").asText() + " of applications");
  }
}
