package io.numaspark.controller.config;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The operator's settings, read once at start from the environment.
 *
 * @param namespaces namespaces whose applications are run; empty for all
 * @param driverServiceAccount service account of drivers whose application names none
 * @param httpPort port of metrics and health (1-65535)
 * @param workers reconciliations at once (1-256)
 * @param foreignPods whether pods of others are watched, so that slots know of theirs
 */
public record OperatorConfig(
    Set<String> namespaces,
    String driverServiceAccount,
    int httpPort,
    int workers,
    boolean foreignPods) {
  private static final String PREFIX = "NUMASPARK_";
  private static final String NAMESPACES = PREFIX + "NAMESPACES";
  private static final String DRIVER_SERVICE_ACCOUNT = PREFIX + "DRIVER_SERVICE_ACCOUNT";
  private static final String HTTP_PORT = PREFIX + "HTTP_PORT";
  private static final String WORKERS = PREFIX + "WORKERS";
  private static final String FOREIGN_PODS = PREFIX + "FOREIGN_PODS";
  private static final Set<String> KNOWN =
      Set.of(NAMESPACES, DRIVER_SERVICE_ACCOUNT, HTTP_PORT, WORKERS, FOREIGN_PODS);

  /**
   * Settings from environment variables; absent ones have defaults.
   *
   * @throws IllegalArgumentException naming the variable, if one is unknown or has a bad value
   */
  public static OperatorConfig fromEnvironment(Map<String, String> environment) {
    Set<String> unknown =
        environment.keySet().stream()
            .filter(key -> key.startsWith(PREFIX) && !KNOWN.contains(key))
            .collect(Collectors.toCollection(TreeSet::new));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown settings " + unknown + "; known are " + new TreeSet<>(KNOWN));
    }
    return new OperatorConfig(
        Arrays.stream(environment.getOrDefault(NAMESPACES, "").split(","))
            .map(String::trim)
            .filter(namespace -> !namespace.isEmpty())
            .collect(Collectors.toUnmodifiableSet()),
        environment.getOrDefault(DRIVER_SERVICE_ACCOUNT, "spark"),
        number(environment, HTTP_PORT, 8080, 65535),
        number(environment, WORKERS, 16, 256),
        flag(environment, FOREIGN_PODS, true));
  }

  private static boolean flag(Map<String, String> environment, String key, boolean absent) {
    String text = environment.getOrDefault(key, String.valueOf(absent));
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(key + " is '" + text + "', but must be true or false");
    }
    return text.equals("true");
  }

  private static int number(Map<String, String> environment, String key, int absent, int max) {
    String text = environment.getOrDefault(key, String.valueOf(absent));
    if (!text.matches("[1-9][0-9]{0,5}") || Integer.parseInt(text) > max) {
      throw new IllegalArgumentException(
          key + " is '" + text + "', but must be a number from 1 to " + max);
    }
    return Integer.parseInt(text);
  }
}
