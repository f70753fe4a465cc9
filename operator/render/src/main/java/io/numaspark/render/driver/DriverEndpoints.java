package io.numaspark.render.driver;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.IngressTLS;
import io.numaspark.api.v1alpha1.DriverIngress;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.UiOptions;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.DriverUi;
import io.numaspark.render.application.OwnedMetadata;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.UiPolicy;
import io.numaspark.render.application.WebUi;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.Labels;
import io.numaspark.render.text.ResourceNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Services, and Ingresses or HTTPRoutes, through which people and programs reach a driver: its web
 * UI (spec.sparkUIOptions) and further ports (spec.driverIngressOptions).
 *
 * <p>If the operator has a Gateway, HTTPRoutes are made in place of Ingresses. Limit: an Ingress
 * below a path relies on ingress-nginx, whose annotation takes the path away; with another
 * controller give each application a host of its own.
 */
public final class DriverEndpoints {
  private static final String DEFAULT_PORT_NAME = "spark-driver-ui-port";
  private static final String OPERATOR_FORMAT = "the operator's Ingress URL format";
  private static final String REWRITE = "nginx.ingress.kubernetes.io/rewrite-target";

  private final SparkApplicationSpec spec;
  private final ApplicationIdentity identity;
  private final UiPolicy policy;

  DriverEndpoints(SparkApplicationSpec spec, ApplicationIdentity identity, UiPolicy policy) {
    this.spec = spec;
    this.identity = identity;
    this.policy = policy;
  }

  /** Ports or URLs that two endpoints would share, or text that is not a URL. */
  Optional<Refusal> refusal() {
    try {
      ingressUrl();
      Set<Integer> ports = new HashSet<>();
      Set<IngressUrl> urls = new HashSet<>();
      for (int i = 0; i < options().size(); i++) {
        DriverIngress option = options().get(i);
        String field = "spec.driverIngressOptions[" + i + "]";
        if (!ports.add(option.servicePort())) {
          return refuse(
              "%s.servicePort: %d is given twice; give each item a port of its own"
                  .formatted(field, option.servicePort()));
        }
        Optional<IngressUrl> url = url(field, option);
        if (url.isPresent() && !urls.add(url.get())) {
          return refuse(
              "%s.ingressURLFormat: %s is given twice; give each item a URL of its own"
                  .formatted(field, url.get().address()));
        }
      }
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return refuse(e.getMessage());
    }
  }

  /** Everything in the order in which it is to be created. */
  List<HasMetadata> objects() {
    List<HasMetadata> objects = new ArrayList<>();
    if (hasOwnUiService()) {
      UiOptions ui = ui();
      objects.add(
          service(
              uiServiceName(),
              new Port(
                  Objects.requireNonNullElse(ui.servicePortName(), DEFAULT_PORT_NAME),
                  uiServicePort(),
                  DriverUi.port(spec)),
              Objects.requireNonNullElse(ui.serviceType(), UiOptions.ServiceType.ClusterIP),
              ui.serviceLabels(),
              ui.serviceAnnotations()));
      ingressUrl()
          .ifPresent(
              url ->
                  objects.add(
                      route(
                          uiIngressName(),
                          url,
                          new Backend(uiServiceName(), uiServicePort()),
                          ui.ingressAnnotations(),
                          ui.ingressTLS())));
    }
    for (int i = 0; i < options().size(); i++) {
      addEndpoint(objects, "spec.driverIngressOptions[" + i + "]", options().get(i));
    }
    return objects;
  }

  /** Where the web UI is reached, for the status; empty if there is none. */
  public Optional<WebUi> webUi() {
    if (!DriverUi.isEnabled(spec)) {
      return Optional.empty();
    }
    Optional<IngressUrl> url = ingressUrl();
    return Optional.of(
        new WebUi(
            uiServiceName(),
            uiServicePort(),
            "%s.%s.svc:%d".formatted(uiServiceName(), identity.namespace(), uiServicePort()),
            url.map(given -> uiIngressName()),
            url.map(IngressUrl::address)));
  }

  /** What the web UI must know of a path that an Ingress takes away. */
  Settings settings() {
    Settings settings = new Settings();
    ingressUrl()
        .filter(url -> DriverUi.isEnabled(spec) && !url.path().isEmpty())
        .ifPresent(
            url ->
                settings
                    .derived("the operator's Ingress URL format")
                    .put("spark.ui.proxyBase", url.path())
                    .put("spark.ui.proxyRedirectUri", "/"));
    return settings;
  }

  /** The driver's Service has no cluster IP, and some controllers of Ingresses want one. */
  private boolean hasOwnUiService() {
    boolean wanted =
        policy.ownService()
            || policy.ingressUrlFormat().isPresent()
            || spec.sparkUIOptions() != null;
    return wanted && DriverUi.isEnabled(spec);
  }

  /** Where the Ingress of the web UI leads from, which the operator's settings decide. */
  public Optional<IngressUrl> ingressUrl() {
    return policy
        .ingressUrlFormat()
        .map(format -> IngressUrl.of(OPERATOR_FORMAT, format, identity));
  }

  private void addEndpoint(List<HasMetadata> objects, String field, DriverIngress option) {
    int port = option.servicePort();
    String name = names("-driver-" + port);
    objects.add(
        service(
            name,
            new Port(option.servicePortName(), port, port),
            Objects.requireNonNullElse(option.serviceType(), UiOptions.ServiceType.ClusterIP),
            option.serviceLabels(),
            option.serviceAnnotations()));
    url(field, option)
        .ifPresent(
            url ->
                objects.add(
                    route(
                        names("-ing-" + port),
                        url,
                        new Backend(name, port),
                        option.ingressAnnotations(),
                        option.ingressTLS())));
  }

  /** Where the Ingress of a further port leads from. */
  public Optional<IngressUrl> url(String field, DriverIngress option) {
    return Optional.ofNullable(option.ingressURLFormat())
        .map(format -> IngressUrl.of(field + ".ingressURLFormat", format, identity));
  }

  private record Port(String name, int port, int target) {}

  private record Backend(String service, int port) {}

  private Service service(
      String name,
      Port port,
      UiOptions.ServiceType type,
      Map<String, String> labels,
      Map<String, String> annotations) {
    return new ServiceBuilder()
        .withMetadata(OwnedMetadata.of(identity, name, labels, annotations))
        .withNewSpec()
        .withType(type.name())
        .withSelector(OwnedMetadata.selector(identity, Labels.ROLE_DRIVER))
        .addNewPort()
        .withName(port.name())
        .withPort(port.port())
        .withNewTargetPort(port.target())
        .endPort()
        .endSpec()
        .build();
  }

  private HasMetadata route(
      String name,
      IngressUrl url,
      Backend backend,
      Map<String, String> annotations,
      List<IngressTLS> tls) {
    return policy
        .gateway()
        .<HasMetadata>map(
            gateway ->
                HttpRoutes.of(
                    OwnedMetadata.of(identity, name, Map.of(), annotations),
                    gateway,
                    url,
                    backend.service(),
                    backend.port()))
        .orElseGet(() -> ingress(name, url, backend, annotations, tls));
  }

  private Ingress ingress(
      String name,
      IngressUrl url,
      Backend backend,
      Map<String, String> annotations,
      List<IngressTLS> tls) {
    SortedMap<String, String> all = new TreeMap<>(SparkProperties.orEmpty(annotations));
    boolean below = !url.path().isEmpty();
    if (below) {
      all.putIfAbsent(REWRITE, "/$2");
    }
    return new IngressBuilder()
        .withMetadata(OwnedMetadata.of(identity, name, Map.of(), all))
        .withNewSpec()
        .withIngressClassName(policy.ingressClassName().orElse(null))
        .withTls(tls)
        .addNewRule()
        .withHost(url.host())
        .withNewHttp()
        .addNewPath()
        .withPath(below ? url.pathPattern() + "(/|$)(.*)" : "/")
        .withPathType("ImplementationSpecific")
        .withNewBackend()
        .withNewService()
        .withName(backend.service())
        .withNewPort()
        .withNumber(backend.port())
        .endPort()
        .endService()
        .endBackend()
        .endPath()
        .endHttp()
        .endRule()
        .endSpec()
        .build();
  }

  private UiOptions ui() {
    return spec.sparkUIOptions() != null
        ? spec.sparkUIOptions()
        : new UiOptions(null, null, null, null, null, null, null);
  }

  private List<DriverIngress> options() {
    return Objects.requireNonNullElse(spec.driverIngressOptions(), List.of());
  }

  private String uiServiceName() {
    return hasOwnUiService() ? names("-ui-svc") : identity.names().driverService();
  }

  private String uiIngressName() {
    return names("-ui-ingress");
  }

  private int uiServicePort() {
    return Objects.requireNonNullElse(ui().servicePort(), DriverUi.port(spec));
  }

  private String names(String suffix) {
    return ResourceNames.named(identity.name(), suffix, identity.attempt());
  }

  private static Optional<Refusal> refuse(String message) {
    return Optional.of(new Refusal(RefusalReason.SPEC_INVALID, message));
  }
}
