package io.numaspark.controller.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookConfigTest {
  private static final Map<String, String> LEAST =
      Map.of(
          "NUMASPARK_WEBHOOK_NAME", "numaspark-webhook",
          "NUMASPARK_WEBHOOK_NAMESPACE", "spark-system",
          "NUMASPARK_WEBHOOK_SECRET", "tls");

  @Test
  void theRestHasDefaults() {
    WebhookConfig config = WebhookConfig.fromEnvironment(LEAST);
    assertThat(config)
        .isEqualTo(
            new WebhookConfig(
                10250, 8080, 8081, false, "numaspark-webhook", "spark-system", "tls", true));
    assertThat(config.dnsName()).isEqualTo("numaspark-webhook.spark-system.svc");
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NUMASPARK_WEBHOOK_PORT        | 0       | NUMASPARK_WEBHOOK_PORT is '0', but must be a number from 1 to 65535
          NUMASPARK_WEBHOOK_PORT        | 8080    | NUMASPARK_WEBHOOK_PORT and NUMASPARK_HTTP_PORT are both 8080; give two ports
          NUMASPARK_PROBE_PORT          | 10250   | NUMASPARK_WEBHOOK_PORT and NUMASPARK_PROBE_PORT are both 10250; give two ports
          NUMASPARK_WEBHOOK_CERTIFICATE | cert    | NUMASPARK_WEBHOOK_CERTIFICATE is 'cert', but must be one of self-signed, given
          NUMASPARK_WEBHOOK_SECRET      | ' '     | NUMASPARK_WEBHOOK_SECRET is missing; the chart sets it
          NUMASPARK_LOG_LEVEL           | loud    | NUMASPARK_LOG_LEVEL is 'loud', but must be one of error, warn, info, debug, trace
          NUMASPARK_WORKERS             | 3       | unknown settings [NUMASPARK_WORKERS]; known are
          """)
  void aBadSettingIsNamed(String key, String value, String message) {
    Map<String, String> environment = new HashMap<>(LEAST);
    environment.put(key, value);
    assertThatThrownBy(() -> WebhookConfig.fromEnvironment(environment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }
}
