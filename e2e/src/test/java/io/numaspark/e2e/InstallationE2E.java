package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The chart as installed: least privilege, restricted pod security, and an operator that never
 * restarted by itself.
 */
@Order(1)
@Tag("vertical")
class InstallationE2E {
  private static final String OPERATOR = "system:serviceaccount:numaspark-system:numaspark";
  private static final String AGENT = "system:serviceaccount:numaspark-agent:numaspark-agent";
  private static final String DRIVER = "system:serviceaccount:default:spark";

  @ParameterizedTest
  @CsvSource({
    "create, pods, yes",
    "get, pods/log, yes",
    "get, secrets, no",
    "list, secrets, no",
    "delete, pods, no",
    "create, pods/exec, no",
    "patch, nodes, yes",
    "patch, nodes/status, yes",
    "create, clusterrolebindings.rbac.authorization.k8s.io, no",
    "delete, sparkapplications.numaspark.io, yes",
    "delete, sparknodeprofiles.numaspark.io, no",
    "update, sparkapplications.numaspark.io, yes",
    "update, sparktrials.numaspark.io, no"
  })
  void operatorMayDoWhatItNeeds(String verb, String resource, String answer) {
    assertThat(may(OPERATOR, verb, resource)).isEqualTo(answer);
  }

  /** The right to patch nodes is for one label, and for the removal of one taint. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"spec\": {\"unschedulable\": true}} | may not change the spec of a node",
        "{\"spec\": {\"taints\": []}} | may only remove startup-taint.cluster-autoscaler.kubernetes.io/numaspark-slots",
        "{\"metadata\": {\"labels\": {\"node.example.com/pool\": \"other\"}}} | only numaspark.io/agent",
        "{\"metadata\": {\"labels\": {\"kubernetes.io/hostname\": null}}} | only numaspark.io/agent"
      })
  void operatorMayChangeOneLabelAndOneTaintOfANodeOnly(String patch, String refusal) {
    Lab.Output output =
        Lab.kubectl(
            "patch", "node", NodeTools.NODE, "--type=merge", "--as=" + OPERATOR, "-p", patch);
    assertThat(output.exitCode()).isNotZero();
    assertThat(output.err()).contains(refusal);
  }

  @ParameterizedTest
  @CsvSource({
    "update, sparknodetopologies.numaspark.io, yes",
    "update, sparknodetopologies.numaspark.io/status, yes",
    "get, nodes/configz, yes",
    "get, nodes/proxy, no",
    "get, nodes, no",
    "list, pods, no",
    "get, secrets, no",
    "list, sparknodeprofiles.numaspark.io, no",
    "delete, sparknodetopologies.numaspark.io, no"
  })
  void agentMayDoWhatItNeeds(String verb, String resource, String answer) {
    assertThat(may(AGENT, verb, resource)).isEqualTo(answer);
  }

  /** A token of an agent says which node it is for; without that it is good for nothing. */
  @Test
  void agentMayWriteTheTopologyOfItsOwnNodeOnly() {
    String topology =
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkNodeTopology
        metadata: {name: %s}
        spec: {numaNodes: [{id: 0, socket: 0, memory: 1, cores: ["0"]}]}
        """;
    Lab.Output other =
        Lab.kubectlWith(
            topology.formatted("native-0"),
            "create",
            "-f",
            "-",
            "--as=" + AGENT,
            "--as-user-extra=authentication.kubernetes.io/node-name=" + NodeTools.NODE);
    assertThat(other.err()).contains("the SparkNodeTopology of its own node only");
    Lab.Output own =
        Lab.kubectlWith(
            topology.formatted("native-0"),
            "create",
            "--dry-run=server",
            "-f",
            "-",
            "--as=" + AGENT,
            "--as-user-extra=authentication.kubernetes.io/node-name=native-0");
    assertThat(own.err()).isEmpty();
    Lab.Output wishes =
        Lab.kubectlWith(
            topology.formatted("native-0").replace("spec: {", "spec: {knobs: {profile: mine}, "),
            "create",
            "--dry-run=server",
            "-f",
            "-",
            "--as=" + AGENT,
            "--as-user-extra=authentication.kubernetes.io/node-name=native-0");
    assertThat(wishes.err()).contains("spec.knobs is the operator's");
  }

  @ParameterizedTest
  @CsvSource({"create, pods, yes", "get, secrets, no", "get, nodes, no", "create, pods/exec, no"})
  void driverMayDoWhatItNeeds(String verb, String resource, String answer) {
    assertThat(may(DRIVER, verb, resource)).isEqualTo(answer);
  }

  /** In pods with their accounts, as a user asks after an installation. */
  @Test
  void helmTestFindsTheRightsOfOperatorAndAgents() {
    Lab.testRelease().orFail();
    assertThat(logs("numaspark-system", "numaspark-test-operator"))
        .contains("ok    may create pods", "ok    may not get secrets")
        .doesNotContain("WRONG");
    assertThat(logs("numaspark-agent", "numaspark-test-agent"))
        .contains("ok    may get nodes/configz", "ok    may not get secrets")
        .doesNotContain("WRONG");
  }

  private static String logs(String namespace, String pod) {
    return Lab.kubectl("logs", pod, "--namespace=" + namespace).orFail().out();
  }

  @Test
  void operatorRunsUnderRestrictedPodSecurity() {
    JsonNode namespace = Lab.get("namespace", "numaspark-system");
    assertThat(namespace.at("/metadata/labels/pod-security.kubernetes.io~1enforce").asText())
        .isEqualTo("restricted");
    JsonNode pods = Lab.operatorPods();
    assertThat(pods).hasSize(1);
    assertThat(pods.at("/0/status/phase").asText()).isEqualTo("Running");
  }

  /**
   * The API server's answer; kubectl would take the part after a slash for the name of an object.
   */
  private static String may(String account, String verb, String resource) {
    String[] parts = resource.split("/", 2);
    String subresource = parts.length == 1 ? "" : parts[1];
    return Lab.kubectl(
            "auth",
            "can-i",
            verb,
            parts[0],
            "--subresource=" + subresource,
            "--as=" + account,
            "-n",
            "default")
        .out()
        .trim();
  }
}
