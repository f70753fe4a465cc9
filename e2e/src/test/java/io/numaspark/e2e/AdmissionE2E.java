package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Predicts a sequence of mixed pods with {@code numaspark simulate}, then really creates them:
 * every admission, cpuset and rejection must be as predicted. Runs on every topology of the lab.
 */
@Order(4)
@Tag("admission")
class AdmissionE2E {
  private static final String NAMESPACE = "admission";
  private static final Duration ADMISSION = Duration.ofMinutes(2);
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  @AfterEach
  void cleanUp() {
    Lab.kubectl("delete", "namespace", NAMESPACE, "--ignore-not-found", "--timeout=300s").orFail();
  }

  @Test
  void theKubeletDoesWhatWasPredicted() throws IOException {
    JsonNode topology = Lab.get("sparknodetopologies.numaspark.io", "numa-0");
    String pods = pods(topology);
    List<String> predicted = new ArrayList<>();
    for (JsonNode result : simulate(topology, pods).path("results")) {
      predicted.add(result.toString());
    }
    System.out.println("predicted on " + topology.at("/spec/numaNodes").size() + " NUMA nodes:");
    predicted.forEach(System.out::println);
    assertThat(predicted)
        .as("the sequence has pods that are admitted and pods that are rejected")
        .anySatisfy(result -> assertThat(result).contains("\"containers\":{\"main\""))
        .anySatisfy(result -> assertThat(result).contains("TopologyAffinityError"));

    Lab.kubectl("create", "namespace", NAMESPACE).orFail();
    List<String> seen = new ArrayList<>();
    for (JsonNode pod : YAML.readerFor(JsonNode.class).<JsonNode>readValues(pods).readAll()) {
      if (pod.isObject()) {
        seen.add(send((ObjectNode) pod, topology).toString());
      }
    }
    assertThat(seen).containsExactlyElementsOf(predicted);
  }

  /** The manifest with the memory of this topology: each NUMA node can hold one big pod. */
  private static String pods(JsonNode topology) throws IOException {
    long smallest = Long.MAX_VALUE;
    for (JsonNode node : topology.at("/spec/numaNodes")) {
      smallest = Math.min(smallest, node.path("memory").asLong());
    }
    Path file = Lab.REPOSITORY.resolve("e2e/src/test/resources/admission-pods.yaml");
    return Files.readString(file).replace("BIG", (smallest >> 20) * 6 / 10 + "Mi");
  }

  private static JsonNode simulate(JsonNode topology, String pods) throws IOException {
    ObjectNode document = Lab.json("{}").deepCopy();
    for (String field : List.of("apiVersion", "kind", "spec")) {
      document.set(field, topology.get(field));
    }
    document.putObject("metadata").put("name", "numa-0");
    Path file = Files.createTempFile("admission", ".yaml");
    try {
      Files.writeString(file, pods, StandardCharsets.UTF_8);
      return Lab.json(
          Lab.numaspark(
                  document.toString(), "simulate", "-f", "-", "-f", file.toString(), "-o", "json")
              .orFail()
              .out());
    } finally {
      Files.delete(file);
    }
  }

  /** Does with one pod what the manifest says, and tells the kubelet's answer as simulate would. */
  private static JsonNode send(ObjectNode pod, JsonNode topology) {
    String name = pod.at("/metadata/name").asText();
    ObjectNode result = Lab.json("{}").deepCopy();
    result.put("pod", name);
    if (pod.at("/metadata/annotations").has("numaspark.io/removed")) {
      Lab.kubectl("delete", "pod", name, "-n", NAMESPACE, "--timeout=300s").orFail();
      return result.put("removed", true);
    }
    Lab.apply(runnable(pod).toString()).orFail();
    JsonNode answered =
        Lab.awaitObject(
            "pod", NAMESPACE, name, ADMISSION, object -> isAnswered(object.path("status")));
    JsonNode status = answered.path("status");
    if (status.path("phase").asText().equals("Failed")) {
      return result
          .put("admitted", false)
          .put("reason", status.path("reason").asText())
          .put("message", status.path("message").asText());
    }
    String uid = answered.at("/metadata/uid").asText();
    Map<String, String> cpus = new TreeMap<>();
    TreeSet<Integer> numaNodes = new TreeSet<>();
    state("cpu_manager_state")
        .path(uid)
        .properties()
        .forEach(container -> cpus.put(container.getKey(), container.getValue().asText()));
    cpus.values().forEach(set -> numaNodes.addAll(numaNodesOf(set, topology)));
    state("memory_manager_state")
        .path(uid)
        .forEach(
            blocks ->
                blocks.forEach(
                    block -> block.path("numaAffinity").forEach(id -> numaNodes.add(id.asInt()))));
    result.put("admitted", true);
    numaNodes.forEach(result.putArray("numaNodes")::add);
    ObjectNode containers = result.putObject("containers");
    cpus.forEach(containers::put);
    return result;
  }

  /** Containers do not have to start: the kubelet has decided before it looks for their image. */
  private static boolean isAnswered(JsonNode status) {
    return status.path("phase").asText().equals("Failed")
        || !status.path("containerStatuses").isEmpty();
  }

  /** The pod, bound to the node without a scheduler that could hold it back. */
  private static ObjectNode runnable(ObjectNode pod) {
    ((ObjectNode) pod.get("metadata")).put("namespace", NAMESPACE);
    ObjectNode spec = (ObjectNode) pod.get("spec");
    spec.put("nodeName", "numa-0")
        .put("terminationGracePeriodSeconds", 0)
        .put("automountServiceAccountToken", false);
    for (String kind : List.of("containers", "initContainers")) {
      spec.path(kind)
          .forEach(
              container ->
                  ((ObjectNode) container)
                      .put("image", "docker.io/numaspark/pause:lab")
                      .put("imagePullPolicy", "Never"));
    }
    return pod;
  }

  private static JsonNode state(String file) {
    return Lab.json(Lab.nodeExec("numa-0", "cat /var/lib/kubelet/" + file).orFail().out())
        .path("entries");
  }

  private static List<Integer> numaNodesOf(String cpus, JsonNode topology) {
    List<Integer> ids = new ArrayList<>();
    for (JsonNode node : topology.at("/spec/numaNodes")) {
      for (JsonNode core : node.path("cores")) {
        if (CpuSet.parse(core.asText()).intersects(CpuSet.parse(cpus))) {
          ids.add(node.path("id").asInt());
          break;
        }
      }
    }
    return ids;
  }
}
