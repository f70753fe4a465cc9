package io.numaspark.render.connect;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkConnectSpec.ServerService;
import io.numaspark.api.v1alpha1.UiOptions.ServiceType;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.ReservedLabels;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.rules.ServiceGrants;
import io.numaspark.render.text.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The Service by which clients reach the server, whichever attempt of its application runs.
 *
 * <p>Limit: it has one server behind it, or none while that starts.
 */
public final class ConnectService {
  private static final String FIELD = "spec.server.service";
  private static final int UI_PORT = 4040;

  private ConnectService() {}

  /** Where clients in the cluster connect to. */
  public static String endpoint(SparkConnect connect) {
    return "sc://%s.%s.svc:%d"
        .formatted(
            ConnectApplication.name(connect),
            connect.getMetadata().getNamespace(),
            ConnectApplication.PORT);
  }

  /** The first thing that it has no right to, with the remedy. */
  public static Optional<String> refusal(SparkConnect connect, Grants grants) {
    ServerService given = given(connect);
    for (String label : new TreeMap<>(SparkProperties.orEmpty(given.labels())).keySet()) {
      if (ReservedLabels.contain(label) || label.equals(Labels.MANAGED_BY)) {
        return Optional.of(
            FIELD + ".labels[\"" + label + "\"]: the operator finds objects by it; remove it");
      }
    }
    return new ServiceGrants(
            grants,
            connect.getMetadata().getNamespace(),
            ConnectApplication.name(connect),
            Objects.requireNonNullElse(connect.getMetadata().getUid(), "none"))
        .refusal(FIELD, type(given), given.labels(), given.annotations());
  }

  /** The Service, without an owner. */
  public static Service of(SparkConnect connect) {
    ServerService given = given(connect);
    String name = ConnectApplication.name(connect);
    SortedMap<String, String> labels = new TreeMap<>(SparkProperties.orEmpty(given.labels()));
    labels.put(Labels.CONNECT, connect.getMetadata().getName());
    labels.put(Labels.MANAGED_BY, Labels.MANAGER);
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(connect.getMetadata().getNamespace())
        .withLabels(labels)
        .withAnnotations(new TreeMap<>(SparkProperties.orEmpty(given.annotations())))
        .endMetadata()
        .withNewSpec()
        .withType(type(given).name())
        .withSelector(
            new TreeMap<>(Map.of(Labels.APPLICATION, name, Labels.SPARK_ROLE, Labels.ROLE_DRIVER)))
        .withPorts(ports(type(given)))
        .withLoadBalancerSourceRanges(given.loadBalancerSourceRanges())
        .endSpec()
        .build();
  }

  /** The web UI has no login, so it does not leave the cluster. */
  private static List<ServicePort> ports(ServiceType type) {
    List<ServicePort> ports = new ArrayList<>();
    ports.add(
        port("grpc", ConnectApplication.PORT, new IntOrString(ConnectApplication.PORT))
            // The word of Kubernetes for gRPC without TLS, which gateways read (KEP-3726).
            .withAppProtocol("kubernetes.io/h2c")
            .build());
    if (type == ServiceType.ClusterIP) {
      ports.add(port("spark-ui", UI_PORT, new IntOrString("spark-ui")).build());
    }
    return ports;
  }

  private static ServicePortBuilder port(String name, int port, IntOrString target) {
    return new ServicePortBuilder()
        .withName(name)
        .withProtocol("TCP")
        .withPort(port)
        .withTargetPort(target);
  }

  private static ServiceType type(ServerService given) {
    return Objects.requireNonNullElse(given.type(), ServiceType.ClusterIP);
  }

  private static ServerService given(SparkConnect connect) {
    return Optional.ofNullable(connect.getSpec().server())
        .map(server -> server.service())
        .orElse(new ServerService(null, null, null, null));
  }
}
