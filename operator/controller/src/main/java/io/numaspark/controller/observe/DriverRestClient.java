package io.numaspark.controller.observe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.controller.observe.ReportedExecutors.Placement;
import io.numaspark.render.Labels;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Asks a driver's REST API (Spark's /api/v1) for the attributes that executors registered with.
 *
 * <p>Limit: it needs the driver's web UI to be on and reachable from the operator's pod.
 */
public final class DriverRestClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(TIMEOUT).version(HttpClient.Version.HTTP_1_1).build();

  /** The executors of a running driver. */
  public ReportedExecutors executors(String driverAddress, int uiPort, String sparkAppId) {
    String host = driverAddress.contains(":") ? "[" + driverAddress + "]" : driverAddress;
    URI uri =
        URI.create(
            "http://"
                + host
                + ":"
                + uiPort
                + "/api/v1/applications/"
                + sparkAppId
                + "/allexecutors");
    try {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(uri)
                  .timeout(TIMEOUT)
                  .header("Accept", "application/json")
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        return new NoAnswer("the driver's REST API answered " + response.statusCode());
      }
      return new Answer(parse(response.body()));
    } catch (IOException e) {
      return new NoAnswer("the driver's REST API on port " + uiPort + " did not answer");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new NoAnswer("the operator is stopping");
    }
  }

  /** Executor id to placement, from an ExecutorSummary array. */
  static Map<String, Placement> parse(String json) throws JsonProcessingException {
    Map<String, Placement> placements = new TreeMap<>();
    for (JsonNode executor : JSON.readTree(json)) {
      JsonNode attributes = executor.path("attributes");
      placements.put(
          executor.path("id").asText(),
          new Placement(
              attributes.path(Labels.ATTRIBUTE_CPUS).asText(null),
              attributes.path(Labels.ATTRIBUTE_MEMORY_NODES).asText(null)));
    }
    return placements;
  }
}
