package io.numaspark.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells what keeps executors from being pinned, the worst first. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Lists what keeps executors from being pinned, the worst first, with a remedy for each.",
      "Exit code 0 without errors, 1 with errors, 2 for a wrong file or option."
    },
    footer = {
      "",
      "Examples:",
      "  numaspark topology | numaspark doctor",
      "  numaspark doctor -f topologies/",
      "  numaspark doctor -f topologies/ -f profile.yaml -f application.yaml",
      "  kubectl get pod exec-1 -o yaml | numaspark doctor -f topologies/ -f -",
    })
final class DoctorCommand implements Callable<Integer> {
  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      description =
          "File or folder with SparkNodeTopology, and if wanted one SparkNodeProfile, SparkApplications and Pods; - is"
              + " standard input, which is the default. May be given several times.")
  private List<String> files;

  @Mixin private OutputOption output;
  @Spec private CommandSpec command;

  @Override
  public Integer call() {
    DoctorDocument document =
        DocumentFindings.of(Documents.read(StandardInput.unlessNamed(files, command), System.in));
    output.print(document, () -> DoctorTable.print(document));
    return document.errors() > 0 ? Main.EXIT_NO_PLAN : 0;
  }
}
