package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.topology.CpuSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the agent says of executors is what the kernel says of their JVMs; of executors that are not
 * pinned, the status of their application says why.
 */
@Order(4)
@Tag("pin-proof")
class PinProofE2E {
  private static final String NAME = "proof";
  private static final Duration START = Duration.ofMinutes(12);

  /** Changes executors of one application when they are created. */
  private static final String MUTATION =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: MutatingAdmissionPolicy
      metadata: {name: e2e-proof}
      spec:
        failurePolicy: Fail
        reinvocationPolicy: Never
        matchConstraints:
          resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
          objectSelector: {matchLabels: {spark-role: executor, numaspark.io/application: %s}}
        mutations:
          - patchType: JSONPatch
            jsonPatch: {expression: '[%s]'}
      ---
      apiVersion: admissionregistration.k8s.io/v1
      kind: MutatingAdmissionPolicyBinding
      metadata: {name: e2e-proof}
      spec: {policyName: e2e-proof}
      """;

  /** A pod that the policy takes for an executor. */
  private static final String EXECUTOR_LIKE =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: like-an-executor, labels: {spark-role: executor, numaspark.io/application: %s}}
      spec:
        containers:
          - {name: main, image: none, resources: {requests: {cpu: "4"}, limits: {cpu: "4"}}}
      """;

  private static final Pattern UID = Pattern.compile("pod([0-9a-f]{8}[_0-9a-f]+)\\.slice");

  @BeforeEach
  void applyProfile() {
    Applications.applyProfile();
  }

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Lab.kubectl("wait", "--for=delete", "pod", "-l", Applications.executors(NAME), "--timeout=300s")
        .orFail();
    Lab.delete("mutatingadmissionpolicybinding", "e2e-proof");
    Lab.delete("mutatingadmissionpolicy", "e2e-proof");
  }

  @Test
  @Tag("runtime-pins")
  void theAgentSaysOfEveryExecutorWhatTheKernelSaysOfItsJvm() {
    Lab.apply(
            Applications.pinned(
                NAME, Applications.SPARK, Applications.MAIN_CLASS, 2, "[\"12\", \"600\"]"))
        .orFail();
    Lab.awaitObject(
        "sparkapplications.numaspark.io",
        NAME,
        START,
        app -> app.at("/status/executorCounts/pinned").asInt() == 2);
    JsonNode topology =
        Lab.awaitObject(
            "sparknodetopologies.numaspark.io",
            NodeTools.NODE,
            START,
            object -> proven(object).size() == 2);

    Map<String, Jvm> jvms = jvms();
    assertThat(jvms).hasSize(2);
    for (JsonNode entry : proven(topology)) {
      Jvm jvm = jvms.get(entry.path("podUid").asText());
      assertThat(jvm).as("JVM of %s", entry).isNotNull();
      assertThat(entry.path("cpus").asText()).isEqualTo(jvm.cpus());
      assertThat(entry.path("kernelCpus").asText()).isEqualTo(jvm.cpus());
      assertThat(entry.path("memoryNodes").asText()).isEqualTo(jvm.memoryNodes());
      assertThat(entry.path("kernelMemoryNodes").asText()).isEqualTo(jvm.memoryNodes());
      assertThat(entry.path("localMemoryPercent").asInt()).isGreaterThan(95);
    }
    if (!NodeTools.isPinnedByRuntime()) {
      assertThat(proven(topology).stream().map(entry -> entry.path("cpus").asText()))
          .isSubsetOf(kubeletState());
    }
    String page = Lab.operatorPage("/nodes/" + NodeTools.NODE);
    for (JsonNode entry : proven(topology)) {
      CpuSet cpus = CpuSet.parse(entry.path("cpus").asText());
      assertThat(page)
          .contains(
              "Pod default/%s. CPUs %s (%d)."
                  .formatted(entry.path("pod").asText(), cpus, cpus.size()));
    }

    thePluginOfKubectlSaysTheSame(topology);

    // A kubelet that starts again has the same to say, to an agent that has to find its new socket.
    List<String> before = claims(topology);
    NodeTools.run("systemctl restart kubelet");
    await("the agent to have looked again")
        .pollDelay(Duration.ofSeconds(45))
        .atMost(START)
        .until(
            () -> {
              JsonNode now = Lab.get("sparknodetopologies.numaspark.io", NodeTools.NODE);
              return Lab.condition(now, "PinningRead").path("status").asText().equals("True")
                  && claims(now).equals(before);
            });

    // Nothing is claimed any longer than it is true.
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Lab.awaitObject(
        "sparknodetopologies.numaspark.io",
        NodeTools.NODE,
        START,
        object -> object.at("/status/exclusive").isEmpty());
  }

  private static void thePluginOfKubectlSaysTheSame(JsonNode topology) {
    for (JsonNode entry : proven(topology)) {
      assertThat(Lab.kubectl("numaspark", "why", entry.path("pod").asText()).orFail().out())
          .contains("of default/" + NAME + " is pinned", "CPUs: " + entry.path("cpus").asText());
    }
    assertThat(listed("apps", "/applications", "name", NAME).path("pinned").asText())
        .isEqualTo("True");
    JsonNode node = listed("nodes", "/nodes", "node", NodeTools.NODE);
    assertThat(node.path("executors").asInt()).isEqualTo(2);
    assertThat(node.path("notPinned").asInt()).isZero();
    Lab.Output plan = Lab.kubectl("numaspark", "plan").orFail();
    assertThat(plan.out()).contains("Profile dual-socket: executors of", NodeTools.NODE);
    assertThat(Lab.kubectl("numaspark", "doctor").out()).doesNotContain("Error");
  }

  /** Returns the entry of a list of the plugin; other applications may be listed beside it. */
  private static JsonNode listed(String command, String list, String field, String value) {
    JsonNode answer = Lab.json(Lab.kubectl("numaspark", command, "-o", "json").orFail().out());
    return answer
        .at(list)
        .valueStream()
        .filter(entry -> entry.path(field).asText().equals(value))
        .findFirst()
        .orElseThrow(() -> new AssertionError(value + " is not listed: " + answer));
  }

  /** As a service mesh or a policy of the cluster changes pods after the operator has made them. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a sidecar without limits | JSONPatch{op: "add", path: "/spec/containers/-", value: Object.spec.containers{name: "sidecar", image: "numaspark/busybox:1", command: ["sleep", "3600"]}} | PodNotGuaranteed | sidecar | sidecar
          a fractional number of CPUs | JSONPatch{op: "replace", path: "/spec/containers/0/resources/requests/cpu", value: "3500m"}, JSONPatch{op: "replace", path: "/spec/containers/0/resources/limits/cpu", value: "3500m"} | CpuNotWhole | 3500m | 3.5 CPUs
          """)
  void anExecutorThatIsNotPinnedSaysWhy(
      String what, String patches, String reason, String inThePod, String inTheMessage) {
    Lab.apply(MUTATION.formatted(NAME, patches)).orFail();
    // The API server takes a moment until it applies a new policy.
    await("the policy to be in force").atMost(START).until(() -> dryRun().contains(inThePod));
    Lab.apply(
            Applications.pinned(
                NAME, Applications.SPARK, Applications.MAIN_CLASS, 1, "[\"4\", \"600\"]"))
        .orFail();
    JsonNode application =
        Lab.awaitObject(
            "sparkapplications.numaspark.io",
            NAME,
            START,
            app -> app.at("/status/executorCounts/notPinned").asInt() == 1);
    JsonNode executor = application.at("/status/executors/0");
    assertThat(executor.path("pinned").asText()).as(executor.toString()).isEqualTo("False");
    assertThat(executor.path("reason").asText()).as(executor.toString()).isEqualTo(reason);
    assertThat(executor.path("message").asText()).contains(inTheMessage);
    assertThat(proven(Lab.get("sparknodetopologies.numaspark.io", NodeTools.NODE))).isEmpty();
  }

  /** Executors of which the kernel has told, too. */
  private static List<JsonNode> proven(JsonNode topology) {
    List<JsonNode> executors = new ArrayList<>();
    for (JsonNode entry : topology.at("/status/exclusive")) {
      if (entry.path("container").asText().equals("spark-kubernetes-executor")
          && entry.has("kernelCpus")
          && entry.has("localMemoryPercent")) {
        executors.add(entry);
      }
    }
    return executors;
  }

  private static List<String> claims(JsonNode topology) {
    return proven(topology).stream()
        .map(entry -> entry.path("podUid").asText() + " " + entry.path("kernelCpus").asText())
        .toList();
  }

  /** What would become of a pod that is made now. */
  private static String dryRun() {
    return Lab.kubectlWith(
            EXECUTOR_LIKE.formatted(NAME), "create", "--dry-run=server", "-o", "yaml", "-f", "-")
        .orFail()
        .out();
  }

  /** What /proc says of one JVM. */
  private record Jvm(String cpus, String memoryNodes) {}

  /** The JVMs of executors by the UID of their pod, from outside of their containers. */
  private static Map<String, Jvm> jvms() {
    Map<String, Jvm> jvms = new TreeMap<>();
    String found =
        NodeTools.run(
            "for p in $(pgrep -f 'java.*KubernetesExecutorBackend'); do"
                + " grep -h -E '^(Cpus|Mems)_allowed_list' /proc/$p/status; cat /proc/$p/cgroup; done");
    String cpus = "";
    String memoryNodes = "";
    for (String line : found.lines().toList()) {
      Matcher uid = UID.matcher(line);
      if (line.startsWith("Cpus_allowed_list:")) {
        cpus = CpuSet.parse(line.substring(line.indexOf(':') + 1).strip()).toString();
      } else if (line.startsWith("Mems_allowed_list:")) {
        memoryNodes = line.substring(line.indexOf(':') + 1).strip();
      } else if (uid.find()) {
        jvms.put(uid.group(1).replace('_', '-'), new Jvm(cpus, memoryNodes));
      }
    }
    return jvms;
  }

  private static List<String> kubeletState() {
    List<String> cpus = new ArrayList<>();
    Lab.json(NodeTools.run("cat /var/lib/kubelet/cpu_manager_state"))
        .path("entries")
        .forEach(pod -> pod.forEach(container -> cpus.add(container.asText())));
    return cpus;
  }
}
