package io.numaspark.cli;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.numaspark.planner.plan.Finding.Severity;
import java.util.Comparator;
import java.util.List;

/**
 * The answer of {@code numaspark doctor} as JSON and YAML; documented in docs/cli.md and kept
 * stable.
 *
 * @param summary what was looked at, in words
 * @param findings the worst first: errors, then warnings; among equals the one that costs more
 *     slots, strands more CPUs or concerns more CPUs
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
   * @param strandedCpus CPUs of these nodes that no slot can use, if that is known
   * @param slots what these nodes lack because of an error, compared with the way to pin in which
   *     they have the most; null for what is no error, and if it is not known
   */
  public record Entry(
      String severity,
      String reason,
      String subject,
      String message,
      String remedy,
      List<String> nodes,
      Integer cpus,
      Integer strandedCpus,
      Integer slots) {

    /** By severity, then by what they cost: slots, then stranded CPUs, then CPUs. */
    public static final Comparator<Entry> WORST_FIRST =
        Comparator.comparing(Entry::rank)
            .thenComparing(Entry::slots, Comparator.nullsLast(Comparator.reverseOrder()))
            .thenComparing(Entry::strandedCpus, Comparator.nullsLast(Comparator.reverseOrder()))
            .thenComparing(Entry::cpus, Comparator.nullsLast(Comparator.reverseOrder()));

    /** What a newer operator calls otherwise counts as the least. */
    private Severity rank() {
      return Severity.named(severity).orElse(Severity.INFO);
    }
  }
}
