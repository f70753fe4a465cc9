package io.numaspark.render.rules;

import static io.numaspark.render.fixture.Specs.application;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.UiOptions.ServiceType;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.UiPolicy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The application is called pi and runs in namespace default. */
class GrantRulesTest {
  private static final String PORT =
      "driverIngressOptions: [{servicePort: 1, servicePortName: a, %s}]";

  private static final UiPolicy INGRESS =
      new UiPolicy(false, Optional.of("{{$appName}}.ui.example.com"), Optional.empty());

  private static final Grants SOME =
      new Grants(
          Set.of(ServiceType.ClusterIP, ServiceType.NodePort),
          List.of("example.com/mesh", "team.example.com/*"),
          List.of("team"),
          List.of("*.{{$appNamespace}}.spark.example.com", "e.com/{{ $appNamespace }}/"),
          List.of("nginx.ingress.kubernetes.io/proxy-read-timeout"),
          List.of("{{$appName}}-tls", "shared-*"),
          true,
          true);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'driver: {serviceAnnotations: {external-dns.alpha.kubernetes.io/hostname: bank.example.com}}' | spec.driver.serviceAnnotations["external-dns.alpha.kubernetes.io/hostname"]: is not granted to applications; remove it, or ask the platform to grant it by the chart's grants.serviceAnnotations
          'driver: {serviceLabels: {a: b}}' | spec.driver.serviceLabels["a"]: is not granted
          'sparkConf: {spark.kubernetes.driver.service.annotation.a/b: c}' | spec.sparkConf["spark.kubernetes.driver.service.annotation.a/b"]: is not granted
          'sparkConf: {spark.kubernetes.driver.service.label.a: c}' | spec.sparkConf["spark.kubernetes.driver.service.label.a"]: is not granted
          'sparkUIOptions: {serviceType: NodePort}' | spec.sparkUIOptions.serviceType: NodePort is not granted
          'sparkUIOptions: {serviceType: LoadBalancer}' | spec.sparkUIOptions.serviceType: LoadBalancer is not granted
          'sparkUIOptions: {serviceAnnotations: {a: b}}' | spec.sparkUIOptions.serviceAnnotations["a"]: is not granted
          'sparkUIOptions: {serviceLabels: {a: b}}' | spec.sparkUIOptions.serviceLabels["a"]: is not granted
          'sparkUIOptions: {ingressAnnotations: {nginx.ingress.kubernetes.io/configuration-snippet: x}}' | spec.sparkUIOptions.ingressAnnotations["nginx.ingress.kubernetes.io/configuration-snippet"]: is not granted
          'sparkUIOptions: {ingressTLS: [{hosts: [pi.ui.example.com], secretName: s}]}' | spec.sparkUIOptions.ingressTLS[0].secretName: s is not granted
          'sparkUIOptions: {ingressTLS: [{hosts: [bank.example.com]}]}' | spec.sparkUIOptions.ingressTLS[0].hosts: is not the host of the Ingress; write hosts: [pi.ui.example.com]
          'sparkUIOptions: {ingressTLS: [{}]}' | spec.sparkUIOptions.ingressTLS[0].hosts: is not the host
          'driverIngressOptions: [{servicePort: 1, servicePortName: a, serviceType: LoadBalancer}]' | spec.driverIngressOptions[0].serviceType: LoadBalancer is not granted
          'driverIngressOptions: [{servicePort: 1, servicePortName: a, serviceAnnotations: {a: b}}]' | spec.driverIngressOptions[0].serviceAnnotations["a"]: is not granted
          'driverIngressOptions: [{servicePort: 1, servicePortName: a, ingressURLFormat: bank.example.com/pay}]' | spec.driverIngressOptions[0].ingressURLFormat: bank.example.com/pay is not granted to applications; remove it, or ask the platform to grant it by the chart's grants.ingressHosts
          'driverPodDisruptionBudget: true' | spec.driverPodDisruptionBudget: true is not granted
          'batchScheduler: volcano' | spec.batchScheduler: the PodGroup of volcano is not granted
          'batchScheduler: workload' | spec.batchScheduler: the PodGroup of workload is not granted
          'batchScheduler: other' | spec.batchScheduler: the PodGroup of other is not granted
          """)
  void whatIsNotGrantedIsRefusedWithTheFieldAndTheRemedy(String fields, String message) {
    Refusal refusal = (Refusal) render(Grants.LEAST, INGRESS, fields);
    assertThat(refusal.reason()).isEqualTo("NotGranted");
    assertThat(refusal.message()).startsWith(message);
    assertThat(render(Grants.AS_ASKED, UiPolicy.AS_ASKED, fields)).isInstanceOf(Manifests.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sparkUIOptions: {servicePort: 80}",
        "driverIngressOptions: [{servicePort: 1, servicePortName: a}]",
        "driverPodDisruptionBudget: false",
        "batchScheduler: yunikorn",
        "sparkUIOptions: {ingressTLS: [{hosts: [pi.ui.example.com]}]}"
      })
  void whatStaysInTheClusterNeedsNoGrant(String fields) {
    assertThat(render(Grants.LEAST, INGRESS, fields)).isInstanceOf(Manifests.class);
  }

  @Test
  void withoutAnyTypeThereIsOnlyTheDriversService() {
    Grants none =
        new Grants(Set.of(), List.of(), List.of(), List.of(), List.of(), List.of(), false, false);
    assertThat(render(none, UiPolicy.AS_ASKED, "{}")).isInstanceOf(Manifests.class);
    assertThat(render(none, UiPolicy.AS_ASKED, "sparkUIOptions: {}")).isInstanceOf(Refusal.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ingressURLFormat: '{{$appName}}.default.spark.example.com'",
        "ingressURLFormat: x.default.spark.example.com/any/path",
        "ingressURLFormat: e.com/default",
        "ingressURLFormat: e.com/default/pi/",
        "serviceType: NodePort",
        "serviceLabels: {team: a}, serviceAnnotations: {example.com/mesh: x, team.example.com/b: c}",
        "ingressURLFormat: x.default.spark.example.com,"
            + " ingressAnnotations: {nginx.ingress.kubernetes.io/proxy-read-timeout: '9'},"
            + " ingressTLS: [{hosts: [x.default.spark.example.com], secretName: pi-tls}]",
        "ingressURLFormat: e.com/default, ingressTLS: [{hosts: [e.com], secretName: shared-a}]"
      })
  void whatIsGrantedIsMade(String fields) {
    assertThat(render(SOME, UiPolicy.AS_ASKED, PORT.formatted(fields)))
        .isInstanceOf(Manifests.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ingressURLFormat: x.other.spark.example.com",
        "ingressURLFormat: default.spark.example.com",
        "ingressURLFormat: a.b.default.spark.example.com",
        "ingressURLFormat: x.default.spark.example.com.evil.org",
        "ingressURLFormat: '*.default.spark.example.com'",
        "ingressURLFormat: e.com",
        "ingressURLFormat: e.com/other",
        "ingressURLFormat: e.com/default-2",
        "ingressURLFormat: e.com/default/../other",
        "ingressURLFormat: e.com/default/*other",
        "ingressURLFormat: 'e.com/default/(.*)'",
        "ingressURLFormat: e.com//default",
        "ingressURLFormat: e.com/default/%2e%2e/other",
        "serviceType: LoadBalancer",
        "serviceLabels: {teams: a}",
        "serviceAnnotations: {example.com/mesh2: x}",
        "ingressURLFormat: e.com/default, ingressTLS: [{hosts: [e.com], secretName: other-tls}]",
        "ingressURLFormat: e.com/default, ingressTLS: [{hosts: [e.com, f.com], secretName: pi-tls}]"
      })
  void whatIsNextToItIsNot(String fields) {
    assertThat(render(SOME, UiPolicy.AS_ASKED, PORT.formatted(fields))).isInstanceOf(Refusal.class);
  }

  private static RenderResult render(Grants grants, UiPolicy ui, String fields) {
    String[] all = fields.equals("{}") ? new String[0] : new String[] {fields};
    return new ApplicationRenderer("spark", ui, PluginPolicy.NONE, grants)
        .render(application(all), Optional.empty());
  }
}
