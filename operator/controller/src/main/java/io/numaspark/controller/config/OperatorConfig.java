package io.numaspark.controller.config;

import io.numaspark.api.v1alpha1.UiOptions.ServiceType;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.PluginJar;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.UiPolicy;
import io.numaspark.render.application.UiPolicy.GatewayListener;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The operator's settings, read once at start from the environment.
 *
 * @param namespaces namespaces whose applications are run; empty for all
 * @param driverServiceAccount service account of drivers whose application names none
 * @param httpPort port of metrics and node pages (1-65535)
 * @param probePort port of the kubelet's probes (1-65535), another
 * @param workers reconciliations at once (1-256)
 * @param ui what is made for web UIs of drivers
 * @param plugin where the Spark plugin's jar is, and what it finds on the nodes
 * @param grants what applications may have that their authors may have no right to make
 * @param foreignPods whether pods of others are watched, so that slots know of theirs
 * @param webhook whether a webhook gives slots to executors of others, which are then watched
 * @param kueue whether applications that name a queue of Kueue wait there for quota
 * @param agents whether the operator may order agents onto nodes, and has the rights for it
 * @param pinners whether these agents have a pinner where the operator wants one
 * @param lease shared by the replicas, of which one works; empty if there is only one
 */
public record OperatorConfig(
    Set<String> namespaces,
    String driverServiceAccount,
    int httpPort,
    int probePort,
    int workers,
    UiPolicy ui,
    PluginPolicy plugin,
    Grants grants,
    boolean foreignPods,
    boolean webhook,
    boolean kueue,
    boolean agents,
    boolean pinners,
    Optional<Lease> lease) {
  private static final String PREFIX = Environment.PREFIX;
  private static final String NAMESPACES = PREFIX + "NAMESPACES";
  private static final String DRIVER_SERVICE_ACCOUNT = PREFIX + "DRIVER_SERVICE_ACCOUNT";
  private static final String HTTP_PORT = PREFIX + "HTTP_PORT";
  private static final String PROBE_PORT = PREFIX + "PROBE_PORT";
  private static final String WORKERS = PREFIX + "WORKERS";
  private static final String UI_OWN_SERVICE = PREFIX + "UI_OWN_SERVICE";
  private static final String UI_INGRESS_URL_FORMAT = PREFIX + "UI_INGRESS_URL_FORMAT";
  private static final String UI_INGRESS_CLASS = PREFIX + "UI_INGRESS_CLASS";
  private static final String UI_GATEWAY = PREFIX + "UI_GATEWAY";
  private static final String PLUGIN_IMAGE = PREFIX + "SPARK_PLUGIN_IMAGE";
  private static final String PLUGIN_PULL_POLICY = PREFIX + "SPARK_PLUGIN_PULL_POLICY";
  private static final String PLUGIN_PATH = PREFIX + "SPARK_PLUGIN_PATH";
  private static final String PLUGIN_BY_DEFAULT = PREFIX + "SPARK_PLUGIN_BY_DEFAULT";
  private static final String SHARED_PAGES_CLAIM = PREFIX + "SHARED_PAGES_CLAIM";
  private static final String SHARED_PAGES_NAMESPACES = PREFIX + "SHARED_PAGES_NAMESPACES";
  private static final String GRANT = PREFIX + "GRANT_";
  private static final String SERVICE_TYPES = GRANT + "SERVICE_TYPES";
  private static final String SERVICE_ANNOTATIONS = GRANT + "SERVICE_ANNOTATIONS";
  private static final String SERVICE_LABELS = GRANT + "SERVICE_LABELS";
  private static final String INGRESS_HOSTS = GRANT + "INGRESS_HOSTS";
  private static final String INGRESS_ANNOTATIONS = GRANT + "INGRESS_ANNOTATIONS";
  private static final String INGRESS_TLS_SECRETS = GRANT + "INGRESS_TLS_SECRETS";
  private static final String POD_DISRUPTION_BUDGETS = GRANT + "POD_DISRUPTION_BUDGETS";
  private static final String POD_GROUPS = GRANT + "POD_GROUPS";
  private static final String FOREIGN_PODS = PREFIX + "FOREIGN_PODS";
  private static final String WEBHOOK = PREFIX + "WEBHOOK";
  private static final String KUEUE = PREFIX + "KUEUE";
  private static final String AGENTS = PREFIX + "AGENTS";
  private static final String PINNERS = PREFIX + "PINNERS";
  private static final String LEASE_NAME = PREFIX + "LEASE_NAME";
  private static final String LEASE_NAMESPACE = PREFIX + "LEASE_NAMESPACE";
  private static final String LEASE_IDENTITY = PREFIX + "LEASE_IDENTITY";

  private static final Set<String> KNOWN =
      Set.of(
          NAMESPACES,
          DRIVER_SERVICE_ACCOUNT,
          HTTP_PORT,
          PROBE_PORT,
          WORKERS,
          UI_OWN_SERVICE,
          UI_INGRESS_URL_FORMAT,
          UI_INGRESS_CLASS,
          UI_GATEWAY,
          PLUGIN_IMAGE,
          PLUGIN_PULL_POLICY,
          PLUGIN_PATH,
          PLUGIN_BY_DEFAULT,
          SHARED_PAGES_CLAIM,
          SHARED_PAGES_NAMESPACES,
          SERVICE_TYPES,
          SERVICE_ANNOTATIONS,
          SERVICE_LABELS,
          INGRESS_HOSTS,
          INGRESS_ANNOTATIONS,
          INGRESS_TLS_SECRETS,
          POD_DISRUPTION_BUDGETS,
          POD_GROUPS,
          FOREIGN_PODS,
          WEBHOOK,
          KUEUE,
          AGENTS,
          PINNERS,
          LEASE_NAME,
          LEASE_NAMESPACE,
          LEASE_IDENTITY);

  /**
   * Settings from environment variables; absent ones have defaults.
   *
   * @throws IllegalArgumentException naming the variable, if one is unknown or has a bad value
   */
  public static OperatorConfig fromEnvironment(Map<String, String> variables) {
    Environment environment = Environment.of(variables, KNOWN);
    int httpPort = environment.number(HTTP_PORT, 8080, 65535);
    return new OperatorConfig(
        environment.names(NAMESPACES),
        environment.text(DRIVER_SERVICE_ACCOUNT, "spark"),
        httpPort,
        environment.otherPort(PROBE_PORT, 8081, Map.of(HTTP_PORT, httpPort)),
        environment.number(WORKERS, 16, 256),
        ui(environment),
        plugin(environment),
        grants(environment),
        environment.flag(FOREIGN_PODS, true),
        environment.flag(WEBHOOK, false),
        environment.flag(KUEUE, false),
        environment.flag(AGENTS, true),
        environment.flag(PINNERS, false),
        lease(environment));
  }

  private static UiPolicy ui(Environment environment) {
    return new UiPolicy(
        environment.flag(UI_OWN_SERVICE, false),
        environment.given(UI_INGRESS_URL_FORMAT),
        environment.given(UI_INGRESS_CLASS),
        environment.given(UI_GATEWAY).map(OperatorConfig::gateway));
  }

  private static GatewayListener gateway(String text) {
    List<String> parts = List.of(text.split("/", -1));
    if (parts.size() < 2 || parts.size() > 3 || parts.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "%s is '%s', but must be NAMESPACE/NAME of a Gateway, or NAMESPACE/NAME/LISTENER"
              .formatted(UI_GATEWAY, text));
    }
    return new GatewayListener(
        parts.get(0),
        parts.get(1),
        parts.size() == 3 ? Optional.of(parts.get(2)) : Optional.empty());
  }

  /** An image and a path would be two jars of which only one could be on the class path. */
  private static PluginPolicy plugin(Environment environment) {
    Optional<String> image = environment.given(PLUGIN_IMAGE);
    Optional<String> path = environment.given(PLUGIN_PATH);
    if (image.isPresent() && path.isPresent()) {
      throw new IllegalArgumentException(
          "%s and %s are both given; remove one".formatted(PLUGIN_IMAGE, PLUGIN_PATH));
    }
    if (path.isPresent() && !path.get().startsWith("/")) {
      throw new IllegalArgumentException(
          PLUGIN_PATH + " is '" + path.get() + "', but must be an absolute path");
    }
    Set<String> namespaces = environment.names(SHARED_PAGES_NAMESPACES);
    Optional<String> claim = environment.given(SHARED_PAGES_CLAIM);
    if (!namespaces.isEmpty() && claim.isEmpty()) {
      throw new IllegalArgumentException(
          SHARED_PAGES_NAMESPACES + " needs " + SHARED_PAGES_CLAIM + "; give the claim's name");
    }
    Optional<PluginJar> jar =
        image
            .<PluginJar>map(
                name -> new PluginJar.InVolume(name, environment.given(PLUGIN_PULL_POLICY)))
            .or(() -> path.map(PluginJar.InImage::new));
    return new PluginPolicy(
        jar,
        environment.flag(PLUGIN_BY_DEFAULT, true),
        new PluginPolicy.SharedPages(claim.orElse(""), namespaces));
  }

  /** What is not named is not granted. */
  private static Grants grants(Environment environment) {
    return new Grants(
        serviceTypes(environment),
        sorted(environment, SERVICE_ANNOTATIONS),
        sorted(environment, SERVICE_LABELS),
        sorted(environment, INGRESS_HOSTS),
        sorted(environment, INGRESS_ANNOTATIONS),
        sorted(environment, INGRESS_TLS_SECRETS),
        environment.flag(POD_DISRUPTION_BUDGETS, false),
        environment.flag(POD_GROUPS, false));
  }

  private static Set<ServiceType> serviceTypes(Environment environment) {
    if (!environment.has(SERVICE_TYPES)) {
      return Grants.LEAST.serviceTypes();
    }
    Set<ServiceType> types = EnumSet.noneOf(ServiceType.class);
    for (String name : environment.names(SERVICE_TYPES)) {
      types.add(
          Arrays.stream(ServiceType.values())
              .filter(type -> type.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "%s has '%s', but may have only %s"
                              .formatted(
                                  SERVICE_TYPES, name, Arrays.toString(ServiceType.values())))));
    }
    return types;
  }

  private static List<String> sorted(Environment environment, String key) {
    return environment.names(key).stream().sorted().toList();
  }

  /** All three or none: a lease without an identity would let two replicas work at once. */
  private static Optional<Lease> lease(Environment environment) {
    List<String> parts =
        Stream.of(LEASE_NAMESPACE, LEASE_NAME, LEASE_IDENTITY)
            .map(key -> environment.text(key, ""))
            .toList();
    if (parts.stream().allMatch(String::isEmpty)) {
      return Optional.empty();
    }
    if (parts.stream().anyMatch(String::isEmpty)) {
      throw new IllegalArgumentException(
          "%s, %s and %s belong together; give all of them or none"
              .formatted(LEASE_NAMESPACE, LEASE_NAME, LEASE_IDENTITY));
    }
    return Optional.of(new Lease(parts.get(0), parts.get(1), parts.get(2)));
  }

  /**
   * The lease that replicas of the operator share.
   *
   * @param identity of this replica, different for each
   */
  public record Lease(String namespace, String name, String identity) {}
}
