import com.fasterxml.jackson.jr.ob.JSON;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * All that the agent talks to on a node: an API server with one SparkNodeTopology, for which it wants knobs as the operator does, and
 * a kubelet. Arguments: folder for the machine's files, the socket and what was written; key store; its password. Prints its port.
 */
public final class FakeNode {
  private static final String KUBELET = """
      {"kubeletconfig": {"kind": "KubeletConfiguration", "apiVersion": "kubelet.config.k8s.io/v1beta1",
       "cpuManagerPolicy": "static", "cpuManagerPolicyOptions": {"full-pcpus-only": "true"},
       "topologyManagerPolicy": "single-numa-node", "topologyManagerScope": "pod", "memoryManagerPolicy": "Static",
       "reservedSystemCPUs": "0,28,56,84", "kubeReserved": {"memory": "1Gi"}, "featureGates": {"CPUManagerPolicyAlphaOptions": true},
       "reservedMemory": [{"numaNode": 0, "limits": {"memory": "1Gi"}}, {"numaNode": 1, "limits": {"memory": "600Mi"}}],
       "evictionHard": {"memory.available": "100Mi"}, "clusterDNS": ["10.96.0.10"], "maxPods": 110}}
      """;

  /** What an API server sends to a watch in which nothing happens, to say how far it has come. */
  private static final int BOOKMARK_MILLIS = 60_000;

  private final Path folder;
  private Map<String, Object> topology;
  private int version = 1;
  private int generation;

  private FakeNode(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] args) throws Exception {
    FakeNode node = new FakeNode(Path.of(args[0]));
    FakeMachine.write(node.folder.resolve("root"), node.folder.resolve("cgroup"));
    FakePodResources.serve(node.folder.resolve("kubelet.sock"));

    char[] password = args[2].toCharArray();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(Path.of(args[1]))) {
      keys.load(file, password);
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, password);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(managers.getKeyManagers(), null, null);
    HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", exchange -> {
      try (exchange) {
        node.answer(exchange);
      }
    });
    server.start();
    System.out.println(server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/configz")) {
      send(exchange, 200, KUBELET);
    } else if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
      watch(exchange);
    } else {
      try (InputStream body = exchange.getRequestBody()) {
        object(exchange, path, body.readAllBytes());
      }
    }
  }

  private synchronized void object(HttpExchange exchange, String path, byte[] body) throws IOException {
    boolean write = !exchange.getRequestMethod().equals("GET");
    if (!write && topology == null) {
      send(exchange, 404, "{\"kind\":\"Status\",\"code\":404,\"message\":\"not found\"}");
      return;
    }
    if (write) {
      Map<String, Object> object = JSON.std.mapFrom(body);
      String part = path.endsWith("/status") ? "status" : "spec";
      boolean made = topology == null;
      topology = made ? new LinkedHashMap<>(object) : topology;
      topology.put(part, object.get(part));
      changed(part.equals("spec"));
      if (part.equals("status")) {
        Path file = folder.resolve("status.json.new");
        Files.writeString(file, JSON.std.asString(object.get("status")));
        Files.move(file, folder.resolve("status.json"), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    send(exchange, 200, JSON.std.asString(topology));
    if (write && path.endsWith("/status") && !spec().containsKey("knobs")) {
      wantKnobs();
    }
  }

  /** As the operator does once there is a topology. */
  private void wantKnobs() {
    Map<String, Object> spec = new LinkedHashMap<>(spec());
    Map<String, String> settings = Map.of(
        "prefetch.l2Stream", "Disabled", "prefetch.l2AdjacentLine", "Disabled", "memory.transparentHugePages", "Madvise",
        "memory.numaBalancing", "Disabled", "memory.swappiness", "1");
    spec.put("knobs", Map.of(
        "profile", "sort", "scope", "Executors", "settings", settings, "enforced", List.copyOf(settings.keySet())));
    topology.put("spec", spec);
    changed(true);
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> spec() {
    return (Map<String, Object>) topology.get("spec");
  }

  private void changed(boolean spec) {
    version++;
    generation += spec ? 1 : 0;
    topology.put("metadata", Map.of(
        "name", "node-1", "uid", "11111111-2222-3333-4444-555555555555", "resourceVersion", String.valueOf(version),
        "generation", generation, "creationTimestamp", "2026-01-01T00:00:00Z"));
    notifyAll();
  }

  private void watch(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    for (int seen = sent(exchange); ; ) {
      String event;
      synchronized (this) {
        long deadline = System.currentTimeMillis() + BOOKMARK_MILLIS;
        for (long left = BOOKMARK_MILLIS; seen == version && left > 0; left = deadline - System.currentTimeMillis()) {
          sleep(left);
        }
        Object object = seen == version
            ? Map.of("kind", "SparkNodeTopology", "metadata", Map.of("resourceVersion", String.valueOf(version))) : topology;
        event = JSON.std.asString(Map.of("type", seen == version ? "BOOKMARK" : "MODIFIED", "object", object));
        seen = version;
      }
      out.write((event + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }

  private void sleep(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  private static int sent(HttpExchange exchange) {
    String query = exchange.getRequestURI().getQuery();
    int at = query.indexOf("resourceVersion=");
    return at < 0 ? 0 : Integer.parseInt(query.substring(at + "resourceVersion=".length()).split("&")[0]);
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
