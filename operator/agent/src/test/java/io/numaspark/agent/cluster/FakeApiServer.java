package io.numaspark.agent.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.numaspark.agent.answer.Json;
import io.numaspark.agent.fixture.SelfSigned;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An API server with room for one SparkNodeTopology: versions, generations, conflicts, the status
 * apart, and a watch that tells what it is given.
 *
 * <p>Limit: nothing is validated or defaulted; the real one is asked in the end-to-end tests.
 */
final class FakeApiServer implements AutoCloseable {
  private static final String COLLECTION = "/apis/numaspark.io/v1alpha1/sparknodetopologies";

  final List<String> requests = new ArrayList<>();
  private final HttpsServer server;
  private final ClusterAddress address;
  private Map<String, Object> object = Map.of();
  private int version;
  private Runnable beforeNextWrite = () -> {};
  private List<String> events = List.of();
  private boolean redirects;

  FakeApiServer(Path directory) throws Exception {
    SelfSigned certificate = SelfSigned.make(directory, "ca", "ip:127.0.0.1");
    Files.copy(certificate.pem(), directory.resolve("ca.crt"));
    Files.writeString(directory.resolve("token"), "a-token\n");
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
    server.createContext("/", this::answer);
    server.start();
    address =
        new ClusterAddress(
            URI.create("https://127.0.0.1:" + server.getAddress().getPort()), directory);
  }

  ClusterAddress address() {
    return address;
  }

  /** The object as it is stored. */
  Map<String, Object> object() {
    return object;
  }

  /** Somebody else writes a field of the spec. */
  void put(String field, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(object);
    Map<String, Object> spec = new LinkedHashMap<>(Json.object(object, "spec"));
    spec.put(field, value);
    changed.put("spec", spec);
    store(changed);
  }

  void delete() {
    object = Map.of();
  }

  /** What happens between the reading and the writing of a client. */
  void beforeNextWrite(Runnable happens) {
    beforeNextWrite = happens;
  }

  /** From now on it sends everybody elsewhere. */
  void redirect() {
    redirects = true;
  }

  /** What the next watch tells before it ends. */
  void tell(String... lines) {
    events = List.of(lines);
  }

  private void store(Map<String, Object> next) {
    Map<String, Object> metadata = new LinkedHashMap<>(Json.object(next, "metadata"));
    metadata.put("resourceVersion", String.valueOf(++version));
    metadata.put("generation", version);
    next.put("metadata", metadata);
    object = next;
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    requests.add(exchange.getRequestMethod() + " " + path);
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (redirects) {
      exchange.getResponseHeaders().set("Location", "/elsewhere");
      reply(exchange, 302, "{}");
    } else if (!"Bearer a-token".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      reply(exchange, 401, "{\"code\":401,\"message\":\"Unauthorized\"}");
    } else if (exchange.getRequestURI().getQuery() != null) {
      reply(exchange, 200, String.join("\n", events) + "\n");
    } else if (exchange.getRequestMethod().equals("GET")) {
      replyObject(exchange);
    } else {
      Runnable happens = beforeNextWrite;
      beforeNextWrite = () -> {};
      happens.run();
      write(exchange, path, Json.read(body));
    }
  }

  private void write(HttpExchange exchange, String path, Map<String, Object> written)
      throws IOException {
    boolean create = path.equals(COLLECTION);
    Object read = Json.object(written, "metadata").get("resourceVersion");
    if (create != object.isEmpty()) {
      reply(exchange, create ? 409 : 404, "{\"code\":" + (create ? 409 : 404) + "}");
    } else if (!create && !String.valueOf(version).equals(read)) {
      reply(exchange, 409, "{\"code\":409,\"message\":\"the object has been modified\"}");
    } else {
      boolean status = path.endsWith("/status");
      Map<String, Object> next = new LinkedHashMap<>(status ? object : written);
      if (status) {
        next.put("status", written.get("status"));
      } else if (object.containsKey("status")) {
        next.put("status", object.get("status"));
      }
      store(next);
      replyObject(exchange);
    }
  }

  private void replyObject(HttpExchange exchange) throws IOException {
    reply(exchange, object.isEmpty() ? 404 : 200, object.isEmpty() ? "{}" : text());
  }

  private String text() {
    return new String(Json.write(object), StandardCharsets.UTF_8);
  }

  private static void reply(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
