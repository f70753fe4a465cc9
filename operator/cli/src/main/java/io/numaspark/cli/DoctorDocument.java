package io.numaspark.cli;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * The answer of {@code numaspark doctor} as JSON and YAML; documented in docs/cli.md and kept
 * stable.
 *
 * @param summary what was looked at, in words
 * @param findings the worst first: errors, then warnings; among equals the one that concerns more
 *     CPUs
 */
@JsonPropertyOrder({"summary", "errors", "warnings", "infos", "findings"})
public record DoctorDocument(
    String summary, long errors, long warnings, long infos, List<Entry> findings) {

  /**
   * One finding.
   *
   * @param subject what has it, for example Node, SparkNodeProfile lab, Pod exec-1
   * @param nodes the nodes that it is about, by name; empty if it is about none
   * @param cpus of these nodes together, if that is known
   */
  public record Entry(
      String severity,
      String reason,
      String subject,
      String message,
      String remedy,
      List<String> nodes,
      Integer cpus) {}
}
