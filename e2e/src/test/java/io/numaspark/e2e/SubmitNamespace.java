package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * A namespace in which people run spark-submit in pods, without an operator.
 *
 * <p>What the ConfigMap {@value #FILES} holds, if there is one, is in {@value #FOLDER} of a pod.
 */
record SubmitNamespace(String name) {
  static final String SLOT = "slots.numaspark.io/dual-socket";
  static final String FILES = "pinned";
  static final String FOLDER = "/etc/pinned";
  static final Duration START = Duration.ofMinutes(8);

  /** A driver in a pod of its own, which spark-submit creates. */
  static final String CLUSTER =
      "--deploy-mode cluster --name by-submit --conf spark.driver.memory=600m"
          + " --conf spark.kubernetes.driver.request.cores=100m"
          + " --conf spark.kubernetes.driver.node.selector.numaspark.io/lab=native";

  static final String PI =
      " --class io.numaspark.examples.PinnedPi"
          + " local:///opt/spark/examples/jars/numaspark-examples.jar 4 60";

  private static final String RIGHTS =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: %1$s, labels: {%2$s}}
      ---
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: spark, namespace: %1$s}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: spark, namespace: %1$s}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
      subjects: [{kind: ServiceAccount, name: spark, namespace: %1$s}]
      """;

  /** A pod that runs spark-submit, with the rights that a driver needs. */
  private static final String SUBMITTER =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %1$s, namespace: %2$s, labels: {app: %1$s}}
      spec:
        serviceAccountName: spark
        restartPolicy: Never
        terminationGracePeriodSeconds: 1
        nodeSelector: {numaspark.io/lab: native}
        volumes: [{name: files, configMap: {name: %4$s, optional: true}}]
        containers:
          - name: main
            image: numaspark/spark:4.3.0
            imagePullPolicy: Never
            env: [{name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}]
            volumeMounts: [{name: files, mountPath: %5$s}]
            command: [/bin/sh, -c]
            args:
              - >-
                exec /opt/spark/bin/spark-submit --master k8s://https://kubernetes.default.svc
                --conf spark.kubernetes.namespace=%2$s
                --conf spark.kubernetes.authenticate.driver.serviceAccountName=spark
                --conf spark.kubernetes.container.image=numaspark/spark:4.3.0
                --conf spark.kubernetes.container.image.pullPolicy=Never
                --conf spark.kubernetes.driver.requestTimeout=60000
                --conf spark.kubernetes.driver.connectionTimeout=60000
                --conf spark.network.timeout=600s
                --conf spark.executor.heartbeatInterval=30s
                --conf spark.scheduler.minRegisteredResourcesRatio=1.0
                --conf spark.scheduler.maxRegisteredResourcesWaitingTime=1200s
                --conf spark.executorEnv.SPARK_LAB_JAVA_OPTS=-XX:TieredStopAtLevel=1
                %3$s
      """;

  /** A driver in the pod of spark-submit: executors find it by the address of this pod. */
  static String client(String pod) {
    return "--deploy-mode client --conf spark.driver.host=$IP --conf spark.driver.port=7078"
        + " --conf spark.kubernetes.driver.pod.name=%s --conf spark.driver.memory=600m"
            .formatted(pod);
  }

  /**
   * Creates it.
   *
   * @param labels NAME: VALUE, with commas between them
   */
  void create(String labels) {
    Lab.apply(RIGHTS.formatted(name, labels)).orFail();
  }

  Lab.Output kubectl(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--namespace=" + name);
    return Lab.kubectl(all.toArray(String[]::new));
  }

  void submit(String pod, String arguments) {
    Lab.apply(SUBMITTER.formatted(pod, name, arguments, FILES, FOLDER)).orFail();
  }

  List<JsonNode> executors() {
    List<JsonNode> pods = new ArrayList<>();
    Lab.json(kubectl("get", "pods", "-l", "spark-role=executor", "-o", "json").orFail().out())
        .path("items")
        .forEach(pods::add);
    return pods;
  }

  /** Waits until all executors run, each on CPUs of its own, and says which. */
  List<CpuSet> awaitPinned(int number) {
    await()
        .atMost(START)
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(
            () ->
                assertThat(executors())
                    .hasSize(number)
                    .allMatch(pod -> pod.at("/status/phase").asText().equals("Running")));
    return executors().stream().map(SubmitNamespace::awaitPinned).toList();
  }

  private static CpuSet awaitPinned(JsonNode pod) {
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
    return cpus;
  }

  private static JsonNode entry(JsonNode topology, JsonNode pod) {
    for (JsonNode entry : topology.at("/status/exclusive")) {
      if (entry.path("podUid").equals(pod.at("/metadata/uid"))) {
        return entry;
      }
    }
    return Lab.json("");
  }

  /** What a pinned executor has, whoever gave it. */
  static void assertHasSlot(JsonNode pod) {
    JsonNode resources = pod.at("/spec/containers/0/resources");
    assertThat(resources.path("limits").path("cpu").asText()).isEqualTo("4");
    assertThat(resources.path("limits").path(SLOT).asText()).isEqualTo("1");
    assertThat(pod.at("/spec/nodeSelector/node.example.com~1pool").asText())
        .isEqualTo("spark-metal");
  }

  void awaitDriver() {
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

  void awaitPhase(String pod, String phase) {
    Lab.awaitObject(
        "pod", name, pod, START, found -> found.at("/status/phase").asText().equals(phase));
  }
}
