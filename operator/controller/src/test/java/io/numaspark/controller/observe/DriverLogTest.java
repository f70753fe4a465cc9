package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.numaspark.controller.fixture.OneAnswer;
import io.numaspark.controller.fixture.Pods;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverLogTest {
  private static final String LOG = "first\nlast\n";

  @RegisterExtension final OneAnswer apiServer = new OneAnswer();

  @Test
  void theLogOfTheDriversContainerIsRead() {
    apiServer.is(200, LOG);
    assertThat(log()).isEqualTo(LOG);
    assertThat(apiServer.requests())
        .singleElement()
        .isEqualTo(
            "/api/v1/namespaces/default/pods/pi-driver/log"
                + "?container=spark-kubernetes-driver&tailLines=300");
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404, 429, 500, 503})
  void aLogThatCannotBeHadIsNotAskedForAgain(int code) {
    apiServer.is(code, "{}");
    assertThat(log()).isEmpty();
    assertThat(apiServer.requests()).hasSize(1);
  }

  private String log() {
    return new DriverLog(
            new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + apiServer.port())
                .build())
        .apply(Pods.failedDriver(1, "Error"));
  }
}
