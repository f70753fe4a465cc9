package io.numaspark.render.driver;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRouteBuilder;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRouteRuleBuilder;
import io.numaspark.render.application.UiPolicy.GatewayListener;

/**
 * Routes of the Gateway API to ports of a driver.
 *
 * <p>Limit: TLS is the Gateway's own, so a route has no certificate.
 */
final class HttpRoutes {
  private HttpRoutes() {}

  /** A route that takes the URL's path away, because the driver knows nothing of it. */
  static HTTPRoute of(
      ObjectMeta metadata, GatewayListener gateway, IngressUrl url, String service, int port) {
    HTTPRouteRuleBuilder rule =
        new HTTPRouteRuleBuilder()
            .addNewMatch()
            .withNewPath("PathPrefix", url.path().isEmpty() ? "/" : url.path())
            .endMatch()
            .addNewBackendRef()
            .withName(service)
            .withPort(port)
            .endBackendRef();
    if (!url.path().isEmpty()) {
      rule.addNewFilter()
          .withType("URLRewrite")
          .withNewUrlRewrite()
          .withNewPath()
          .withType("ReplacePrefixMatch")
          .withReplacePrefixMatch("/")
          .endPath()
          .endUrlRewrite()
          .endFilter();
    }
    return new HTTPRouteBuilder()
        .withMetadata(metadata)
        .withNewSpec()
        .addNewParentRef()
        .withNamespace(gateway.namespace())
        .withName(gateway.name())
        .withSectionName(gateway.section().orElse(null))
        .endParentRef()
        .withHostnames(url.host())
        .withRules(rule.build())
        .endSpec()
        .build();
  }
}
