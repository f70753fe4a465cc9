package io.numaspark.render.driver;

import static io.numaspark.render.fixture.Renderings.ordinary;
import static io.numaspark.render.fixture.Renderings.other;
import static io.numaspark.render.fixture.Renderings.refusal;
import static io.numaspark.render.fixture.Renderings.with;
import static io.numaspark.render.fixture.Specs.application;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.UiPolicy;
import io.numaspark.render.application.UiPolicy.GatewayListener;
import io.numaspark.render.application.WebUi;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DriverEndpointsTest {
  private static UiPolicy ingress(String format) {
    return new UiPolicy(false, Optional.of(format), Optional.of("nginx"));
  }

  @Test
  void aWebUiIsReachedThroughTheDriversService() {
    Manifests manifests = ordinary("sparkConf: {spark.ui.port: '4141'}");
    assertThat(manifests.others()).isEmpty();
    assertThat(manifests.webUi())
        .hasValue(
            new WebUi(
                "pi-driver-svc",
                4141,
                "pi-driver-svc.default.svc:4141",
                Optional.empty(),
                Optional.empty()));
    assertThat(manifests.driverService().getSpec().getPorts())
        .extracting(ServicePort::getPort)
        .contains(4141);
  }

  static Stream<Manifests> withAServiceOfTheirOwn() {
    return Stream.of(
        ordinary("sparkUIOptions: {}"),
        with(new UiPolicy(true, Optional.empty(), Optional.empty())),
        with(ingress("{{$appName}}.example.com")));
  }

  @ParameterizedTest
  @MethodSource("withAServiceOfTheirOwn")
  void whoAsksForAServiceHasOne(Manifests manifests) {
    Service service = other(manifests, Service.class);
    assertThat(service.getMetadata().getName()).isEqualTo("pi-ui-svc");
    assertThat(service.getSpec().getType()).isEqualTo("ClusterIP");
    assertThat(service.getSpec().getPorts())
        .singleElement()
        .satisfies(
            port -> {
              assertThat(port.getName()).isEqualTo("spark-driver-ui-port");
              assertThat(port.getPort()).isEqualTo(4040);
              assertThat(port.getTargetPort().getIntVal()).isEqualTo(4040);
            });
    assertThat(manifests.driverPod().getMetadata().getLabels())
        .as("the Service finds the driver")
        .containsAllEntriesOf(service.getSpec().getSelector());
    assertThat(service.getMetadata().getOwnerReferences())
        .isEqualTo(manifests.driverPod().getMetadata().getOwnerReferences());
  }

  @Test
  void theUsersOptionsAreTaken() {
    Service service =
        other(
            ordinary(
                "sparkConf: {spark.ui.port: '4141'}",
                "sparkUIOptions: {servicePort: 80, servicePortName: ui, serviceType: NodePort,"
                    + " serviceLabels: {team: a, numaspark.io/application: other}, serviceAnnotations: {b: c}}"),
            Service.class);
    assertThat(service.getSpec().getType()).isEqualTo("NodePort");
    assertThat(service.getSpec().getPorts().get(0).getPort()).isEqualTo(80);
    assertThat(service.getSpec().getPorts().get(0).getName()).isEqualTo("ui");
    assertThat(service.getSpec().getPorts().get(0).getTargetPort().getIntVal()).isEqualTo(4141);
    assertThat(service.getMetadata().getLabels())
        .containsEntry("team", "a")
        .containsEntry("numaspark.io/application", "pi");
    assertThat(service.getMetadata().getAnnotations()).isEqualTo(Map.of("b", "c"));
  }

  @Test
  void withoutAWebUiThereIsNone() {
    assertThat(ordinary("sparkConf: {spark.ui.enabled: 'false'}").others()).isEmpty();
    assertThat(
            with(
                    new UiPolicy(true, Optional.of("a.b"), Optional.empty()),
                    "sparkConf: {spark.ui.enabled: 'false'}")
                .others())
        .isEmpty();
  }

  @Test
  void aHostOfItsOwnNeedsNoProxySettings() {
    Manifests manifests =
        with(
            ingress("{{$appName}}.{{ $appNamespace }}.example.com"),
            "sparkUIOptions: {ingressAnnotations: {a: b}, ingressTLS: [{hosts: [pi.default.example.com], secretName: s}]}");
    Ingress ingress = other(manifests, Ingress.class);
    assertThat(ingress.getMetadata().getName()).isEqualTo("pi-ui-ingress");
    assertThat(ingress.getMetadata().getAnnotations()).isEqualTo(Map.of("a", "b"));
    assertThat(ingress.getSpec().getIngressClassName()).isEqualTo("nginx");
    assertThat(ingress.getSpec().getTls().get(0).getSecretName()).isEqualTo("s");
    assertThat(ingress.getSpec().getRules().get(0).getHost()).isEqualTo("pi.default.example.com");
    assertThat(ingress.getSpec().getRules().get(0).getHttp().getPaths().get(0).getPath())
        .isEqualTo("/");
    assertThat(manifests.sparkConf()).doesNotContainKey("spark.ui.proxyBase");
    assertThat(manifests.warnings()).isEmpty();
  }

  @Test
  void aPathIsTakenAwayByTheIngressAndAddedAgainByTheUi() {
    Manifests manifests = with(ingress("https://example.com:8443/{{$appNamespace}}/{{$appName}}/"));
    Ingress ingress = other(manifests, Ingress.class);
    assertThat(ingress.getSpec().getRules().get(0).getHost()).isEqualTo("example.com");
    assertThat(ingress.getSpec().getRules().get(0).getHttp().getPaths().get(0).getPath())
        .isEqualTo("/default/pi(/|$)(.*)");
    assertThat(ingress.getMetadata().getAnnotations())
        .containsEntry("nginx.ingress.kubernetes.io/rewrite-target", "/$2");
    assertThat(manifests.sparkConf())
        .containsEntry("spark.ui.proxyBase", "/default/pi")
        .containsEntry("spark.ui.proxyRedirectUri", "/");
    assertThat(with(ingress("e.com/p"), "sparkConf: {spark.ui.proxyBase: /mine}").sparkConf())
        .containsEntry("spark.ui.proxyBase", "/mine");
  }

  private static UiPolicy gateway(String format, Optional<String> listener) {
    return new UiPolicy(
        false,
        Optional.of(format),
        Optional.of("nginx"),
        Optional.of(new GatewayListener("gateways", "web", listener)));
  }

  @Test
  void behindAGatewayAHostHasARoute() {
    Manifests manifests =
        with(
            gateway("{{$appName}}.example.com", Optional.empty()),
            "sparkUIOptions: {servicePort: 80, ingressAnnotations: {a: b}}");
    assertThat(manifests.others())
        .extracting(HasMetadata::getKind)
        .containsExactly("Service", "HTTPRoute");
    HTTPRoute route = other(manifests, HTTPRoute.class);
    assertThat(route.getApiVersion()).isEqualTo("gateway.networking.k8s.io/v1");
    assertThat(route.getMetadata().getAnnotations()).isEqualTo(Map.of("a", "b"));
    assertThat(route.getMetadata().getOwnerReferences())
        .isEqualTo(manifests.driverPod().getMetadata().getOwnerReferences());
    assertThat(Serialization.asYaml(route.getSpec()))
        .isEqualToNormalizingNewlines(
            """
            ---
            hostnames:
            - "pi.example.com"
            parentRefs:
            - name: "web"
              namespace: "gateways"
            rules:
            - backendRefs:
              - name: "pi-ui-svc"
                port: 80
              matches:
              - path:
                  type: "PathPrefix"
                  value: "/"
            """);
    assertThat(manifests.webUi().orElseThrow().ingressName()).contains("pi-ui-ingress");
    assertThat(manifests.warnings()).isEmpty();
  }

  @Test
  void behindAGatewayAPathIsTakenAwayByTheRoute() {
    Manifests manifests =
        with(gateway("example.com/{{$appNamespace}}/{{$appName}}", Optional.of("https")));
    HTTPRoute route = other(manifests, HTTPRoute.class);
    assertThat(route.getSpec().getParentRefs().get(0).getSectionName()).isEqualTo("https");
    assertThat(Serialization.asYaml(route.getSpec().getRules()))
        .isEqualToNormalizingNewlines(
            """
            ---
            - backendRefs:
              - name: "pi-ui-svc"
                port: 4040
              filters:
              - type: "URLRewrite"
                urlRewrite:
                  path:
                    replacePrefixMatch: "/"
                    type: "ReplacePrefixMatch"
              matches:
              - path:
                  type: "PathPrefix"
                  value: "/default/pi"
            """);
    assertThat(manifests.sparkConf()).containsEntry("spark.ui.proxyBase", "/default/pi");
  }

  @Test
  void aGatewayHasTheCertificates() {
    assertThat(
            with(
                    gateway("{{$appName}}.example.com", Optional.empty()),
                    "sparkUIOptions: {ingressTLS: [{hosts: [pi.example.com], secretName: s}]}")
                .warnings())
        .singleElement()
        .asString()
        .contains("sparkUIOptions.ingressTLS", "the Gateway has the certificates");
  }

  @Test
  void whatTheStatusTellsIsWhatIsMade() {
    UiPolicy policy = ingress("{{$appName}}.example.com");
    assertThat(with(policy, "sparkUIOptions: {servicePort: 80}").webUi())
        .hasValue(
            new WebUi(
                "pi-ui-svc",
                80,
                "pi-ui-svc.default.svc:80",
                Optional.of("pi-ui-ingress"),
                Optional.of("pi.example.com")));
    assertThat(ordinary().webUi().orElseThrow().ingressName()).isEmpty();
    assertThat(with(policy, "sparkConf: {spark.ui.enabled: 'false'}").webUi()).isEmpty();
  }

  @Test
  void furtherPortsHaveAServiceAndAnIngressEach() {
    Manifests manifests =
        ordinary(
            "driverIngressOptions: [{servicePort: 9090, servicePortName: rest, serviceType: LoadBalancer,"
                + " ingressURLFormat: '{{$appId}}.example.com', ingressAnnotations: {a: b}},"
                + " {servicePort: 9091, servicePortName: grpc}]");
    assertThat(manifests.others())
        .extracting(other -> other.getKind() + " " + other.getMetadata().getName())
        .containsExactly("Service pi-driver-9090", "Ingress pi-ing-9090", "Service pi-driver-9091");
    Ingress ingress = other(manifests, Ingress.class);
    assertThat(ingress.getSpec().getRules().get(0).getHost())
        .isEqualTo(manifests.sparkConf().get("spark.app.id") + ".example.com");
    assertThat(ingress.getSpec().getIngressClassName()).isNull();
  }

  @Test
  void laterAttemptsHaveNamesAndLabelsOfTheirOwn() {
    Manifests second =
        (Manifests)
            new ApplicationRenderer(
                    "spark",
                    ingress("{{$appName}}.example.com"),
                    PluginPolicy.NONE,
                    Grants.AS_ASKED)
                .render(
                    application("driverPodDisruptionBudget: true", "batchScheduler: volcano"),
                    Optional.empty(),
                    2);
    assertThat(second.others())
        .extracting(HasMetadata::getMetadata)
        .extracting(metadata -> metadata.getName())
        .containsExactly("pi-ui-svc-2", "pi-ui-ingress-2", "pi-driver-2", "pi-pg-2");
    assertThat(second.others())
        .allSatisfy(
            other ->
                assertThat(other.getMetadata().getLabels())
                    .containsEntry("numaspark.io/attempt", "2")
                    .containsEntry("spark-app-selector", second.sparkConf().get("spark.app.id")));
  }

  @Test
  void namesStayWithin63Characters() {
    String name = "a".repeat(63);
    Manifests manifests =
        (Manifests)
            new ApplicationRenderer("spark")
                .render(
                    io.numaspark.render.fixture.Resources.application(
                        ("{metadata: {name: %s}, spec: {type: R, image: i, mainApplicationFile: f,"
                                + " monitoring: {}, sparkUIOptions: {}, driverIngressOptions:"
                                + " [{servicePort: 65535, servicePortName: p}]}}")
                            .formatted(name)),
                    Optional.empty(),
                    1000);
    assertThat(manifests.others())
        .hasSize(3)
        .allSatisfy(
            other ->
                assertThat(other.getMetadata().getName())
                    .hasSizeLessThanOrEqualTo(63)
                    .matches("[a-z]([-a-z0-9]*[a-z0-9])?"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '[{servicePort: 1, servicePortName: a}, {servicePort: 1, servicePortName: b}]' | spec.driverIngressOptions[1].servicePort: 1 is given twice; give
          '[{servicePort: 1, servicePortName: a, ingressURLFormat: e.com}, {servicePort: 2, servicePortName: b, ingressURLFormat: "http://e.com/"}]' | spec.driverIngressOptions[1].ingressURLFormat: e.com is given twice; give
          '[{servicePort: 1, servicePortName: a, ingressURLFormat: "not a url"}]' | spec.driverIngressOptions[0].ingressURLFormat: 'not a url' is not a host and path; write
          '[{servicePort: 1, servicePortName: a, ingressURLFormat: "{{$nobody}}.com"}]' | spec.driverIngressOptions[0].ingressURLFormat: '{{$nobody}}.com' is not a host
          '[null]' | spec.driverIngressOptions[0]: Invalid value: "null"
          '[{servicePort: 1}]'                                                          | spec.driverIngressOptions[0].servicePortName: Required value
          """)
  void sharedOrUnreadableEndpointsAreRefused(String options, String message) {
    assertThat(refusal("driverIngressOptions: " + options)).startsWith(message);
  }

  @Test
  void anUnreadableFormatOfTheOperatorIsNamed() {
    RenderResult result =
        new ApplicationRenderer("spark", ingress("??"), PluginPolicy.NONE, Grants.AS_ASKED)
            .render(application(), Optional.empty());
    assertThat(((Refusal) result).message()).startsWith("the operator's Ingress URL format: '??'");
  }
}
