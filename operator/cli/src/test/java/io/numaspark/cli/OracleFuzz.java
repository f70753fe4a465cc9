package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Compares the admission model with the real kubelet packages on random nodes and pods; run by
 * {@code make oracle-fuzz SEED= COUNT=}, not with the other tests.
 *
 * <p>Limit: nodes with offline siblings are compared too, but what the kubelet does there is a
 * known defect (kubernetes issue 124066).
 */
class OracleFuzz {
  private static final int PROGRESS_EVERY = 1000;
  private static final String ORACLE = System.getProperty("oracle.program");

  @Test
  void modelAndKubeletAgree() throws IOException {
    String seed = System.getProperty("oracle.seed");
    String count = System.getProperty("oracle.count");
    String version = version();
    OracleCase smallest = null;
    int nodes = 0;
    int pods = 0;
    int different = 0;
    try (OracleProcess generator =
            new OracleProcess(ORACLE, "generate", "--seed", seed, "--count", count);
        OracleProcess oracle = new OracleProcess(ORACLE, "run")) {
      for (String line = generator.next(); line != null; line = generator.next()) {
        OracleCase generated = OracleCase.parse(line);
        nodes++;
        pods += generated.json().path("pods").size();
        if (generated.difference(version, generated.expected()).isPresent()) {
          different++;
          OracleCase shrunk = shrink(version, generated, oracle);
          if (smallest == null || shrunk.question().length() < smallest.question().length()) {
            smallest = shrunk;
          }
        }
        if (nodes % PROGRESS_EVERY == 0) {
          System.out.printf("%d nodes, %d pods, %d nodes differ%n", nodes, pods, different);
        }
      }
      System.out.printf(
          "oracle-fuzz: kubelet %s, seed %s: %d nodes, %d pods, %d nodes differ%n",
          version, seed, nodes, pods, different);
      if (smallest != null) {
        System.out.printf(
            "smallest differing case:%n%s%n%s%n",
            smallest.question(), smallest.difference(version, oracle.ask(smallest)).orElse(""));
      }
    }
    assertThat(nodes).as("cases that the oracle generated").isEqualTo(Integer.parseInt(count));
    assertThat(different).as("nodes on which the model differs from the kubelet").isZero();
  }

  /** The version of Kubernetes that the oracle has. */
  private static String version() throws IOException {
    try (OracleProcess oracle = new OracleProcess(ORACLE, "version")) {
      return oracle.next();
    }
  }

  /** Takes parts away for as long as the difference stays. */
  private static OracleCase shrink(String version, OracleCase start, OracleProcess oracle)
      throws IOException {
    OracleCase current = start;
    for (boolean smaller = true; smaller; ) {
      smaller = false;
      for (OracleCase candidate : simplifications(current)) {
        JsonNode answer = oracle.ask(candidate);
        if (!answer.has("error") && differs(version, candidate, answer)) {
          current = candidate;
          smaller = true;
          break;
        }
      }
    }
    return current;
  }

  private static boolean differs(String version, OracleCase candidate, JsonNode answer) {
    try {
      return candidate.difference(version, answer).isPresent();
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** The case without one pod, container, NUMA node, core, setting or list of caches. */
  private static List<OracleCase> simplifications(OracleCase of) {
    List<OracleCase> simpler = new ArrayList<>();
    List<String> lists = new ArrayList<>(List.of("/pods", "/topology/numaNodes"));
    for (int i = 0; i < of.json().path("pods").size(); i++) {
      lists.add("/pods/" + i + "/spec/containers");
      lists.add("/pods/" + i + "/spec/initContainers");
    }
    for (int i = 0; i < of.json().at("/topology/numaNodes").size(); i++) {
      lists.add("/topology/numaNodes/" + i + "/cores");
      lists.add("/topology/numaNodes/" + i + "/caches");
    }
    for (String list : lists) {
      for (int i = of.json().at(list).size() - 1; i >= 0; i--) {
        int index = i;
        without(of, list, node -> ((ArrayNode) node).remove(index)).ifPresent(simpler::add);
      }
    }
    for (String object :
        List.of(
            "/topology/kubelet",
            "/topology/kubelet/cpuManagerPolicyOptions",
            "/topology/kubelet/topologyManagerPolicyOptions")) {
      of.json()
          .at(object)
          .fieldNames()
          .forEachRemaining(
              field ->
                  without(of, object, node -> ((ObjectNode) node).remove(field))
                      .ifPresent(simpler::add));
    }
    return simpler;
  }

  private static Optional<OracleCase> without(
      OracleCase of, String path, Consumer<JsonNode> removal) {
    JsonNode copy = of.json().deepCopy();
    JsonNode target = copy.at(path);
    if (target.isMissingNode() || target.isNull()) {
      return Optional.empty();
    }
    removal.accept(target);
    return Optional.of(new OracleCase(copy));
  }
}
