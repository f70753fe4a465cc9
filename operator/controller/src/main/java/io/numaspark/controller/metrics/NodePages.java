package io.numaspark.controller.metrics;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.numaspark.render.fleet.Fleet;
import io.numaspark.render.fleet.FleetPicture;
import io.numaspark.render.picture.HtmlPage;
import io.numaspark.render.picture.Picture;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * Serves /nodes, the node classes of all profiles, and /nodes/NAME, what runs on a node, from the
 * operator's caches.
 *
 * <p>Read-only: it answers GET and HEAD and reads nothing but the path. Limit: one page at a time,
 * so that readers never keep the kubelet's probes waiting.
 */
public final class NodePages implements HttpHandler {
  static final String PATH = "/nodes";

  private static final Set<String> METHODS = Set.of("GET", "HEAD");

  private final Semaphore turn = new Semaphore(1);
  private volatile Optional<Fleet> fleet = Optional.empty();

  /** Says where the nodes are known; until then pages say that the operator is starting. */
  public void connect(Fleet known) {
    fleet = Optional.of(known);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!METHODS.contains(exchange.getRequestMethod())) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        answer(exchange, 405, message("Method not allowed", "Pages can only be read."));
      } else if (!turn.tryAcquire()) {
        exchange.getResponseHeaders().set("Retry-After", "1");
        answer(exchange, 503, message("Busy", "Another page is being read; try again."));
      } else {
        try {
          page(exchange);
        } finally {
          turn.release();
        }
      }
    }
  }

  private void page(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (fleet.isEmpty()) {
      answer(exchange, 503, message("Starting", "The operator is starting; try again."));
    } else if (path.equals(PATH)) {
      answer(exchange, 200, FleetPicture.of(fleet.get()));
    } else if (path.startsWith(PATH + "/")) {
      String node = path.substring(PATH.length() + 1);
      Optional<Picture> picture = FleetPicture.ofNode(fleet.get(), node);
      answer(
          exchange,
          picture.isPresent() ? 200 : 404,
          picture.orElseGet(
              () -> message("Not found", "No profile with a known plan has a node " + node + ".")));
    } else {
      answer(exchange, 404, message("Not found", "There is " + PATH + " and " + PATH + "/NAME."));
    }
  }

  private static Picture message(String title, String sentence) {
    return new Picture(title, List.of(sentence), List.of(), List.of(), List.of());
  }

  private static void answer(HttpExchange exchange, int status, Picture picture)
      throws IOException {
    byte[] body = HtmlPage.of(picture).getBytes(StandardCharsets.UTF_8);
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", "text/html; charset=utf-8");
    headers.set("Content-Security-Policy", HtmlPage.contentSecurityPolicy());
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cache-Control", "no-store");
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.set("Content-Length", String.valueOf(body.length));
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }
}
