package io.numaspark.agent;

import io.numaspark.agent.cluster.ClusterAddress;
import io.numaspark.agent.kubelet.KubeletConfigz;
import io.numaspark.agent.kubelet.KubeletTrust;
import io.numaspark.agent.kubelet.PodResourcesClient;
import io.numaspark.agent.pages.PagesFolders;
import io.numaspark.agent.proof.CgroupReader;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of the agent's reader, from its environment.
 *
 * @param node name of the node
 * @param root of the tree with the node's sys/ and proc/
 * @param dmi folder of the firmware's tables, where /sys/firmware/dmi is not to be seen
 * @param writerSocket where the writer listens; empty if there is none
 * @param pages the folders in which executors share pages; empty if there are none
 */
record AgentConfig(
    String node,
    ClusterAddress cluster,
    KubeletConfigz configz,
    Path podResources,
    Path root,
    Path cgroup,
    Optional<Path> dmi,
    Optional<Path> writerSocket,
    Optional<PagesFolders> pages) {
  private static final String CREDENTIALS = "/var/run/secrets/kubernetes.io/serviceaccount";
  private static final Duration KUBELET_TIMEOUT = Duration.ofSeconds(10);

  /** Longest time for one question to the kubelet's socket. */
  static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Reads the settings.
   *
   * @throws IllegalArgumentException naming the variable that is missing or wrong
   */
  static AgentConfig of(Map<String, String> environment) {
    ClusterAddress cluster =
        new ClusterAddress(
            api(environment),
            path(environment, "NUMASPARK_CREDENTIALS").orElse(Path.of(CREDENTIALS)));
    KubeletTrust trust =
        Boolean.parseBoolean(environment.get("NUMASPARK_KUBELET_INSECURE_TLS"))
            ? new KubeletTrust.Anyone()
            : new KubeletTrust.Authorities(cluster.certificateAuthority());
    return new AgentConfig(
        required(environment, "NUMASPARK_NODE"),
        cluster,
        new KubeletConfigz(
            required(environment, "NUMASPARK_HOST_IP"),
            port(environment, "NUMASPARK_KUBELET_PORT", KubeletConfigz.DEFAULT_PORT),
            cluster.token(),
            trust,
            KUBELET_TIMEOUT),
        path(environment, "NUMASPARK_POD_RESOURCES").orElse(PodResourcesClient.DEFAULT_SOCKET),
        path(environment, "NUMASPARK_ROOT").orElse(Path.of("/")),
        path(environment, "NUMASPARK_CGROUP").orElse(CgroupReader.DEFAULT_ROOT),
        path(environment, "NUMASPARK_DMI"),
        path(environment, "NUMASPARK_WRITER_SOCKET"),
        path(environment, "NUMASPARK_PAGES")
            .map(root -> new PagesFolders(root, namespaces(environment))));
  }

  private static Set<String> namespaces(Map<String, String> environment) {
    return Set.copyOf(List.of(required(environment, "NUMASPARK_PAGES_NAMESPACES").split(",")));
  }

  /** The variables that the kubelet gives to every pod, unless another address is named. */
  private static URI api(Map<String, String> environment) {
    String address = environment.get("NUMASPARK_API");
    if (address == null) {
      String host = required(environment, "KUBERNETES_SERVICE_HOST");
      address =
          "https://"
              + (host.contains(":") ? "[" + host + "]" : host)
              + ":"
              + required(environment, "KUBERNETES_SERVICE_PORT");
    }
    try {
      return URI.create(address);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + address + "' is no address of an API server", e);
    }
  }

  private static int port(Map<String, String> environment, String name, int absent) {
    String text = environment.getOrDefault(name, String.valueOf(absent));
    try {
      int port = Integer.parseInt(text);
      if (port > 0 && port < 1 << 16) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Told below like every other number that is not a port.
    }
    throw new IllegalArgumentException(name + ": '" + text + "' is not a port; give 1 to 65535");
  }

  private static Optional<Path> path(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(text -> !text.isEmpty()).map(Path::of);
  }

  private static String required(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException(
          name + " is not set; the chart sets it, see charts/numaspark/templates/agent.yaml");
    }
    return value;
  }
}
