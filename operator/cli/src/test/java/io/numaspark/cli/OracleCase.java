package io.numaspark.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.render.profile.TopologyTranslator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A node with a sequence of pods, as oracles/kubelet writes it, and what this project's model makes
 * of it.
 *
 * @param json id, topology (the spec of a SparkNodeTopology) and pods
 */
record OracleCase(JsonNode json) {
  static final ObjectMapper JSON = JsonMapper.builder().build();

  static OracleCase parse(String line) {
    try {
      return new OracleCase(JSON.readTree(line));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no case: " + line, e);
    }
  }

  String id() {
    return json.path("id").asText();
  }

  /** The answer that came with a recorded or generated case. */
  JsonNode expected() {
    return json.get("expect");
  }

  /** The case as a question to the oracle. */
  String question() {
    ObjectNode question = json.deepCopy();
    question.remove("expect");
    return question.toString();
  }

  /**
   * How the model's answer differs from the kubelet's.
   *
   * @param version of the kubelet that gave the answer
   * @return empty if both say the same
   */
  Optional<String> difference(String version, JsonNode answer) {
    JsonNode ours = answer(version);
    JsonNode theirs = comparable(answer);
    return ours.equals(theirs)
        ? Optional.empty()
        : Optional.of("kubelet: " + theirs + "\nmodel:   " + ours);
  }

  /**
   * Texts of start errors and panics are not compared: the model explains them in its own words.
   */
  private static JsonNode comparable(JsonNode answer) {
    ObjectNode result = JSON.createObjectNode();
    for (String outcome : List.of("startError", "panic", "error")) {
      if (answer.has(outcome)) {
        return result.put(outcome, true);
      }
    }
    result.set("results", answer.get("results"));
    result.set("free", answer.get("free"));
    return widened(result);
  }

  /** Numbers compare as equal only if they were read as the same type. */
  private static JsonNode widened(JsonNode node) {
    try {
      return JSON.readTree(JSON.writeValueAsString(node));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  private JsonNode answer(String version) {
    SimulationDocument document;
    try {
      document =
          Simulation.run(
              TopologyTranslator.machine(
                  of(version, JSON.treeToValue(json.get("topology"), SparkNodeTopologySpec.class))),
              pods());
    } catch (IllegalArgumentException e) {
      return JSON.createObjectNode().put("startError", true);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no case: " + json, e);
    }
    if (document.notStarted() != null) {
      return JSON.createObjectNode().put("startError", true);
    }
    boolean undefined =
        document.results().stream().anyMatch(r -> Simulation.UNDEFINED.equals(r.reason()));
    return undefined
        ? JSON.createObjectNode().put("panic", true)
        : comparable(
            JSON.copy()
                .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
                .valueToTree(document));
  }

  private static SparkNodeTopologySpec of(String version, SparkNodeTopologySpec spec) {
    return spec.withKubelet(
        Objects.requireNonNullElse(spec.kubelet(), KubeletSpec.UNKNOWN).withVersion(version));
  }

  private List<Pod> pods() throws JsonProcessingException {
    List<Pod> pods = new ArrayList<>();
    for (JsonNode pod : json.path("pods")) {
      pods.add(JSON.treeToValue(pod, Pod.class));
    }
    return pods;
  }
}
