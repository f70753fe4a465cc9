package io.numaspark.controller.metrics;

import io.numaspark.controller.http.HttpAnswer;
import io.numaspark.controller.http.HttpRequest;
import io.numaspark.render.fleet.Fleet;
import io.numaspark.render.fleet.FleetPicture;
import io.numaspark.render.picture.HtmlPage;
import io.numaspark.render.picture.Picture;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Serves /nodes, the node classes of all profiles, and /nodes/NAME, what runs on a node, from the
 * operator's caches.
 *
 * <p>It reads nothing of a request but the path. Limit: one page at a time, so that readers do not
 * keep Prometheus waiting.
 */
public final class NodePages {
  static final String PATH = "/nodes";

  private final Semaphore turn = new Semaphore(1);
  private final Fleet fleet;

  /**
   * Pages.
   *
   * @param fleet where the nodes are known
   */
  public NodePages(Fleet fleet) {
    this.fleet = fleet;
  }

  HttpAnswer answer(HttpRequest request) {
    if (!turn.tryAcquire()) {
      return answer(503, message("Busy", "Another page is being read; try again."))
          .with("Retry-After", "1");
    }
    try {
      return page(request.path());
    } finally {
      turn.release();
    }
  }

  private HttpAnswer page(String path) {
    if (path.equals(PATH)) {
      return answer(200, FleetPicture.of(fleet));
    }
    Optional<String> node = node(path);
    if (node.isEmpty()) {
      return answer(404, message("Not found", "There is " + PATH + " and " + PATH + "/NAME."));
    }
    Optional<Picture> picture = FleetPicture.ofNode(fleet, node.get());
    return answer(
        picture.isPresent() ? 200 : 404,
        picture.orElseGet(
            () ->
                message(
                    "Not found", "No profile with a known plan has a node " + node.get() + ".")));
  }

  /** The name of a node in a path. */
  private static Optional<String> node(String path) {
    try {
      return path.startsWith(PATH + "/")
          ? Optional.of(URI.create(path).getPath().substring(PATH.length() + 1))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Picture message(String title, String sentence) {
    return new Picture(title, List.of(sentence), List.of(), List.of(), List.of());
  }

  private static HttpAnswer answer(int status, Picture picture) {
    return new HttpAnswer(
        status,
        Map.of(
            "Content-Type", "text/html; charset=utf-8",
            "Content-Security-Policy", HtmlPage.contentSecurityPolicy(),
            "X-Content-Type-Options", "nosniff",
            "Referrer-Policy", "no-referrer",
            "Cache-Control", "no-store"),
        HtmlPage.of(picture).getBytes(StandardCharsets.UTF_8));
  }
}
