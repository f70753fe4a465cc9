package io.numaspark.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.agent.kubelet.KubeletTrust;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentConfigTest {
  private static final Map<String, String> POD =
      Map.of(
          "NUMASPARK_NODE", "worker-7",
          "NUMASPARK_HOST_IP", "192.0.2.7",
          "KUBERNETES_SERVICE_HOST", "10.96.0.1",
          "KUBERNETES_SERVICE_PORT", "443");

  @Test
  void needsNoMoreThanWhatEveryPodHasAndTheNode() {
    AgentConfig config = AgentConfig.of(POD);
    assertThat(config.cluster().api()).hasToString("https://10.96.0.1:443");
    assertThat(config.configz().host()).isEqualTo("192.0.2.7");
    assertThat(config.configz().port()).isEqualTo(10250);
    assertThat(config.configz().trust())
        .isEqualTo(
            new KubeletTrust.Authorities(
                Path.of("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt")));
    assertThat(config.writerSocket()).isEmpty();
    assertThat(config.dmi()).isEmpty();
  }

  @Test
  void writesAnIpv6AddressInBrackets() {
    Map<String, String> environment = new HashMap<>(POD);
    environment.put("KUBERNETES_SERVICE_HOST", "fd00::1");
    assertThat(AgentConfig.of(environment).cluster().api()).hasToString("https://[fd00::1]:443");
  }

  @ParameterizedTest
  @CsvSource({
    "NUMASPARK_NODE, '', NUMASPARK_NODE is not set",
    "NUMASPARK_HOST_IP, '', NUMASPARK_HOST_IP is not set",
    "NUMASPARK_KUBELET_PORT, 0, 'NUMASPARK_KUBELET_PORT: ''0'' is not a port'",
    "NUMASPARK_KUBELET_PORT, kubelet, 'NUMASPARK_KUBELET_PORT: ''kubelet'' is not a port'",
    "NUMASPARK_API, '::', '''::'' is no address of an API server'"
  })
  void namesTheVariableThatIsWrong(String name, String value, String message) {
    Map<String, String> environment = new HashMap<>(POD);
    environment.put(name, value);
    assertThatThrownBy(() -> AgentConfig.of(environment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
