package io.numaspark.controller.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The settings of the webhook's process, read once at start from the environment.
 *
 * @param port of the API server's questions (1-65535)
 * @param httpPort port of the metrics
 * @param probePort port of the kubelet's probes
 * @param pinners whether the agents of nodes have a pinner
 * @param name of the Service and of the MutatingWebhookConfiguration
 * @param namespace of the Service and of the Secret
 * @param secret that holds the certificate
 * @param selfSigned whether the webhook makes the certificate, or somebody else
 */
public record WebhookConfig(
    int port,
    int httpPort,
    int probePort,
    boolean pinners,
    String name,
    String namespace,
    String secret,
    boolean selfSigned) {
  private static final String PREFIX = Environment.PREFIX + "WEBHOOK_";
  private static final String PORT = PREFIX + "PORT";
  private static final String HTTP_PORT = Environment.PREFIX + "HTTP_PORT";
  private static final String PROBE_PORT = Environment.PREFIX + "PROBE_PORT";
  private static final String PINNERS = Environment.PREFIX + "PINNERS";
  private static final String NAME = PREFIX + "NAME";
  private static final String NAMESPACE = PREFIX + "NAMESPACE";
  private static final String SECRET = PREFIX + "SECRET";
  private static final String CERTIFICATE = PREFIX + "CERTIFICATE";
  private static final String SELF_SIGNED = "self-signed";

  private static final Set<String> KNOWN =
      Set.of(PORT, HTTP_PORT, PROBE_PORT, PINNERS, NAME, NAMESPACE, SECRET, CERTIFICATE);

  /**
   * Settings from environment variables.
   *
   * @throws IllegalArgumentException naming the variable, if one is missing, unknown or bad
   */
  public static WebhookConfig fromEnvironment(Map<String, String> variables) {
    Environment environment = Environment.of(variables, KNOWN);
    Map<String, Integer> ports = new TreeMap<>();
    ports.put(PORT, environment.number(PORT, 10250, 65535));
    ports.put(HTTP_PORT, environment.otherPort(HTTP_PORT, 8080, ports));
    return new WebhookConfig(
        ports.get(PORT),
        ports.get(HTTP_PORT),
        environment.otherPort(PROBE_PORT, 8081, ports),
        environment.flag(PINNERS, false),
        environment.required(NAME),
        environment.required(NAMESPACE),
        environment.required(SECRET),
        environment
            .word(CERTIFICATE, List.of(SELF_SIGNED, "given"), SELF_SIGNED)
            .equals(SELF_SIGNED));
  }

  /** The name by which the API server verifies the certificate. */
  public String dnsName() {
    return "%s.%s.svc".formatted(name, namespace);
  }
}
