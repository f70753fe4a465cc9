package io.numaspark.agent.cluster;

import io.numaspark.agent.answer.Json;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.WantedKnobs;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The SparkNodeTopology of one node: its newest state as far as it is known here, and writing it.
 *
 * <p>Writes replace the object as it was read, so that one of the operator in between is never
 * lost: it makes the write a conflict, after which the object is read again. Two threads use it:
 * one watches, one writes.
 */
public final class OwnTopology {
  private static final String KIND = "SparkNodeTopology";
  private static final String COLLECTION =
      "/apis/" + ApiGroup.NAME + "/" + ApiGroup.VERSION + "/sparknodetopologies";
  private static final int TRIES = 5;

  private final ApiServer server;
  private final String node;
  private Map<String, Object> known = Map.of();

  public OwnTopology(ClusterAddress address, String node) throws IOException {
    this.server = address.server();
    this.node = node;
  }

  /** Reads the object anew; whether there is one. */
  public boolean refresh() throws IOException {
    try {
      know(server.request("GET", path(), null));
      return true;
    } catch (ApiException e) {
      if (e.notFound()) {
        know(Map.of());
        return false;
      }
      throw e;
    }
  }

  /**
   * Watches the object until the server ends it, and calls back after each change of its spec.
   *
   * @throws ApiException if it has to be read anew before
   */
  public void watch(Runnable changed) throws IOException {
    String version =
        String.valueOf(Json.object(known(), "metadata").getOrDefault("resourceVersion", ""));
    server.watch(
        COLLECTION
            + "?watch=true&allowWatchBookmarks=true&fieldSelector=metadata.name%3D"
            + node
            + (version.isEmpty() ? "" : "&resourceVersion=" + version),
        event -> {
          Object type = event.get("type");
          if (!"BOOKMARK".equals(type)) {
            Long before = wishes().generation();
            know("DELETED".equals(type) ? Map.of() : Json.object(event, "object"));
            if (!Objects.equals(before, wishes().generation())) {
              changed.run();
            }
          }
        });
  }

  /**
   * What the operator wants of this node.
   *
   * @param generation of the object that says it; null if there is none
   * @param knobs empty if nothing is wanted of them
   */
  public record Wishes(Long generation, Optional<WantedKnobs> knobs) {}

  /** What the operator wants, as far as it is known here. */
  public Wishes wishes() {
    Map<String, Object> object = known();
    Object generation = Json.object(object, "metadata").get("generation");
    return new Wishes(
        generation instanceof Number number ? Long.valueOf(number.longValue()) : null,
        knobs(Json.object(Json.object(object, "spec"), "knobs")));
  }

  private static Optional<WantedKnobs> knobs(Map<String, Object> knobs) {
    if (knobs.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> settings = new TreeMap<>();
    Json.object(knobs, "settings")
        .forEach((name, value) -> settings.put(name, String.valueOf(value)));
    return Optional.of(
        new WantedKnobs(
            String.valueOf(knobs.get("profile")),
            "Executors".equals(knobs.get("scope"))
                ? WantedKnobs.Scope.Executors
                : WantedKnobs.Scope.Node,
            settings,
            knobs.get("enforced") instanceof List<?> names
                ? names.stream().map(String::valueOf).toList()
                : List.of()));
  }

  /** Whether the object exists, and writing this spec would change nothing. */
  public boolean hasSpec(SparkNodeTopologySpec spec) throws IOException {
    Map<String, Object> there = Json.object(known(), "spec");
    return !there.isEmpty() && there.equals(whole(spec, there));
  }

  /**
   * Makes the spec this one, except for the operator's part of it, and for the kubelet's if that is
   * not known now; whether the object was made.
   *
   * @throws ApiException if the API server refuses
   */
  public boolean writeSpec(SparkNodeTopologySpec spec) throws IOException {
    for (int i = 1; ; i++) {
      Map<String, Object> object = new LinkedHashMap<>(known());
      boolean make = object.isEmpty();
      object.put("spec", whole(spec, Json.object(object, "spec")));
      try {
        if (make) {
          object.put("apiVersion", ApiGroup.NAME + "/" + ApiGroup.VERSION);
          object.put("kind", KIND);
          object.put("metadata", Map.of("name", node));
        }
        know(
            make
                ? server.request("POST", COLLECTION, object)
                : server.request("PUT", path(), object));
        return make;
      } catch (ApiException e) {
        againOrThrow(e, i);
      }
    }
  }

  private static Map<String, Object> whole(SparkNodeTopologySpec spec, Map<String, Object> there)
      throws IOException {
    Map<String, Object> whole = new LinkedHashMap<>(Json.read(Json.write(spec)));
    if (there.containsKey("knobs")) {
      whole.put("knobs", there.get("knobs"));
    }
    if (spec.kubelet() == null && there.containsKey("kubelet")) {
      whole.put("kubelet", there.get("kubelet"));
    }
    return whole;
  }

  /**
   * Makes the status this one. Does nothing while the object does not exist.
   *
   * @throws ApiException if the API server refuses
   */
  public void writeStatus(SparkNodeTopologyStatus status) throws IOException {
    Map<String, Object> json = Json.read(Json.write(status));
    for (int i = 1; !known().isEmpty(); i++) {
      Map<String, Object> object = new LinkedHashMap<>(known());
      object.put("status", json);
      try {
        know(server.request("PUT", path() + "/status", object));
        return;
      } catch (ApiException e) {
        againOrThrow(e, i);
      }
    }
  }

  private void againOrThrow(ApiException e, int tries) throws IOException {
    if (!e.conflict() && !e.notFound() || tries == TRIES) {
      throw e;
    }
    refresh();
  }

  private String path() {
    return COLLECTION + "/" + node;
  }

  private synchronized Map<String, Object> known() {
    return known;
  }

  private synchronized void know(Map<String, Object> object) {
    known = object;
  }
}
