package io.numaspark.render.plugin;

import static io.numaspark.render.fixture.Specs.application;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.PluginJar;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.UiPolicy;
import io.numaspark.render.fixture.Renderings;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When the plugin is loaded, where its jar comes from, and what the driver tells of it. */
class SparkPluginUseTest {
  private static final String PLUGIN = "numaspark.plugin.NumasparkPlugin";
  private static final PluginPolicy VOLUME =
      new PluginPolicy(
          Optional.of(new PluginJar.InVolume("example.com/plugin:1", Optional.of("Never"))),
          true,
          new PluginPolicy.SharedPages("", Set.of()));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sparkVersion: 4.1.4 | true",
        "sparkVersion: 4.3.0, sparkPlugin: {} | true",
        "sparkVersion: 4.0.2 | false",
        "sparkVersion: 3.5.9 | false",
        "sparkPlugin: {} | false", // of which Spark, and which Java, is not known
        "sparkPlugin: {enabled: true} | true",
        "sparkVersion: 3.5.9, adaptiveExecutors: {mode: Dynamic} | true",
        "sparkVersion: 3.5.9, shuffle: {storage: Pages} | true",
        "sparkVersion: 4.3.0, sparkPlugin: {enabled: false} | false",
        "sparkVersion: 4.3.0, adaptiveExecutors: {mode: Disabled} | true",
        "shuffle: {storage: Pages}, sparkPlugin: {enabled: false} | false",
      })
  void isLoadedWhereItCanRunUnlessTheApplicationSaysSo(String fields, boolean loaded) {
    Map<String, String> conf = render(VOLUME, fields).sparkConf();
    assertThat(PLUGIN.equals(conf.get("spark.plugins"))).isEqualTo(loaded);
  }

  @Test
  void theJarIsMountedFromItsImageOnBothSides() {
    Manifests manifests = render(VOLUME, "sparkPlugin: {enabled: true}");
    for (PodSpec pod :
        new PodSpec[] {manifests.driverPod().getSpec(), Renderings.executor(manifests).getSpec()}) {
      Volume volume =
          pod.getVolumes().stream()
              .filter(each -> each.getName().equals("numaspark-plugin"))
              .findFirst()
              .orElseThrow();
      assertThat(volume.getImage().getReference()).isEqualTo("example.com/plugin:1");
      assertThat(volume.getImage().getPullPolicy()).isEqualTo("Never");
      assertThat(pod.getContainers().get(0).getVolumeMounts())
          .anySatisfy(
              mount -> {
                assertThat(mount.getMountPath()).isEqualTo("/opt/numaspark-plugin");
                assertThat(mount.getReadOnly()).isTrue();
              });
      assertThat(pod.getInitContainers()).isEmpty();
    }
    assertThat(manifests.sparkConf())
        .containsEntry(
            "spark.driver.extraClassPath", "/opt/numaspark-plugin/numaspark-spark-plugin.jar")
        .containsEntry(
            "spark.executor.extraClassPath", "/opt/numaspark-plugin/numaspark-spark-plugin.jar");
  }

  @Test
  void aPathOfTheApplicationsOwnNeedsNoVolume() {
    Manifests manifests = render(VOLUME, "sparkPlugin: {path: /opt/p.jar}");
    assertThat(manifests.sparkConf()).containsEntry("spark.executor.extraClassPath", "/opt/p.jar");
    assertThat(Renderings.executor(manifests).getSpec().getVolumes()).isEmpty();
  }

  @Test
  void comesAfterTheUsersOwn() {
    Map<String, String> conf =
        render(
                VOLUME,
                "sparkPlugin: {path: /opt/p.jar}",
                "sparkConf: {spark.plugins: 'a.A, b.B', spark.driver.extraClassPath: '/a:/b'}")
            .sparkConf();
    assertThat(conf)
        .containsEntry("spark.plugins", "a.A,b.B," + PLUGIN)
        .containsEntry("spark.driver.extraClassPath", "/a:/b:/opt/p.jar")
        .containsEntry("spark.executor.extraClassPath", "/opt/p.jar");
  }

  @Test
  void isNotLoadedTwice() {
    assertThat(
            render(
                    VOLUME,
                    "sparkPlugin: {enabled: true}",
                    "sparkConf: {spark.plugins: %s}".formatted(PLUGIN))
                .sparkConf())
        .containsEntry("spark.plugins", PLUGIN);
  }

  @Test
  void theUsersOwnSettingsOfThePluginWin() {
    assertThat(
            render(
                    VOLUME,
                    "adaptiveExecutors: {mode: Static, threads: 4}",
                    "sparkConf: {spark.numaspark.adaptive.static.threads: '2',"
                        + " spark.ui.prometheus.enabled: 'false'}")
                .sparkConf())
        .containsEntry("spark.numaspark.adaptive.mode", "static")
        .containsEntry("spark.numaspark.adaptive.static.threads", "2")
        .containsEntry("spark.ui.prometheus.enabled", "false");
  }

  @Test
  void theDriversEndpointIsFoundByPrometheus() {
    Manifests manifests =
        render(VOLUME, "sparkPlugin: {enabled: true}", "sparkConf: {spark.ui.port: '4050'}");
    assertThat(manifests.driverPod().getMetadata().getAnnotations())
        .containsEntry("prometheus.io/scrape", "true")
        .containsEntry("prometheus.io/port", "4050")
        .containsEntry("prometheus.io/path", "/metrics/prometheus/");
    assertThat(manifests.sparkConf())
        .containsEntry(
            "spark.metrics.conf.driver.sink.prometheusServlet.class",
            "org.apache.spark.metrics.sink.PrometheusServlet")
        .containsEntry("spark.metrics.namespace", "spark");
  }

  @Test
  void whatMonitoringExposesStays() {
    Manifests manifests =
        render(
            VOLUME,
            "sparkPlugin: {enabled: true}",
            "monitoring: {exposeDriverMetrics: true, prometheus: {jmxExporterJar: /j.jar}}");
    assertThat(manifests.driverPod().getMetadata().getAnnotations())
        .containsEntry("prometheus.io/port", "8090");
    assertThat(manifests.sparkConf()).containsEntry("spark.metrics.namespace", "default.pi");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sparkConf: {spark.metrics.namespace: mine}",
        "sparkConf: {spark.metrics.staticSources.enabled: 'false'}",
        "sparkConfigMap: mine",
      })
  void metricsOfWhoHasOwnOnesKeepTheirNames(String fields) {
    assertThat(render(VOLUME, "sparkPlugin: {enabled: true}", fields).sparkConf())
        .doesNotContainEntry("spark.metrics.namespace", "spark");
  }

  @Test
  void aDriverWithoutWebUiIsNotScraped() {
    Manifests manifests =
        render(VOLUME, "sparkPlugin: {enabled: true}", "sparkConf: {spark.ui.enabled: 'false'}");
    assertThat(manifests.driverPod().getMetadata().getAnnotations())
        .doesNotContainKey("prometheus.io/scrape");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shuffle: {storage: Pages} | spec.shuffle.storage: Pages",
        "adaptiveExecutors: {mode: Dynamic} | spec.adaptiveExecutors.mode: Dynamic",
        "sparkPlugin: {enabled: true} | spec.sparkPlugin",
      })
  void withoutAJarTheHelmValueIsNamed(String fields, String what) {
    RenderResult result =
        new ApplicationRenderer("spark").render(application(fields), Optional.empty());
    assertThat(result)
        .isEqualTo(
            new Refusal(
                "SparkPluginMissing",
                what
                    + " needs numaspark's Spark plugin, and this operator does not know where its"
                    + " jar is; set the Helm value sparkPlugin.image.repository or sparkPlugin.path, or"
                    + " give spec.sparkPlugin.path if the image of driver and executors brings it"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sparkPlugin: {enabled: false}, adaptiveExecutors: {mode: Dynamic} |"
            + " spec.sparkPlugin.enabled: is false, but spec.adaptiveExecutors.mode: Dynamic is"
            + " the plugin's work",
        "sparkPlugin: {enabled: false, path: /p.jar} | spec.sparkPlugin.path: enabled is false",
        "sparkPlugin: {path: p.jar} | spec.sparkPlugin.path: Invalid value: \"p.jar\"",
        "adaptiveExecutors: {mode: Static} | spec.adaptiveExecutors.threads: mode: Static needs it",
        "adaptiveExecutors: {mode: Dynamic, threads: 2} | spec.adaptiveExecutors.threads: only"
            + " mode: Static",
        "adaptiveExecutors: {mode: Static, threads: 2000} | spec.adaptiveExecutors.threads: Invalid value: 2000",
      })
  void contradictionsAreRefused(String fields, String message) {
    assertThat(Renderings.refusal(fields)).startsWith(message);
  }

  private static Manifests render(PluginPolicy policy, String... fields) {
    return (Manifests)
        new ApplicationRenderer("spark", UiPolicy.AS_ASKED, policy, Grants.AS_ASKED)
            .render(application(fields), Optional.empty());
  }
}
