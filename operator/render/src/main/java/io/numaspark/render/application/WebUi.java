package io.numaspark.render.application;

import java.util.Optional;

/**
 * Where a driver's web UI is reached while the driver runs.
 *
 * @param serviceName Service of the web UI
 * @param port of the Service
 * @param address in the cluster, as host and port
 * @param ingressName Ingress or HTTPRoute of the web UI, if the operator makes one
 * @param ingressAddress outside of the cluster, as host and path
 */
public record WebUi(
    String serviceName,
    int port,
    String address,
    Optional<String> ingressName,
    Optional<String> ingressAddress) {}
