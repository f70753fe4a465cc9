package io.numaspark.cli;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.math.BigInteger;
import java.util.List;
import java.util.SortedMap;

/**
 * The answer of {@code numaspark simulate} as JSON and YAML; documented in docs/simulate.md and
 * kept stable.
 *
 * @param kubeletVersion the minor version of Kubernetes whose kubelet is predicted
 * @param betterOrder an order in which more of these pods fit; absent if none is known
 * @param findings what is wrong with the node, whatever the pods
 * @param notStarted why the kubelet does not start; then nothing is admitted or free
 */
@JsonPropertyOrder({"kubeletVersion", "results", "free", "betterOrder", "findings", "notStarted"})
record SimulationDocument(
    String kubeletVersion,
    List<Result> results,
    List<Free> free,
    BetterOrder betterOrder,
    List<PlanDocument.Finding> findings,
    NotStarted notStarted) {

  /** What became of one pod; fields that do not apply are absent. */
  @JsonPropertyOrder({"pod", "admitted", "numaNodes", "containers", "reason", "message", "removed"})
  record Result(
      String pod,
      Boolean admitted,
      List<Integer> numaNodes,
      SortedMap<String, String> containers,
      String reason,
      String message,
      Boolean removed) {

    static Result admitted(
        String pod, List<Integer> numaNodes, SortedMap<String, String> containers) {
      return new Result(pod, true, numaNodes, containers, null, null, null);
    }

    static Result rejected(String pod, String reason, String message) {
      return new Result(pod, false, null, null, reason, message, null);
    }

    static Result removed(String pod) {
      return new Result(pod, null, null, null, null, null, true);
    }
  }

  /** What is left of a NUMA node in the end. */
  @JsonPropertyOrder({"numaNode", "cpus", "memoryBytes"})
  record Free(int numaNode, String cpus, BigInteger memoryBytes) {}

  /** Pods in the better order, how many fit then, and how many in the order given. */
  @JsonPropertyOrder({"pods", "admitted", "insteadOf"})
  record BetterOrder(List<String> pods, int admitted, int insteadOf) {}

  /** Why a kubelet does not start. */
  @JsonPropertyOrder({"field", "message", "remedy"})
  record NotStarted(String field, String message, String remedy) {}
}
