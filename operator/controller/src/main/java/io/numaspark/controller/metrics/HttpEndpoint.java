package io.numaspark.controller.metrics;

import io.numaspark.controller.http.HttpAnswer;
import io.numaspark.controller.http.HttpListener;
import io.numaspark.controller.http.HttpListener.Limits;
import io.numaspark.controller.http.HttpRequest;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves /metrics for Prometheus and, where there are any, /nodes for people.
 *
 * <p>Limit: two answers are made at a time, of which one may be a page; who asks much keeps others
 * waiting here, but not the kubelet ({@link ProbeEndpoint}).
 */
public final class HttpEndpoint implements AutoCloseable {
  private static final int THREADS = 2;
  private static final Limits LIMITS =
      new Limits(64, 16 << 10, 32 << 20, Duration.ofSeconds(5), Duration.ofSeconds(30));

  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
  private final MetricsPage metrics;
  private final Optional<NodePages> nodes;
  private final HttpListener listener;

  /**
   * Starts to serve.
   *
   * @throws IOException if the port is taken
   */
  public HttpEndpoint(int port, PrometheusRegistry registry, NodePages nodes) throws IOException {
    this(port, registry, Optional.of(nodes));
  }

  /**
   * Starts to serve /metrics alone.
   *
   * @throws IOException if the port is taken
   */
  public HttpEndpoint(int port, PrometheusRegistry registry) throws IOException {
    this(port, registry, Optional.empty());
  }

  private HttpEndpoint(int port, PrometheusRegistry registry, Optional<NodePages> nodes)
      throws IOException {
    this.metrics = new MetricsPage(registry);
    this.nodes = nodes;
    listener = new HttpListener("metrics", port, LIMITS, executor, this::answer);
  }

  private HttpAnswer answer(HttpRequest request) {
    if (request.path().equals(MetricsPage.PATH)) {
      return metrics.answer(request);
    }
    if (nodes.isPresent() && request.path().startsWith(NodePages.PATH)) {
      return nodes.get().answer(request);
    }
    return HttpAnswer.text(
        404, "there is " + MetricsPage.PATH + (nodes.isPresent() ? " and " + NodePages.PATH : ""));
  }

  @Override
  public void close() {
    listener.close();
    executor.shutdownNow();
  }
}
