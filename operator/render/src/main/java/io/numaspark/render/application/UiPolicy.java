package io.numaspark.render.application;

import java.util.Optional;

/**
 * What the operator makes for web UIs of drivers, whatever an application says.
 *
 * @param service whether each driver with a web UI gets a Service
 * @param ingressUrlFormat HOST/PATH of an Ingress for it, with {{$appName}}, {{$appNamespace}} and
 *     {{$appId}}; empty for none
 * @param ingressClassName class of every Ingress; empty for the cluster's default
 */
public record UiPolicy(
    boolean service, Optional<String> ingressUrlFormat, Optional<String> ingressClassName) {

  /** A Service and no Ingress. */
  public static final UiPolicy SERVICE_ONLY =
      new UiPolicy(true, Optional.empty(), Optional.empty());
}
