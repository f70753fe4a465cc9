package io.numaspark.controller.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.api.v1alpha1.UiOptions.ServiceType;
import io.numaspark.controller.config.OperatorConfig.Lease;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.PluginJar;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.PluginPolicy.SharedPages;
import io.numaspark.render.application.UiPolicy;
import io.numaspark.render.application.UiPolicy.GatewayListener;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorConfigTest {
  @Test
  void everythingHasADefault() {
    assertThat(OperatorConfig.fromEnvironment(Map.of("HOME", "/root")))
        .isEqualTo(
            new OperatorConfig(
                Set.of(),
                "spark",
                8080,
                8081,
                16,
                UiPolicy.AS_ASKED,
                new PluginPolicy(Optional.empty(), true, new SharedPages("", Set.of())),
                Grants.LEAST,
                true,
                false,
                false,
                true,
                false,
                Optional.empty()));
  }

  @Test
  void everythingCanBeSet() {
    assertThat(
            OperatorConfig.fromEnvironment(
                Map.ofEntries(
                    Map.entry("NUMASPARK_NAMESPACES", " a, b,,a"),
                    Map.entry("NUMASPARK_DRIVER_SERVICE_ACCOUNT", "driver"),
                    Map.entry("NUMASPARK_HTTP_PORT", "65535"),
                    Map.entry("NUMASPARK_PROBE_PORT", "65534"),
                    Map.entry("NUMASPARK_WORKERS", "1"),
                    Map.entry("NUMASPARK_FOREIGN_PODS", "false"),
                    Map.entry("NUMASPARK_KUEUE", "true"),
                    Map.entry("NUMASPARK_AGENTS", "false"),
                    Map.entry("NUMASPARK_PINNERS", "true"),
                    Map.entry("NUMASPARK_UI_INGRESS_URL_FORMAT", "{{$appName}}.example.com"),
                    Map.entry("NUMASPARK_UI_INGRESS_CLASS", "nginx"))))
        .isEqualTo(
            new OperatorConfig(
                Set.of("a", "b"),
                "driver",
                65535,
                65534,
                1,
                new UiPolicy(false, Optional.of("{{$appName}}.example.com"), Optional.of("nginx")),
                new PluginPolicy(Optional.empty(), true, new SharedPages("", Set.of())),
                Grants.LEAST,
                false,
                false,
                true,
                false,
                true,
                Optional.empty()));
  }

  @Test
  void executorsOfOthersAreWatchedOnlyIfThereIsAWebhook() {
    assertThat(OperatorConfig.fromEnvironment(Map.of()).webhook()).isFalse();
    assertThat(OperatorConfig.fromEnvironment(Map.of("NUMASPARK_WEBHOOK", "true")).webhook())
        .isTrue();
    assertThatThrownBy(() -> OperatorConfig.fromEnvironment(Map.of("NUMASPARK_WEBHOOK", "yes")))
        .hasMessage("NUMASPARK_WEBHOOK is 'yes', but must be true or false");
  }

  @ParameterizedTest
  @CsvSource({"gateways/web, ", "gateways/web/https, https"})
  void routesAreAttachedToAGatewayOrToOneOfItsListeners(String text, String listener) {
    assertThat(OperatorConfig.fromEnvironment(Map.of("NUMASPARK_UI_GATEWAY", text)).ui().gateway())
        .contains(new GatewayListener("gateways", "web", Optional.ofNullable(listener)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"web", "/web", "a/b/c/d", "a/b/"})
  void aGatewayHasANamespace(String text) {
    assertThatThrownBy(() -> OperatorConfig.fromEnvironment(Map.of("NUMASPARK_UI_GATEWAY", text)))
        .hasMessage(
            "NUMASPARK_UI_GATEWAY is '"
                + text
                + "', but must be NAMESPACE/NAME of a Gateway, or NAMESPACE/NAME/LISTENER");
  }

  @Test
  void theSparkPluginIsInAVolumeOrInTheImagesOfApplications() {
    assertThat(
            OperatorConfig.fromEnvironment(
                    Map.of(
                        "NUMASPARK_SPARK_PLUGIN_IMAGE", "numaspark/spark-plugin:1",
                        "NUMASPARK_SPARK_PLUGIN_PULL_POLICY", "Never",
                        "NUMASPARK_SPARK_PLUGIN_BY_DEFAULT", "false",
                        "NUMASPARK_SHARED_PAGES_CLAIM", "pages",
                        "NUMASPARK_SHARED_PAGES_NAMESPACES", "a,b"))
                .plugin())
        .isEqualTo(
            new PluginPolicy(
                Optional.of(
                    new PluginJar.InVolume("numaspark/spark-plugin:1", Optional.of("Never"))),
                false,
                new SharedPages("pages", Set.of("a", "b"))));
    assertThat(
            OperatorConfig.fromEnvironment(Map.of("NUMASPARK_SPARK_PLUGIN_PATH", "/opt/p.jar"))
                .plugin()
                .jar())
        .contains(new PluginJar.InImage("/opt/p.jar"));
  }

  @Test
  void whatIsGrantedIsNamed() {
    assertThat(
            OperatorConfig.fromEnvironment(
                    Map.of(
                        "NUMASPARK_GRANT_SERVICE_TYPES", "NodePort",
                        "NUMASPARK_GRANT_SERVICE_ANNOTATIONS", "a",
                        "NUMASPARK_GRANT_SERVICE_LABELS", "c,b",
                        "NUMASPARK_GRANT_INGRESS_HOSTS", "*.{{$appNamespace}}.example.com",
                        "NUMASPARK_GRANT_INGRESS_ANNOTATIONS", "d/*",
                        "NUMASPARK_GRANT_INGRESS_TLS_SECRETS", "e",
                        "NUMASPARK_GRANT_POD_DISRUPTION_BUDGETS", "true",
                        "NUMASPARK_GRANT_POD_GROUPS", "true"))
                .grants())
        .isEqualTo(
            new Grants(
                Set.of(ServiceType.NodePort),
                List.of("a"),
                List.of("b", "c"),
                List.of("*.{{$appNamespace}}.example.com"),
                List.of("d/*"),
                List.of("e"),
                true,
                true));
    assertThat(
            OperatorConfig.fromEnvironment(Map.of("NUMASPARK_GRANT_SERVICE_TYPES", ""))
                .grants()
                .serviceTypes())
        .isEmpty();
    assertThatThrownBy(
            () ->
                OperatorConfig.fromEnvironment(
                    Map.of("NUMASPARK_GRANT_SERVICE_TYPES", "ClusterIP,ExternalName")))
        .hasMessage(
            "NUMASPARK_GRANT_SERVICE_TYPES has 'ExternalName', but may have only [ClusterIP,"
                + " NodePort, LoadBalancer]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SPARK_PLUGIN_IMAGE=a,SPARK_PLUGIN_PATH=/b.jar | NUMASPARK_SPARK_PLUGIN_IMAGE and"
            + " NUMASPARK_SPARK_PLUGIN_PATH are both given; remove one",
        "SPARK_PLUGIN_PATH=b.jar | NUMASPARK_SPARK_PLUGIN_PATH is 'b.jar', but must be an absolute"
            + " path",
        "SHARED_PAGES_NAMESPACES=a | NUMASPARK_SHARED_PAGES_NAMESPACES needs"
            + " NUMASPARK_SHARED_PAGES_CLAIM; give the claim's name",
      })
  void whatThePluginCannotHaveIsNamed(String settings, String message) {
    Map<String, String> environment = new TreeMap<>();
    for (String setting : settings.split(",")) {
      environment.put(
          "NUMASPARK_" + setting.substring(0, setting.indexOf('=')),
          setting.substring(setting.indexOf('=') + 1));
    }
    assertThatThrownBy(() -> OperatorConfig.fromEnvironment(environment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_PORT, 0, 65535",
    "HTTP_PORT, 65536, 65535",
    "HTTP_PORT, '', 65535",
    "HTTP_PORT, http, 65535",
    "HTTP_PORT, 99999999999999, 65535",
    "PROBE_PORT, 0, 65535",
    "WORKERS, 0, 256",
    "WORKERS, 257, 256",
    "WORKERS, -1, 256",
    "WORKERS, 1.5, 256"
  })
  void aBadNumberIsNamed(String setting, String value, int max) {
    assertThatThrownBy(() -> OperatorConfig.fromEnvironment(Map.of("NUMASPARK_" + setting, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "NUMASPARK_%s is '%s', but must be a number from 1 to %d"
                .formatted(setting, value, max));
  }

  @Test
  void probesHaveAPortOfTheirOwn() {
    assertThatThrownBy(() -> OperatorConfig.fromEnvironment(Map.of("NUMASPARK_HTTP_PORT", "8081")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("NUMASPARK_HTTP_PORT and NUMASPARK_PROBE_PORT are both 8081; give two ports");
  }

  @Test
  void aBadFlagIsNamed() {
    assertThatThrownBy(
            () -> OperatorConfig.fromEnvironment(Map.of("NUMASPARK_FOREIGN_PODS", "yes")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("NUMASPARK_FOREIGN_PODS is 'yes', but must be true or false");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LOG_LEVEL | verbose | error, warn, info, debug, trace",
        "LOG_LEVEL | INFO | error, warn, info, debug, trace",
        "LOG_LIBRARIES_LEVEL | trace | error, warn, info, debug",
        "LOG_FORMAT | xml | text, json",
      })
  void aBadLogSettingIsNamed(String setting, String value, String words) {
    assertThatThrownBy(() -> OperatorConfig.fromEnvironment(Map.of("NUMASPARK_" + setting, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("NUMASPARK_%s is '%s', but must be one of %s".formatted(setting, value, words));
  }

  @Test
  void aMisspeltSettingIsNamed() {
    assertThatThrownBy(() -> OperatorConfig.fromEnvironment(Map.of("NUMASPARK_NAMESPACE", "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("unknown settings [NUMASPARK_NAMESPACE]; known are [")
        .hasMessageContaining("NUMASPARK_NAMESPACES");
  }

  @Test
  void aLeaseHasANamespaceANameAndAHolder() {
    Map<String, String> lease =
        Map.of(
            "NUMASPARK_LEASE_NAMESPACE", "system",
            "NUMASPARK_LEASE_NAME", "numaspark",
            "NUMASPARK_LEASE_IDENTITY", "numaspark-7");
    assertThat(OperatorConfig.fromEnvironment(lease).lease())
        .contains(new Lease("system", "numaspark", "numaspark-7"));
    assertThatThrownBy(
            () -> OperatorConfig.fromEnvironment(Map.of("NUMASPARK_LEASE_NAME", "numaspark")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "NUMASPARK_LEASE_NAMESPACE, NUMASPARK_LEASE_NAME and NUMASPARK_LEASE_IDENTITY belong"
                + " together; give all of them or none");
  }
}
