package io.numaspark.controller.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.exporter.httpserver.MetricsHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Serves /metrics for Prometheus, /livez and /readyz for the kubelet, and /nodes for people. */
public final class HttpEndpoint implements AutoCloseable {
  private static final int THREADS = 2;

  private final HttpServer server;
  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

  /**
   * Starts to serve.
   *
   * @param reasonsToRestart why the kubelet should restart the process; empty if it is well
   * @param reasonsNotReady why it does not work now; empty if it does
   * @throws IOException if the port is taken
   */
  public HttpEndpoint(
      int port,
      PrometheusRegistry registry,
      Supplier<List<String>> reasonsToRestart,
      Supplier<List<String>> reasonsNotReady,
      NodePages nodes)
      throws IOException {
    server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(executor);
    server.createContext("/metrics", new MetricsHandler(registry));
    server.createContext("/livez", exchange -> answer(exchange, reasonsToRestart.get()));
    server.createContext("/readyz", exchange -> answer(exchange, reasonsNotReady.get()));
    server.createContext(NodePages.PATH, nodes);
    server.start();
  }

  private static void answer(HttpExchange exchange, List<String> reasons) throws IOException {
    String text = reasons.isEmpty() ? "ok" : String.join("\n", reasons);
    byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reasons.isEmpty() ? 200 : 503, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
