package io.numaspark.cli;

import io.numaspark.cli.DoctorDocument.Entry;
import io.numaspark.render.text.OneLine;

/** Findings as a person reads them. */
public final class DoctorTable {
  /** Names of nodes that are shown of one finding; the other formats show all. */
  private static final int NODES_SHOWN = 5;

  private DoctorTable() {}

  /** The findings, and how many there are. */
  public static String print(DoctorDocument document) {
    if (document.findings().isEmpty()) {
      return "No findings: " + document.summary() + ".\n";
    }
    StringBuilder text = new StringBuilder();
    for (Entry finding : document.findings()) {
      text.append(
          "%s %s: %s%n  %s%n"
              .formatted(
                  finding.severity(),
                  finding.reason(),
                  OneLine.of(where(finding)),
                  OneLine.of(finding.message())));
      if (!finding.remedy().isEmpty()) {
        text.append("  Remedy: ").append(OneLine.of(finding.remedy())).append('\n');
      }
    }
    return text.append(
            "%n%s, %s, %s: %s.%n"
                .formatted(
                    count(document.errors(), "error"),
                    count(document.warnings(), "warning"),
                    count(document.infos(), "info"),
                    document.summary()))
        .toString();
  }

  private static String where(Entry finding) {
    if (finding.nodes().isEmpty()) {
      return finding.subject();
    }
    int number = finding.nodes().size();
    String nodes =
        count(number, "node")
            + " ("
            + String.join(", ", finding.nodes().subList(0, Math.min(NODES_SHOWN, number)))
            + (number > NODES_SHOWN ? " and " + (number - NODES_SHOWN) + " more" : "")
            + ")"
            + (finding.cpus() == null ? "" : " with " + count(finding.cpus(), "CPU"))
            + cost(finding);
    return finding.subject().equals("Node") ? nodes : finding.subject() + " on " + nodes;
  }

  private static String cost(Entry finding) {
    boolean lacks = finding.slots() != null && finding.slots() > 0;
    boolean strands = finding.strandedCpus() != null && finding.strandedCpus() > 0;
    if (lacks) {
      return ", costs " + count(finding.slots(), "slot");
    }
    return strands ? ", " + finding.strandedCpus() + " of them stranded" : "";
  }

  /** A number with its noun, in the singular or the plural. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
