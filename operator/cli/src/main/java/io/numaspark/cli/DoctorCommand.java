package io.numaspark.cli;

import io.numaspark.cli.DoctorDocument.Entry;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells what keeps executors from being pinned, the worst first. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Tells what keeps executors from being pinned, the worst first, with a remedy for each.",
      "Exit code 0 without errors, 1 with errors, 2 for a wrong file or option."
    },
    footer = {
      "",
      "Examples:",
      "  numaspark doctor -f topologies/",
      "  numaspark doctor -f topologies/ -f profile.yaml -f application.yaml",
      "  kubectl get pod exec-1 -o yaml | numaspark doctor -f topologies/ -f -",
    })
final class DoctorCommand implements Callable<Integer> {
  /** Names of nodes that the table shows of one finding; the other formats show all. */
  private static final int NODES_SHOWN = 5;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      required = true,
      description =
          "File or folder with SparkNodeTopology, and if wanted one SparkNodeProfile, SparkApplications and Pods; - is"
              + " standard input. May be given several times.")
  private List<String> files;

  @Mixin private OutputOption output;

  @Override
  public Integer call() {
    DoctorDocument document = Diagnosis.of(Documents.read(files, System.in));
    output.print(document, () -> table(document));
    return document.errors() > 0 ? Main.EXIT_NO_PLAN : 0;
  }

  private static String table(DoctorDocument document) {
    if (document.findings().isEmpty()) {
      return "No findings: " + document.summary() + ".\n";
    }
    StringBuilder text = new StringBuilder();
    for (Entry finding : document.findings()) {
      text.append(
          "%s %s: %s%n  %s%n"
              .formatted(finding.severity(), finding.reason(), where(finding), finding.message()));
      if (!finding.remedy().isEmpty()) {
        text.append("  Remedy: ").append(finding.remedy()).append('\n');
      }
    }
    return text.append(
            "%n%s, %s, %s: %s.%n"
                .formatted(
                    Diagnosis.count(document.errors(), "error"),
                    Diagnosis.count(document.warnings(), "warning"),
                    Diagnosis.count(document.infos(), "info"),
                    document.summary()))
        .toString();
  }

  private static String where(Entry finding) {
    if (finding.nodes().isEmpty()) {
      return finding.subject();
    }
    int number = finding.nodes().size();
    String nodes =
        Diagnosis.count(number, "node")
            + " ("
            + String.join(", ", finding.nodes().subList(0, Math.min(NODES_SHOWN, number)))
            + (number > NODES_SHOWN ? " and " + (number - NODES_SHOWN) + " more" : "")
            + ")";
    return finding.subject().equals("Node") ? nodes : finding.subject() + " on " + nodes;
  }
}
