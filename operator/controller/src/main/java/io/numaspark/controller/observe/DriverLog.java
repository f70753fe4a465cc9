package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.numaspark.render.text.Labels;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The end of a driver's log.
 *
 * <p>A container's termination message holds 2 KiB, which the frames of one stack trace fill; so
 * the log is read. The kubelet counts a limit of bytes from where the last lines begin, so that one
 * long line would hide the end; hence the end is picked here, from a bounded stream.
 *
 * <p>Limit: it is asked for once and for a few seconds, headers and body together. The API server
 * gets it from the kubelet, which does not answer if the driver has failed with its node; the
 * client's own ten tries take a minute, during which a worker would wait. Of more than {@value
 * #MOST_BYTES} bytes in the last lines the end is not seen: a runtime that cuts lines at 16 KiB, as
 * containerd does, has less.
 */
public final class DriverLog implements Function<Pod, String> {
  private static final int LINES = 300;
  private static final int MOST_BYTES = 8 << 20;
  private static final int KEPT_BYTES = 256 << 10;
  private static final Duration DEADLINE = Duration.ofSeconds(3);

  private final KubernetesClient client;
  private final Duration deadline;

  /**
   * A reader of logs.
   *
   * @param config how to reach the API server; timeout and tries are our own
   */
  public DriverLog(Config config) {
    this(config, DEADLINE);
  }

  DriverLog(Config config, Duration deadline) {
    this.deadline = deadline;
    this.client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(config)
                    .withRequestTimeout((int) deadline.toMillis())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  /** The end of the last {@value #LINES} lines; empty if the log is gone or cannot be had now. */
  @Override
  public String apply(Pod driver) {
    // Not pods().getLog(): that lists and watches the pod first, to wait until it is ready.
    String path =
        "/api/v1/namespaces/%s/pods/%s/log?container=%s&tailLines=%d&limitBytes=%d"
            .formatted(
                driver.getMetadata().getNamespace(),
                driver.getMetadata().getName(),
                Labels.DRIVER_CONTAINER,
                LINES,
                MOST_BYTES);
    HttpClient http = client.getHttpClient();
    Tail tail = new Tail(KEPT_BYTES);
    CompletableFuture<HttpResponse<AsyncBody>> exchange =
        http.consumeBytes(
            http.newHttpRequestBuilder()
                .uri(uri(path))
                .timeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
                .build(),
            (buffers, body) -> take(buffers, body, tail));
    CompletableFuture<AsyncBody> body = exchange.thenApply(DriverLog::opened);
    try {
      body.thenCompose(DriverLog::read).get(deadline.toMillis(), TimeUnit.MILLISECONDS);
      return tail.text();
    } catch (TimeoutException | ExecutionException e) {
      return tail.text(); // As far as it came.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    } finally {
      body.thenAccept(AsyncBody::cancel);
      exchange.cancel(true);
    }
  }

  private String uri(String path) {
    String master = client.getMasterUrl().toString();
    return master.endsWith("/") ? master.substring(0, master.length() - 1) + path : master + path;
  }

  private static AsyncBody opened(HttpResponse<AsyncBody> response) {
    if (response.isSuccessful()) {
      return response.body();
    }
    response.body().cancel();
    throw new IllegalStateException("the log cannot be had");
  }

  private static CompletableFuture<Void> read(AsyncBody body) {
    body.consume();
    return body.done();
  }

  /** A server that sends more than it was asked for is not listened to. */
  private static void take(List<ByteBuffer> buffers, AsyncBody body, Tail tail) {
    buffers.forEach(tail::add);
    if (tail.total() > MOST_BYTES) {
      body.cancel();
    } else {
      body.consume();
    }
  }

  /** The last bytes of a stream, however long it is. */
  private static final class Tail {
    private final byte[] ring;
    private long total;

    Tail(int bytes) {
      ring = new byte[bytes];
    }

    synchronized void add(ByteBuffer buffer) {
      int fromEnd = Math.min(buffer.remaining(), ring.length);
      total += buffer.remaining() - fromEnd;
      buffer.position(buffer.limit() - fromEnd);
      while (buffer.hasRemaining()) {
        int at = (int) (total % ring.length);
        int length = Math.min(buffer.remaining(), ring.length - at);
        buffer.get(ring, at, length);
        total += length;
      }
    }

    /** How many bytes have come. */
    synchronized long total() {
      return total;
    }

    /** Whole lines, unless the last one alone is longer than what is kept. */
    synchronized String text() {
      if (total <= ring.length) {
        return new String(ring, 0, (int) total, StandardCharsets.UTF_8);
      }
      byte[] kept = new byte[ring.length];
      int at = (int) (total % ring.length);
      System.arraycopy(ring, at, kept, 0, ring.length - at);
      System.arraycopy(ring, 0, kept, ring.length - at, at);
      String text = new String(kept, StandardCharsets.UTF_8);
      int line = text.indexOf('\n');
      return line < 0 || line == text.length() - 1 ? text : text.substring(line + 1);
    }
  }
}
