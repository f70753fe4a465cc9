package io.numaspark.controller.config;

import io.numaspark.api.v1alpha1.UiOptions.ServiceType;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.PluginJar;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.UiPolicy;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
    boolean agents,
    boolean pinners,
    Optional<Lease> lease) {
  private static final String PREFIX = "NUMASPARK_";
  private static final String NAMESPACES = PREFIX + "NAMESPACES";
  private static final String DRIVER_SERVICE_ACCOUNT = PREFIX + "DRIVER_SERVICE_ACCOUNT";
  private static final String HTTP_PORT = PREFIX + "HTTP_PORT";
  private static final String PROBE_PORT = PREFIX + "PROBE_PORT";
  private static final String WORKERS = PREFIX + "WORKERS";
  private static final String UI_OWN_SERVICE = PREFIX + "UI_OWN_SERVICE";
  private static final String UI_INGRESS_URL_FORMAT = PREFIX + "UI_INGRESS_URL_FORMAT";
  private static final String UI_INGRESS_CLASS = PREFIX + "UI_INGRESS_CLASS";
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
  private static final String AGENTS = PREFIX + "AGENTS";
  private static final String PINNERS = PREFIX + "PINNERS";
  private static final String LEASE_NAME = PREFIX + "LEASE_NAME";
  private static final String LEASE_NAMESPACE = PREFIX + "LEASE_NAMESPACE";
  private static final String LEASE_IDENTITY = PREFIX + "LEASE_IDENTITY";

  /** Read by log4j2.xml, before there is anybody who could complain. */
  private static final Map<String, List<String>> LOGGING =
      Map.of(
          PREFIX + "LOG_LEVEL", List.of("error", "warn", "info", "debug", "trace"),
          PREFIX + "LOG_LIBRARIES_LEVEL", List.of("error", "warn", "info", "debug"),
          PREFIX + "LOG_FORMAT", List.of("text", "json"));

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
  public static OperatorConfig fromEnvironment(Map<String, String> environment) {
    Set<String> known = new TreeSet<>(KNOWN);
    known.addAll(LOGGING.keySet());
    Set<String> unknown =
        environment.keySet().stream()
            .filter(key -> key.startsWith(PREFIX) && !known.contains(key))
            .collect(Collectors.toCollection(TreeSet::new));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("unknown settings " + unknown + "; known are " + known);
    }
    LOGGING.forEach((key, words) -> checkWord(environment, key, words));
    int httpPort = number(environment, HTTP_PORT, 8080, 65535);
    return new OperatorConfig(
        names(environment, NAMESPACES),
        environment.getOrDefault(DRIVER_SERVICE_ACCOUNT, "spark"),
        httpPort,
        probePort(environment, httpPort),
        number(environment, WORKERS, 16, 256),
        ui(environment),
        plugin(environment),
        grants(environment),
        flag(environment, FOREIGN_PODS, true),
        flag(environment, AGENTS, true),
        flag(environment, PINNERS, false),
        lease(environment));
  }

  private static void checkWord(Map<String, String> environment, String key, List<String> words) {
    String word = environment.get(key);
    if (word != null && !words.contains(word)) {
      throw new IllegalArgumentException(
          "%s is '%s', but must be one of %s".formatted(key, word, String.join(", ", words)));
    }
  }

  private static UiPolicy ui(Map<String, String> environment) {
    return new UiPolicy(
        flag(environment, UI_OWN_SERVICE, false),
        given(environment, UI_INGRESS_URL_FORMAT),
        given(environment, UI_INGRESS_CLASS));
  }

  /** An image and a path would be two jars of which only one could be on the class path. */
  private static PluginPolicy plugin(Map<String, String> environment) {
    Optional<String> image = given(environment, PLUGIN_IMAGE);
    Optional<String> path = given(environment, PLUGIN_PATH);
    if (image.isPresent() && path.isPresent()) {
      throw new IllegalArgumentException(
          "%s and %s are both given; remove one".formatted(PLUGIN_IMAGE, PLUGIN_PATH));
    }
    if (path.isPresent() && !path.get().startsWith("/")) {
      throw new IllegalArgumentException(
          PLUGIN_PATH + " is '" + path.get() + "', but must be an absolute path");
    }
    Set<String> namespaces = names(environment, SHARED_PAGES_NAMESPACES);
    Optional<String> claim = given(environment, SHARED_PAGES_CLAIM);
    if (!namespaces.isEmpty() && claim.isEmpty()) {
      throw new IllegalArgumentException(
          SHARED_PAGES_NAMESPACES + " needs " + SHARED_PAGES_CLAIM + "; give the claim's name");
    }
    Optional<PluginJar> jar =
        image
            .<PluginJar>map(
                name -> new PluginJar.InVolume(name, given(environment, PLUGIN_PULL_POLICY)))
            .or(() -> path.map(PluginJar.InImage::new));
    return new PluginPolicy(
        jar,
        flag(environment, PLUGIN_BY_DEFAULT, true),
        new PluginPolicy.SharedPages(claim.orElse(""), namespaces));
  }

  /** What is not named is not granted. */
  private static Grants grants(Map<String, String> environment) {
    return new Grants(
        serviceTypes(environment),
        sorted(environment, SERVICE_ANNOTATIONS),
        sorted(environment, SERVICE_LABELS),
        sorted(environment, INGRESS_HOSTS),
        sorted(environment, INGRESS_ANNOTATIONS),
        sorted(environment, INGRESS_TLS_SECRETS),
        flag(environment, POD_DISRUPTION_BUDGETS, false),
        flag(environment, POD_GROUPS, false));
  }

  private static Set<ServiceType> serviceTypes(Map<String, String> environment) {
    if (!environment.containsKey(SERVICE_TYPES)) {
      return Grants.LEAST.serviceTypes();
    }
    Set<ServiceType> types = EnumSet.noneOf(ServiceType.class);
    for (String name : names(environment, SERVICE_TYPES)) {
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

  private static List<String> sorted(Map<String, String> environment, String key) {
    return names(environment, key).stream().sorted().toList();
  }

  private static Set<String> names(Map<String, String> environment, String key) {
    return Arrays.stream(environment.getOrDefault(key, "").split(","))
        .map(String::trim)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Optional<String> given(Map<String, String> environment, String key) {
    return Optional.ofNullable(environment.get(key)).filter(value -> !value.isBlank());
  }

  private static boolean flag(Map<String, String> environment, String key, boolean absent) {
    String text = environment.getOrDefault(key, String.valueOf(absent));
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(key + " is '" + text + "', but must be true or false");
    }
    return text.equals("true");
  }

  /** All three or none: a lease without an identity would let two replicas work at once. */
  private static Optional<Lease> lease(Map<String, String> environment) {
    List<String> parts =
        Stream.of(LEASE_NAMESPACE, LEASE_NAME, LEASE_IDENTITY)
            .map(key -> environment.getOrDefault(key, ""))
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

  private static int probePort(Map<String, String> environment, int httpPort) {
    int port = number(environment, PROBE_PORT, 8081, 65535);
    if (port == httpPort) {
      throw new IllegalArgumentException(
          "%s and %s are both %d; give two ports".formatted(HTTP_PORT, PROBE_PORT, port));
    }
    return port;
  }

  private static int number(Map<String, String> environment, String key, int absent, int max) {
    String text = environment.getOrDefault(key, String.valueOf(absent));
    if (!text.matches("[1-9][0-9]{0,5}") || Integer.parseInt(text) > max) {
      throw new IllegalArgumentException(
          key + " is '" + text + "', but must be a number from 1 to " + max);
    }
    return Integer.parseInt(text);
  }

  /**
   * The lease that replicas of the operator share.
   *
   * @param identity of this replica, different for each
   */
  public record Lease(String namespace, String name, String identity) {}
}
