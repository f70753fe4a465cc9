package io.numaspark.cli;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinnedBy;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinningWay;
import io.numaspark.render.text.MemorySize;
import java.util.List;
import java.util.SortedMap;

/**
 * The answer of {@code numaspark plan} as JSON and YAML; documented in docs/cli.md and kept stable.
 */
@JsonPropertyOrder({
  "profile",
  "executor",
  "why",
  "shortfall",
  "nodes",
  "whatIf",
  "application",
  "explain"
})
record PlanDocument(
    String profile,
    Executor executor,
    String why,
    Shortfall shortfall,
    List<Node> nodes,
    List<PinningWay> whatIf,
    Application application,
    ExplainDocument explain) {

  record Executor(
      int cpus,
      int taskSlots,
      long heapBytes,
      long memoryOverheadBytes,
      Long shuffleMemoryBytes,
      long offHeapBytes,
      long pageCacheBytes,
      long podMemoryBytes,
      List<String> jvmOptions,
      SortedMap<String, String> sparkConf) {

    /** Its size in a line. */
    String describe() {
      return "%d CPUs, %d task slots, heap %s, overhead %s%s%s%s, pod %s"
          .formatted(
              cpus,
              taskSlots,
              MemorySize.toQuantity(heapBytes),
              MemorySize.toQuantity(memoryOverheadBytes),
              part("off-heap", offHeapBytes),
              part("shuffle", shuffleMemoryBytes == null ? 0 : shuffleMemoryBytes),
              part("page cache", pageCacheBytes),
              MemorySize.toQuantity(podMemoryBytes));
    }

    private static String part(String name, long bytes) {
      return bytes == 0 ? "" : ", " + name + " " + MemorySize.toQuantity(bytes);
    }
  }

  record Shortfall(String reason, String message, String remedy) {}

  /**
   * A node.
   *
   * @param pinnedBy Kubelet or Runtime; null if its topology is not known
   * @param kubeletVersion the minor version of Kubernetes by whose kubelet it is planned; null if
   *     no kubelet pins there
   */
  record Node(
      String name,
      PinnedBy pinnedBy,
      String kubeletVersion,
      List<Slot> slots,
      Stranded stranded,
      List<Finding> findings) {}

  record Slot(int numaNode, String cpus) {}

  record Stranded(String cpus, long memoryBytes) {}

  record Finding(String severity, String reason, String message, String remedy) {
    static Finding of(io.numaspark.planner.plan.Finding finding) {
      return new Finding(
          finding.severity().displayName(),
          finding.reason().displayName(),
          finding.message(),
          finding.remedy());
    }
  }

  record Application(
      String name,
      boolean pinned,
      int executors,
      long taskSlots,
      List<String> advice,
      String refusal,
      List<PropertyDocument> properties) {}
}
