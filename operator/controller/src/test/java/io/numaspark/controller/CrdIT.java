package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the API server makes of our schemas: defaults, bounds and the texts of the rules. */
@ExtendWith(ApiServer.class)
class CrdIT {
  private static final String PROFILE =
      """
      apiVersion: numaspark.io/v1alpha1
      kind: SparkNodeProfile
      metadata: {name: %s}
      spec:
        nodeSelector: {matchLabels: {pool: none}}
      """;
  private static final String TOPOLOGY =
      """
      apiVersion: numaspark.io/v1alpha1
      kind: SparkNodeTopology
      metadata: {name: %s}
      spec:
      """;
  private static final String APPLICATION =
      """
      apiVersion: numaspark.io/v1alpha1
      kind: SparkApplication
      metadata: {name: %s, namespace: default}
      spec:
        type: Java
        image: spark
        mainApplicationFile: local:///a.jar
      """;

  private static KubernetesClient client;

  @BeforeAll
  static void connect() {
    client = ApiServer.client();
  }

  @AfterAll
  static void disconnect() {
    client.close();
  }

  @Test
  void profileDefaultsAreFilledIn() {
    assertThat(spec(create(PROFILE.formatted("defaults"))))
        .isEqualTo(
            yaml(
                """
                nodeSelector: {matchLabels: {pool: none}}
                smt: {mode: Shared}
                prefetch:
                  {mode: Observe, scope: Node, l1NextLine: Unmanaged, l1Stride: Unmanaged, l1Region: Unmanaged,
                   l1NextPage: Unmanaged, l2Stream: Unmanaged, l2AdjacentLine: Unmanaged, l2AdaptiveMultipath: Unmanaged,
                   llcPage: Unmanaged, arrayOfPointers: Unmanaged, llcStream: Unmanaged}
                memory:
                  {mode: Observe, transparentHugePages: Unmanaged, numaBalancing: Unmanaged, zoneReclaim: Unmanaged}
                executor:
                  coresPerExecutor: {min: 2, max: 6}
                  maxHeap: 30Gi
                  allowLargeHeap: false
                  memoryOverhead: {factor: "0.10", min: 384Mi}
                  offHeap: "0"
                  shuffleMemory: "0"
                  pageCache: {min: "0"}
                  freeMemoryPercent: 5
                  spreadAcrossCaches: false
                jvm:
                  vendor: HotSpot
                  collector: Auto
                  preTouch: true
                  transparentHugePages: Auto
                  objectAlignment: 8
                pinning: {by: Auto, mode: Enforce, memory: Bind, sharedCores: 1}
                """));
  }

  @Test
  void topologyDefaultsAreFilledIn() {
    var created =
        create(
            TOPOLOGY.formatted("defaults")
                + "  numaNodes: [{id: 0, socket: 0, memory: 1024, cores: [\"0\"]}]");
    assertThat(spec(created))
        .isEqualTo(
            yaml(
                """
                numaNodes: [{id: 0, socket: 0, memory: 1024, cores: ["0"]}]
                kubelet:
                  cpuManagerPolicy: none
                  topologyManagerPolicy: none
                  topologyManagerScope: container
                  memoryManagerPolicy: None
                """));
  }

  @Test
  void connectDefaultsAreFilledIn() {
    var created =
        create(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkConnect
            metadata: {name: defaults, namespace: default}
            spec:
              sparkVersion: 4.3.0
              image: spark
              dynamicAllocation: {enabled: true}
              idle: {}
            """);
    assertThat(spec(created))
        .isEqualTo(
            yaml(
                """
                sparkVersion: 4.3.0
                image: spark
                server: {cores: 1}
                executor: {deleteOnTermination: true, sizing: Split}
                dynamicAllocation: {enabled: true, shuffleTrackingEnabled: true}
                idle: {executorSeconds: 60}
                suspend: false
                """));
  }

  @Test
  void applicationDefaultsAreFilledIn() {
    var created = create(APPLICATION.formatted("defaults") + "  mainClass: Main");
    assertThat(spec(created))
        .isEqualTo(
            yaml(
                """
                type: Java
                mode: cluster
                image: spark
                mainClass: Main
                mainApplicationFile: local:///a.jar
                workload: General
                costBasedJoins: false
                start: AsAvailable
                suspend: false
                driverPodDisruptionBudget: false
                driver: {cores: 1}
                executor: {deleteOnTermination: true, sizing: Split}
                restartPolicy:
                  type: Never
                  onFailureRetryInterval: 5
                  onSubmissionFailureRetryInterval: 5
                """));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"badProfiles", "badTopologies", "badApplications"})
  void isRefusedWithItsText(String what, String yaml, String text) {
    assertThatThrownBy(() -> create(yaml))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422))
        .hasMessageContaining(text);
  }

  static Stream<Arguments> badProfiles() {
    return Stream.of(
        profile(
            "heap above the compressed-oops limit",
            "executor: {maxHeap: 64Gi}",
            "spec.executor.maxHeap: above the compressed-oops limit (32766Mi on HotSpot at most, 65534Mi"
                + " with objectAlignment: 16, 57Gi on OpenJ9) every object pointer takes 8 bytes; lower maxHeap (30Gi is best) or set"
                + " spec.executor.allowLargeHeap: true"),
        profile(
            "heap just above the limit",
            "executor: {maxHeap: 32767Mi}",
            "spec.executor.maxHeap: above the compressed-oops limit"),
        profile(
            "OpenJ9 heap above its limit",
            "{jvm: {vendor: OpenJ9}, executor: {maxHeap: 58Gi}}",
            "spec.executor.maxHeap: above the compressed-oops limit"),
        profile(
            "heap below Spark's least",
            "executor: {maxHeap: 511Mi}",
            "spec.executor.maxHeap: Spark needs a heap of at least 512Mi; raise it"),
        profile("bad memory string", "executor: {maxHeap: 30GB}", "spec.executor.maxHeap"),
        profile("negative off-heap", "executor: {offHeap: \"-1Gi\"}", "spec.executor.offHeap"),
        profile(
            "page cache that contradicts itself",
            "executor: {pageCache: {min: 8Gi, max: 4Gi}}",
            "spec.executor.pageCache: min must not be larger than max; lower min, raise max, or leave max out"),
        profile(
            "page cache that is no quantity",
            "executor: {pageCache: {max: much}}",
            "spec.executor.pageCache.max"),
        profile(
            "nearly all memory for other pods",
            "executor: {freeMemoryPercent: 91}",
            "spec.executor.freeMemoryPercent"),
        profile(
            "overhead factor above 1",
            "executor: {memoryOverhead: {factor: \"1.1\"}}",
            "spec.executor.memoryOverhead.factor"),
        profile(
            "min above max",
            "executor: {coresPerExecutor: {min: 5, max: 4}}",
            "spec.executor.coresPerExecutor: min must not be larger than max; lower min or raise max"),
        profile(
            "min above the default of max",
            "executor: {coresPerExecutor: {min: 7}}",
            "spec.executor.coresPerExecutor: min must not be larger than max; lower min or raise max"),
        profile(
            "no core",
            "executor: {coresPerExecutor: {min: 0}}",
            "spec.executor.coresPerExecutor.min: Invalid value: 0: spec.executor.coresPerExecutor.min in"
                + " body should be greater than or equal to 1"),
        profile(
            "fractional cores",
            "executor: {coresPerExecutor: {min: 1.5}}",
            "spec.executor.coresPerExecutor.min: Invalid value: \"number\""),
        profile(
            "several tasks on an isolated core",
            "smt: {mode: Isolated, tasksPerCore: 2}",
            "spec.smt.tasksPerCore: only mode Shared runs more than one task on a core; leave it out or"
                + " set mode: Shared"),
        profile("nine tasks on a core", "smt: {tasksPerCore: 9}", "spec.smt.tasksPerCore"),
        profile("SMT mode of YAML 1.1", "smt: {mode: \"Off\"}", "spec.smt.mode"),
        profile(
            "collector of OpenJ9",
            "jvm: {vendor: OpenJ9, collector: G1}",
            "spec.jvm.collector: OpenJ9 always gets the gencon policy; leave collector at Auto"),
        profile(
            "alignment that is none",
            "jvm: {objectAlignment: 32}",
            "spec.jvm.objectAlignment: give 8 or 16"),
        profile(
            "alignment of OpenJ9",
            "jvm: {vendor: OpenJ9, objectAlignment: 16}",
            "spec.jvm.objectAlignment: give 8 or 16"),
        profile(
            "heap above the limit of wide alignment",
            "{jvm: {objectAlignment: 16}, executor: {maxHeap: 64Gi}}",
            "spec.executor.maxHeap: above the compressed-oops limit"),
        profile("JDK 7", "jvm: {version: 7}", "spec.jvm.version"),
        profile(
            "-Xmx among the options",
            "jvm: {extraOptions: [\"-XX:+UseNUMA\", \"-Xmx8g\"]}",
            "spec.jvm.extraOptions: the heap size is set from spec.executor.maxHeap; remove -Xmx and"
                + " -Xms"),
        profile(
            "-Xms among the options",
            "jvm: {extraOptions: [\"-Xms8g\"]}",
            "spec.jvm.extraOptions: the heap size is set from spec.executor.maxHeap"),
        profile("no socket", "topology: {sockets: 0}", "spec.topology.sockets"),
        Arguments.of(
            "profile name with a dot",
            PROFILE.formatted("a.b"),
            "metadata.name: it becomes part of a resource name on the nodes, so it must be a DNS label:"
                + " at most 63 lower-case letters, digits and '-'"),
        Arguments.of(
            "profile name of 64 characters",
            PROFILE.formatted("p".repeat(64)),
            "metadata.name: it becomes part of a resource name on the nodes"),
        Arguments.of(
            "profile without selector",
            PROFILE.formatted("bad").replaceFirst("spec:\n.*\n", "spec: {}"),
            "spec.nodeSelector: Required value"),
        Arguments.of(
            "profile without spec",
            PROFILE.formatted("bad").replaceFirst("spec:\n.*\n", ""),
            "spec: Required value"));
  }

  static Stream<Arguments> badTopologies() {
    String node = "  numaNodes: [{id: 0, socket: 0, memory: 1024, cores: [\"0\"]}]\n";
    return Stream.of(
        topology(
            "a NUMA node id twice",
            "  numaNodes: [{id: 0, socket: 0, memory: 1, cores: []}, {id: 0, socket: 1, memory: 1, cores: []}]",
            "spec.numaNodes: each NUMA node id may appear only once; remove the other entry"),
        topology("no NUMA node", "  numaNodes: []", "spec.numaNodes"),
        topology(
            "no memory",
            "  numaNodes: [{id: 0, socket: 0, cores: []}]",
            "spec.numaNodes[0].memory: Required value"),
        topology(
            "negative memory",
            "  numaNodes: [{id: 0, socket: 0, memory: -1, cores: []}]",
            "spec.numaNodes[0].memory"),
        topology(
            "a core that is not a list of CPUs",
            "  numaNodes: [{id: 0, socket: 0, memory: 1, cores: [\"0;24\"]}]",
            "spec.numaNodes[0].cores[0]"),
        topology(
            "both ways to reserve CPUs",
            node + "  kubelet: {reservedCpus: \"0\", reservedCpuCount: 1}",
            "spec.kubelet: give reservedCpus (reservedSystemCPUs of the kubelet) or reservedCpuCount, not"
                + " both"),
        topology(
            "unknown CPU manager policy",
            node + "  kubelet: {cpuManagerPolicy: Static}",
            "spec.kubelet.cpuManagerPolicy"),
        topology(
            "unknown topology manager policy",
            node + "  kubelet: {topologyManagerPolicy: strict}",
            "spec.kubelet.topologyManagerPolicy"));
  }

  static Stream<Arguments> badApplications() {
    return Stream.of(
        application(
            "Java without a class",
            "driver: {}",
            "spec.mainClass: a Java or Scala application needs the class whose main method is run"),
        application(
            "nodes without a profile",
            "mainClass: A\n  executor: {nodes: 2}",
            "spec.executor.nodes: whole nodes can only be requested with spec.nodeProfile; use"
                + " spec.executor.instances"),
        application(
            "nodes and instances",
            "mainClass: A\n  nodeProfile: p\n  executor: {nodes: 2, instances: 2}",
            "spec.executor: give instances or nodes, not both"),
        application(
            "fractional cores",
            "mainClass: A\n  executor: {cores: 1.5}",
            "spec.executor.cores: Invalid value: \"number\""),
        application(
            "negative instances",
            "mainClass: A\n  executor: {instances: -1}",
            "spec.executor.instances in body should be greater than or equal to 1"),
        application(
            "bad executor memory",
            "mainClass: A\n  executor: {memory: 4 GB}",
            "spec.executor.memory"),
        application(
            "bad driver memory", "mainClass: A\n  driver: {memory: \"0\"}", "spec.driver.memory"),
        application(
            "bad core request",
            "mainClass: A\n  driver: {coreRequest: half}",
            "spec.driver.coreRequest"),
        application("client mode", "mainClass: A\n  mode: client", "spec.mode"),
        application(
            "restarts",
            "mainClass: A\n  restartPolicy: {type: Sometimes}",
            "spec.restartPolicy.type"),
        application("bad Spark version", "mainClass: A\n  sparkVersion: new", "spec.sparkVersion"),
        application(
            "shuffle memory on disk",
            "mainClass: A\n  shuffle: {size: 1Gi}",
            "spec.shuffle.size: is memory, which storage: Disk does not take; remove it, or set"
                + " storage: Memory or Pages"),
        application(
            "too little shuffle memory",
            "mainClass: A\n  shuffle: {storage: Pages, size: 63Mi}",
            "spec.shuffle.size: give 64Mi to 16Ti for each executor"),
        application(
            "shuffle memory that no machine has",
            "mainClass: A\n  shuffle: {storage: Memory, size: 17Ti}",
            "spec.shuffle.size: give 64Mi to 16Ti for each executor"),
        application(
            "shuffle memory that is not a quantity",
            "mainClass: A\n  shuffle: {storage: Memory, size: 1GB}",
            "spec.shuffle.size"),
        application(
            "shared files",
            "mainClass: A\n  shuffle: {storage: Memory, sharing: Node}",
            "spec.shuffle.sharing: only storage: Pages can be shared; remove it"),
        application(
            "unknown storage", "mainClass: A\n  shuffle: {storage: Tape}", "spec.shuffle.storage"),
        application(
            "static without a number",
            "mainClass: A\n  adaptiveExecutors: {mode: Static}",
            "spec.adaptiveExecutors.threads: mode: Static needs it; give the number of tasks"),
        application(
            "a number of the dynamic mode",
            "mainClass: A\n  adaptiveExecutors: {mode: Dynamic, threads: 4}",
            "spec.adaptiveExecutors.threads: only mode: Static has a fixed number; remove it, or set"
                + " mode: Static"),
        application(
            "no thread",
            "mainClass: A\n  adaptiveExecutors: {mode: Static, threads: 0}",
            "spec.adaptiveExecutors.threads"),
        application(
            "plugin that is off and has a path",
            "mainClass: A\n  sparkPlugin: {enabled: false, path: /opt/p.jar}",
            "spec.sparkPlugin.path: enabled is false; remove one of the two"),
        application(
            "plugin of a class path",
            "mainClass: A\n  sparkPlugin: {path: \"/opt/*\"}",
            "spec.sparkPlugin.path"),
        Arguments.of(
            "name of 64 characters",
            APPLICATION.formatted("a".repeat(64)) + "  mainClass: A",
            "metadata.name: it becomes a label of the pods, so at most 63 characters are allowed"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("goodObjects")
  void isAccepted(String name, String yaml) {
    create(yaml.formatted(name));
  }

  static Stream<Arguments> goodObjects() {
    return Stream.of(
        Arguments.of("large-heap", PROFILE + "  executor: {maxHeap: 64Gi, allowLargeHeap: true}"),
        Arguments.of("limit-heap", PROFILE + "  executor: {maxHeap: 32766Mi}"),
        Arguments.of(
            "aligned-heap",
            PROFILE + "  jvm: {version: 17, objectAlignment: 16}\n  executor: {maxHeap: 62Gi}"),
        Arguments.of("openj9", PROFILE + "  jvm: {vendor: OpenJ9}\n  executor: {maxHeap: 57Gi}"),
        Arguments.of("young", PROFILE + "  jvm: {extraOptions: [\"-Xmn2g\", \"-Xlog:gc\"]}"),
        Arguments.of("power-smt4", PROFILE + "  smt: {tasksPerCore: 4}"),
        Arguments.of("p".repeat(63), PROFILE),
        Arguments.of("a.dotted.name", APPLICATION + "  mainClass: A"),
        Arguments.of("a".repeat(63), APPLICATION + "  mainClass: A"),
        Arguments.of(
            "python", APPLICATION.replace("type: Java", "type: Python") + "  arguments: [\"1\"]"),
        Arguments.of(
            "pages",
            APPLICATION + "  mainClass: A\n  shuffle: {storage: Pages, size: 4Gi, sharing: Node}"),
        Arguments.of("files", APPLICATION + "  mainClass: A\n  shuffle: {}"),
        Arguments.of(
            "static",
            APPLICATION + "  mainClass: A\n  adaptiveExecutors: {mode: Static, threads: 4}"),
        Arguments.of(
            "plugin", APPLICATION + "  mainClass: A\n  sparkPlugin: {path: /opt/jars/p.jar}"),
        Arguments.of(
            "whole-nodes",
            APPLICATION + "  mainClass: A\n  nodeProfile: p\n  executor: {nodes: 2}"));
  }

  /** What an edit does is the operator's part; each one counts the generation up. */
  @Test
  void theSpecOfAnApplicationMayBeEdited() {
    create(APPLICATION.formatted("edited") + "  mainClass: A");
    GenericKubernetesResource edited =
        client
            .genericKubernetesResources("numaspark.io/v1alpha1", "SparkApplication")
            .inNamespace("default")
            .withName("edited")
            .edit(
                application -> {
                  spec(application).put("image", "another");
                  return application;
                });
    assertThat(edited.getMetadata().getGeneration()).isEqualTo(2);
  }

  /** Airflow sets spec.labels, which no CRD has. */
  @Test
  void whatTheSchemaDoesNotKnowIsLeftOutAndNotRefused() {
    GenericKubernetesResource created =
        create(
            APPLICATION.formatted("labelled")
                + "  mainClass: M\n  labels: {dag_id: dag}\n  driver: {labels: {dag_id: dag}}\n");
    assertThat(spec(created)).doesNotContainKey("labels");
    assertThat((Map<?, ?>) ((Map<?, ?>) spec(created).get("driver")).get("labels"))
        .isEqualTo(Map.of("dag_id", "dag"));
  }

  /** Plain {@code kubectl apply} keeps the whole object in an annotation, which has a limit. */
  @Test
  void crdsApplyWithPlainKubectl() throws Exception {
    for (int run = 0; run < 2; run++) {
      Process kubectl =
          new ProcessBuilder(
                  ApiServer.kubectl(),
                  "--kubeconfig",
                  ApiServer.kubeConfigFile().toString(),
                  "apply",
                  "--filename",
                  Path.of(System.getProperty("repository.root"), "crds").toString())
              .redirectErrorStream(true)
              .start();
      String output = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(kubectl.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(kubectl.exitValue()).as(output).isZero();
    }
  }

  private static Arguments profile(String what, String spec, String text) {
    String fields = spec.startsWith("{") ? spec.substring(1, spec.length() - 1) : spec;
    String yaml =
        PROFILE
            .formatted("bad")
            .replace("  nodeSelector: {matchLabels: {pool: none}}\n", "")
            .replace(
                "spec:\n", "spec: {nodeSelector: {matchLabels: {pool: none}}, " + fields + "}\n");
    return Arguments.of(what, yaml, text);
  }

  private static Arguments topology(String what, String spec, String text) {
    return Arguments.of(what, TOPOLOGY.formatted("bad") + spec, text);
  }

  private static Arguments application(String what, String spec, String text) {
    return Arguments.of(what, APPLICATION.formatted("bad") + "  " + spec, text);
  }

  private static GenericKubernetesResource create(String yaml) {
    return client.resource(Serialization.unmarshal(yaml, GenericKubernetesResource.class)).create();
  }

  private static Map<String, Object> spec(GenericKubernetesResource resource) {
    Map<String, Object> spec = resource.get("spec");
    return spec;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> yaml(String text) {
    return new TreeMap<String, Object>(Serialization.unmarshal(text, Map.class));
  }
}
