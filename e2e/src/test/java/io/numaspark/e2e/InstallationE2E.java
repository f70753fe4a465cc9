package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The chart as installed: least privilege, restricted pod security, and an operator that never
 * restarted by itself.
 */
@Order(1)
@UsuallyTakes(seconds = 5)
class InstallationE2E {
  private static final String OPERATOR = "system:serviceaccount:numaspark-system:numaspark";
  private static final String DRIVER = "system:serviceaccount:default:spark";

  @ParameterizedTest
  @CsvSource({
    "create, pods, yes",
    "get, pods/log, yes",
    "get, secrets, no",
    "list, secrets, no",
    "delete, pods, no",
    "create, pods/exec, no",
    "patch, nodes, no",
    "patch, nodes/status, yes",
    "create, clusterrolebindings.rbac.authorization.k8s.io, no",
    "delete, sparkapplications.numaspark.io, yes",
    "delete, sparknodeprofiles.numaspark.io, no",
    "update, sparkapplications.numaspark.io, no"
  })
  void operatorMayDoWhatItNeeds(String verb, String resource, String answer) {
    assertThat(may(OPERATOR, verb, resource)).isEqualTo(answer);
  }

  @ParameterizedTest
  @CsvSource({"create, pods, yes", "get, secrets, no", "get, nodes, no", "create, pods/exec, no"})
  void driverMayDoWhatItNeeds(String verb, String resource, String answer) {
    assertThat(may(DRIVER, verb, resource)).isEqualTo(answer);
  }

  @Test
  void operatorRunsUnderRestrictedPodSecurity() {
    JsonNode namespace = Lab.get("namespace", "numaspark-system");
    assertThat(namespace.at("/metadata/labels/pod-security.kubernetes.io~1enforce").asText())
        .isEqualTo("restricted");
    JsonNode pods =
        Lab.json(Lab.kubectl("get", "pods", "-n", "numaspark-system", "-o", "json").orFail().out())
            .path("items");
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
