package io.numaspark.controller.metrics;

import io.numaspark.controller.http.HttpAnswer;
import io.numaspark.controller.http.HttpListener;
import io.numaspark.controller.http.HttpListener.Limits;
import io.numaspark.controller.http.HttpRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Serves /livez and /readyz for the kubelet, on a port and a thread of their own: what is asked of
 * the operator elsewhere does not keep a probe waiting.
 */
public final class ProbeEndpoint implements AutoCloseable {
  /** A probe fits into a packet and is answered from memory, so all of them are small. */
  private static final Limits LIMITS =
      new Limits(256, 4 << 10, 1 << 20, Duration.ofSeconds(5), Duration.ofSeconds(5));

  private final Supplier<List<String>> reasonsToRestart;
  private final Supplier<List<String>> reasonsNotReady;
  private final HttpListener listener;

  /**
   * Starts to serve.
   *
   * @param reasonsToRestart why the kubelet should restart the process; empty if it is well
   * @param reasonsNotReady why it does not work now; empty if it does
   * @throws IOException if the port is taken
   */
  public ProbeEndpoint(
      int port, Supplier<List<String>> reasonsToRestart, Supplier<List<String>> reasonsNotReady)
      throws IOException {
    this.reasonsToRestart = reasonsToRestart;
    this.reasonsNotReady = reasonsNotReady;
    listener = new HttpListener("probes", port, LIMITS, Runnable::run, this::answer);
  }

  private HttpAnswer answer(HttpRequest request) {
    return switch (request.path()) {
      case "/livez" -> answer(reasonsToRestart.get());
      case "/readyz" -> answer(reasonsNotReady.get());
      default -> HttpAnswer.text(404, "there is /livez and /readyz");
    };
  }

  private static HttpAnswer answer(List<String> reasons) {
    return reasons.isEmpty()
        ? HttpAnswer.text(200, "ok")
        : HttpAnswer.text(503, String.join("\n", reasons));
  }

  @Override
  public void close() {
    listener.close();
  }
}
