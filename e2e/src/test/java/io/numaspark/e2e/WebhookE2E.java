package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
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
  private static final String NAMESPACE = "jobs-of-others";
  private static final String SLOT = "slots.numaspark.io/dual-socket";
  private static final String CONFIGURATION = "numaspark-webhook";
  private static final Duration START = Duration.ofMinutes(8);

  /** A pod that runs spark-submit, with the rights that a driver needs. */
  private static final String SUBMITTER =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %s, namespace: jobs-of-others, labels: {app: %s}}
      spec:
        serviceAccountName: spark
        restartPolicy: Never
        terminationGracePeriodSeconds: 1
        nodeSelector: {numaspark.io/lab: native}
        containers:
          - name: main
            image: numaspark/spark:4.3.0
            imagePullPolicy: Never
            env: [{name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}]
            command: [/bin/sh, -c]
            args:
              - >-
                exec /opt/spark/bin/spark-submit --master k8s://https://kubernetes.default.svc
                --conf spark.kubernetes.namespace=jobs-of-others
                --conf spark.kubernetes.authenticate.driver.serviceAccountName=spark
                --conf spark.kubernetes.container.image=numaspark/spark:4.3.0
                --conf spark.kubernetes.container.image.pullPolicy=Never
                --conf spark.kubernetes.driver.requestTimeout=60000
                --conf spark.kubernetes.driver.connectionTimeout=60000
                --conf spark.network.timeout=600s
                --conf spark.executor.heartbeatInterval=30s
                --conf spark.scheduler.minRegisteredResourcesRatio=1.0
                --conf spark.scheduler.maxRegisteredResourcesWaitingTime=1200s
                --conf spark.executor.instances=2
                --conf spark.executor.cores=4
                --conf spark.kubernetes.executor.request.cores=4
                --conf spark.executor.memory=600m
                --conf spark.executorEnv.SPARK_LAB_JAVA_OPTS=-XX:TieredStopAtLevel=1
                %s
      """;

  private static final String CLUSTER =
      "--deploy-mode cluster --name by-submit --conf spark.driver.memory=600m"
          + " --conf spark.kubernetes.driver.request.cores=100m"
          + " --conf spark.kubernetes.driver.node.selector.numaspark.io/lab=native";

  /** A client-mode driver: executors find it by the address of its pod. */
  private static final String CLIENT =
      "--deploy-mode client --conf spark.driver.host=$IP --conf spark.driver.port=7078"
          + " --conf spark.kubernetes.driver.pod.name=%s --conf spark.driver.memory=600m ";

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
    Lab.apply(
            """
            apiVersion: v1
            kind: Namespace
            metadata: {name: jobs-of-others, labels: {numaspark.io/inject: dual-socket}}
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: spark, namespace: jobs-of-others}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: spark, namespace: jobs-of-others}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
            subjects: [{kind: ServiceAccount, name: spark, namespace: jobs-of-others}]
            """)
        .orFail();
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
        START,
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
      kubectl("delete", kind, "--all", "--wait=true", "--timeout=300s").orFail();
    }
  }

  @AfterAll
  static void uninstall() {
    Lab.delete("namespace", NAMESPACE);
    Lab.delete("crd", "sparkapplications.sparkoperator.k8s.io");
    Lab.delete("crd", "sparkapplications.spark.apache.org");
    Lab.upgradeRelease().orFail();
    assertThat(Lab.get("mutatingwebhookconfiguration", CONFIGURATION).isMissingNode()).isTrue();
  }

  private static Lab.Output kubectl(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--namespace=" + NAMESPACE);
    return Lab.kubectl(all.toArray(String[]::new));
  }

  private static List<JsonNode> executors() {
    List<JsonNode> pods = new ArrayList<>();
    Lab.json(kubectl("get", "pods", "-l", "spark-role=executor", "-o", "json").orFail().out())
        .path("items")
        .forEach(pods::add);
    return pods;
  }

  private static void submit(String name, String arguments) {
    Lab.apply(SUBMITTER.formatted(name, name, arguments)).orFail();
  }

  /** Waits until all executors run, each on CPUs of its own, and says which. */
  private static List<CpuSet> awaitPinned(int number) {
    await()
        .atMost(START)
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(
            () ->
                assertThat(executors())
                    .hasSize(number)
                    .allMatch(pod -> pod.at("/status/phase").asText().equals("Running")));
    List<CpuSet> sets = new ArrayList<>();
    for (JsonNode pod : executors()) {
      JsonNode topology =
          Lab.awaitObject(
              "sparknodetopologies.numaspark.io",
              NodeTools.NODE,
              START,
              node -> !entry(node, pod).path("kernelCpus").isMissingNode());
      JsonNode entry = entry(topology, pod);
      assertThat(entry.path("kernelCpus").asText()).isEqualTo(entry.path("cpus").asText());
      CpuSet cpus = CpuSet.parse(entry.path("kernelCpus").asText());
      assertThat(cpus.size()).isEqualTo(4);
      assertThat(NodeTools.numactl().values())
          .as("%s are of one NUMA node", cpus)
          .anyMatch(numa -> new HashSet<>(numa.cpus()).containsAll(cpus.stream().boxed().toList()));
      sets.add(cpus);
    }
    return sets;
  }

  private static JsonNode entry(JsonNode topology, JsonNode pod) {
    for (JsonNode entry : topology.at("/status/exclusive")) {
      if (entry.path("podUid").equals(pod.at("/metadata/uid"))) {
        return entry;
      }
    }
    return Lab.json("");
  }

  private static void assertInjected(JsonNode pod) {
    assertThat(pod.at("/metadata/annotations/numaspark.io~1injection").asText())
        .isEqualTo("the executor keeps its size and has 1 slot of profile dual-socket");
    JsonNode resources = pod.at("/spec/containers/0/resources");
    assertThat(resources.path("limits").path("cpu").asText()).isEqualTo("4");
    assertThat(resources.path("limits").path(SLOT).asText()).isEqualTo("1");
    assertThat(pod.at("/spec/nodeSelector/node.example.com~1pool").asText())
        .isEqualTo("spark-metal");
  }

  @Test
  void executorsOfSparkSubmitArePinned() {
    submit(
        "submit",
        CLUSTER
            + " --class io.numaspark.examples.PinnedPi"
            + " local:///opt/spark/examples/jars/numaspark-examples.jar 4 60");
    List<CpuSet> sets = awaitPinned(2);
    assertThat(sets.get(0).intersects(sets.get(1))).isFalse();
    executors().forEach(WebhookE2E::assertInjected);
    String pod = executors().get(0).at("/metadata/name").asText();
    await("the node's agent to look at it")
        .atMost(START)
        .untilAsserted(
            () ->
                assertThat(kubectl("numaspark", "why", pod).orFail().out()).contains(" is pinned"));
    awaitDriver();
  }

  private static void awaitDriver() {
    await()
        .atMost(START)
        .untilAsserted(
            () ->
                assertThat(
                        kubectl(
                                "get",
                                "pods",
                                "-l",
                                "spark-role=driver",
                                "-o",
                                "jsonpath={.items[*].status.phase}")
                            .orFail()
                            .out())
                    .isEqualTo("Succeeded"));
  }

  @Test
  void oneLargeExecutorOfSparkSubmitBecomesTwoSmallOnes() {
    Lab.kubectl("label", "namespace", NAMESPACE, "numaspark.io/inject-drivers=true").orFail();
    try {
      submit(
          "submit",
          CLUSTER
              + " --conf spark.executor.instances=1 --conf spark.executor.cores=8"
              + " --conf spark.executor.memory=1g"
              + " --class io.numaspark.examples.PinnedPi"
              + " local:///opt/spark/examples/jars/numaspark-examples.jar 4 60");
      List<CpuSet> sets = awaitPinned(2);
      assertThat(sets.get(0).intersects(sets.get(1))).isFalse();
      awaitDriver();
    } finally {
      Lab.kubectl("label", "namespace", NAMESPACE, "numaspark.io/inject-drivers-").orFail();
    }
  }

  @Test
  void executorsOfADriverLikeANotebooksArePinned() {
    submit(
        "notebook",
        CLIENT.formatted("notebook")
            + "--class io.numaspark.examples.PinnedPi"
            + " local:///opt/spark/examples/jars/numaspark-examples.jar 4 60");
    awaitPinned(2);
    executors().forEach(WebhookE2E::assertInjected);
    awaitPhase("notebook", "Succeeded");
  }

  @Test
  void executorsOfAConnectServerArePinned() {
    submit(
        "connect",
        CLIENT.formatted("connect")
            + "--class org.apache.spark.sql.connect.service.SparkConnectServer spark-internal");
    awaitPinned(2);
    executors().forEach(WebhookE2E::assertInjected);
  }

  private static void awaitPhase(String pod, String phase) {
    Lab.awaitObject(
        "pod", NAMESPACE, pod, START, found -> found.at("/status/phase").asText().equals(phase));
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
    List<CpuSet> sets = awaitPinned(2);
    assertThat(sets.get(0).intersects(sets.get(1))).isFalse();

    Lab.apply(KUBEFLOW.formatted(1)).orFail();
    assertThat(application().at("/metadata/generation"))
        .as("kubeflow's operator would start a changed one again")
        .isEqualTo(application.at("/metadata/generation"));
    kubectl(
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
        kubectl("get", "sparkapplications.sparkoperator.k8s.io", "etl", "-o", "json")
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
            SLOT,
            executor.path("coreLimit").asText(),
            memory,
            SLOT);
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
    awaitPhase("plain", "Running");
    assertThat(kubectl("numaspark", "why", "plain").orFail().out())
        .contains("spark.kubernetes.executor.request.cores");
    assertThat(awaitEvent("plain", "NotInjected"))
        .contains("spark.kubernetes.executor.request.cores: is 1.5");
  }

  /** The operator's word about a pod that it did not create; the message. */
  private static String awaitEvent(String pod, String reason) {
    return await("event " + reason + " of pod " + pod)
        .atMost(START)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () ->
                kubectl(
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
    awaitPhase("alone", "Running");
    assertThat(
            Lab.json(kubectl("get", "pod", "alone", "-o", "json").orFail().out())
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
        .atMost(START)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> !bundles().equals(before));
    await()
        .atMost(START)
        .untilAsserted(
            () -> {
              kubectl("delete", "pod", "plain", "--ignore-not-found").orFail();
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
