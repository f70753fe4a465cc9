package io.numaspark.cli.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.render.text.OneLine;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The answer of {@code kubectl numaspark why}; documented in docs/kubectl.md and kept stable.
 *
 * @param role Executor, Driver or Pod
 * @param application namespace/name; null for other pods
 * @param pinned null for drivers
 * @param reason CamelCase
 * @param lines what a person should know, the answer first
 */
@JsonPropertyOrder({"pod", "role", "application", "node", "phase", "pinned", "reason", "lines"})
record PodDocument(
    String pod,
    String role,
    String application,
    String node,
    String phase,
    Pinned pinned,
    String reason,
    List<String> lines) {

  /** As text: the answer, and the facts below it. */
  String text() {
    return lines.stream().map(OneLine::of).collect(Collectors.joining("\n  ", "", "\n"));
  }
}
