package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.metrics.HttpEndpoint;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pages show what the operator's caches hold; the test plays the node's agent. */
class NodePagesIT extends OperatorAgainstApiServer {
  private int port;
  private HttpEndpoint endpoint;

  private void serve() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    endpoint = new HttpEndpoint(port, new PrometheusRegistry(), pages);
  }

  @AfterEach
  void stopServing() {
    endpoint.close();
  }

  @Test
  void pagesShowTheClassTheNodeAndWhatItsAgentTells() throws Exception {
    start();
    serve();
    node("drawn", "p1");
    create(Samples.dualSocket("drawn"));
    create(Samples.profile("drawer", "p1"));
    eventually(
        () ->
            assertThat(get("/nodes"))
                .contains("Profile drawer: drawn", "href=\"nodes/drawn\"", "0 of 3 slots used"));
    client
        .resources(SparkNodeTopology.class)
        .withName("drawn")
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\": {\"heartbeat\": \"%s\", \"exclusive\": [%s]}}"
                .formatted(
                    Instant.now(),
                    "{\"namespace\": \"kube\", \"pod\": \"db\", \"cpus\": \"6-7,14-15\"}"));
    eventually(
        () ->
            assertThat(get("/nodes/drawn"))
                .contains("Pod kube/db. CPUs 6-7,14-15 (4)", "Slot 1. CPUs"));
    assertThat(get("/nodes/other")).contains("has a node other");
  }

  private String get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            BodyHandlers.ofString())
        .body();
  }
}
