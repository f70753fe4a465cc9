package io.numaspark.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.fixture.EmptyFleet;
import io.numaspark.render.picture.HtmlPage;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodePagesTest {
  private final Slow fleet = new Slow();
  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  private int port;
  private HttpEndpoint endpoint;

  /** A fleet whose reader waits, if the test wants it, until the test lets it go on. */
  private final class Slow extends EmptyFleet {
    private volatile boolean waits;

    @Override
    public Map<String, ProfilePlan> plans() {
      if (!waits) {
        return Map.of();
      }
      reading.countDown();
      try {
        mayGoOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Map.of();
    }
  }

  @BeforeEach
  void start() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    endpoint = new HttpEndpoint(port, new PrometheusRegistry(), new NodePages(fleet));
  }

  @AfterEach
  void stop() {
    endpoint.close();
  }

  @Test
  void pagesAreServedWithHeadersThatForbidScripts() throws Exception {
    HttpResponse<String> page = send("GET", "/nodes");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).startsWith("<!DOCTYPE html>").contains("No profile is planned here");
    assertThat(page.headers().map())
        .containsEntry("content-type", List.of("text/html; charset=utf-8"))
        .containsEntry("content-security-policy", List.of(HtmlPage.contentSecurityPolicy()))
        .containsEntry("x-content-type-options", List.of("nosniff"))
        .containsEntry("cache-control", List.of("no-store"));
  }

  @Test
  void headHasTheHeadersAlone() throws Exception {
    HttpResponse<String> head = send("HEAD", "/nodes");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("content-length"))
        .hasValue(String.valueOf(send("GET", "/nodes").body().length()));
  }

  @Test
  void nothingCanBeWritten() throws Exception {
    for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "OPTIONS")) {
      HttpResponse<String> refused = send(method, "/nodes");
      assertThat(refused.statusCode()).as(method).isEqualTo(405);
      assertThat(refused.headers().firstValue("allow")).hasValue("GET, HEAD");
    }
  }

  @Test
  void anUnknownNodeIsNotFoundAndItsNameIsEscaped() throws Exception {
    HttpResponse<String> page = send("GET", "/nodes/%3Cscript%3Ealert(1)%3C%2Fscript%3E");
    assertThat(page.statusCode()).isEqualTo(404);
    assertThat(page.body())
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
        .doesNotContain("<script");
    assertThat(send("GET", "/nodesome").statusCode()).isEqualTo(404);
  }

  @Test
  void whileAPageIsReadMetricsAnswerAndOtherPagesDoNotWait() throws Exception {
    fleet.waits = true;
    CompletableFuture<HttpResponse<String>> slow =
        HttpClient.newHttpClient().sendAsync(request("GET", "/nodes"), BodyHandlers.ofString());
    reading.await();
    HttpResponse<String> busy = send("GET", "/nodes");
    assertThat(busy.statusCode()).isEqualTo(503);
    assertThat(busy.headers().firstValue("retry-after")).hasValue("1");
    assertThat(send("GET", "/metrics").statusCode()).isEqualTo(200);
    mayGoOn.countDown();
    assertThat(slow.get().statusCode()).isEqualTo(200);
    fleet.waits = false;
    assertThat(send("GET", "/nodes").statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    return HttpClient.newHttpClient().send(request(method, path), BodyHandlers.ofString());
  }

  private HttpRequest request(String method, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .method(method, BodyPublishers.noBody())
        .build();
  }
}
