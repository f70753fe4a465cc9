package io.numaspark.render.application;

import java.util.Optional;

/**
 * What the operator makes for web UIs of drivers.
 *
 * @param ownService whether each gets a Service of its own even if nothing asks for one; else it is
 *     reached through the driver's Service, which costs the cluster nothing more
 * @param ingressUrlFormat HOST/PATH of an Ingress for each, with {{$appName}}, {{$appNamespace}}
 *     and {{$appId}}; empty for none
 * @param ingressClassName class of every Ingress; empty for the cluster's default
 * @param gateway that HTTPRoutes are attached to, which are then made in place of Ingresses
 */
public record UiPolicy(
    boolean ownService,
    Optional<String> ingressUrlFormat,
    Optional<String> ingressClassName,
    Optional<GatewayListener> gateway) {

  /** What applications ask for. */
  public static final UiPolicy AS_ASKED = new UiPolicy(false, Optional.empty(), Optional.empty());

  /** One that makes Ingresses. */
  public UiPolicy(
      boolean ownService, Optional<String> ingressUrlFormat, Optional<String> ingressClassName) {
    this(ownService, ingressUrlFormat, ingressClassName, Optional.empty());
  }

  /**
   * A Gateway of the Gateway API, or one listener of it.
   *
   * @param section name of the listener; empty for all that take the route
   */
  public record GatewayListener(String namespace, String name, Optional<String> section) {}
}
