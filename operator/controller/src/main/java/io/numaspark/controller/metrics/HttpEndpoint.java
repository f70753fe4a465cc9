package io.numaspark.controller.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.exporter.httpserver.MetricsHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** Serves /metrics for Prometheus, and /livez and /readyz for the kubelet. */
public final class HttpEndpoint implements AutoCloseable {
  private static final int THREADS = 2;

  private final HttpServer server;
  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

  /**
   * Starts to serve.
   *
   * @param healthy whether the operator should go on living
   * @param ready whether it has started
   * @throws IOException if the port is taken
   */
  public HttpEndpoint(
      int port, PrometheusRegistry registry, BooleanSupplier healthy, BooleanSupplier ready)
      throws IOException {
    server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(executor);
    server.createContext("/metrics", new MetricsHandler(registry));
    server.createContext("/livez", exchange -> answer(exchange, healthy.getAsBoolean()));
    server.createContext(
        "/readyz", exchange -> answer(exchange, ready.getAsBoolean() && healthy.getAsBoolean()));
    server.start();
  }

  private static void answer(HttpExchange exchange, boolean good) throws IOException {
    byte[] body = (good ? "ok\n" : "not ok\n").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(good ? 200 : 503, body.length);
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
