package io.numaspark.cli;

import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.cli.text.InputException;
import io.numaspark.cli.text.TextColumns;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.profile.TopologyTranslator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Predicts what a node's kubelet does with a sequence of pods. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Predicts which CPUs and NUMA nodes the kubelet of a node gives to pods that come one after another, or why it",
      "rejects them (static CPU manager, static Memory Manager, Topology Manager of the version in spec.kubelet.version,",
      "from Kubernetes 1.32 to 1.37).",
      "A Pod with the annotation numaspark.io/removed: \"true\" says that the earlier pod of that name leaves."
    },
    footer = {
      "",
      "Exit codes: 0 done, also when pods are rejected; 1 the kubelet does not start; 2 a file is wrong.",
      "",
      "Example:",
      "  numaspark simulate -f topology.yaml -f pods.yaml",
    })
final class SimulateCommand implements Callable<Integer> {
  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      required = true,
      description =
          "File or folder with one SparkNodeTopology and any number of Pods in the order of their admission; - is standard"
              + " input. May be given several times.")
  private List<String> files;

  @Option(
      names = "--feature-gates",
      paramLabel = "GATE=BOOL",
      split = ",",
      description =
          "Feature gates of the kubelet in addition to those of the topology, for example CPUManagerPolicyAlphaOptions=true.")
  private Map<String, Boolean> featureGates = new TreeMap<>();

  @Mixin private OutputOption output;

  @Override
  public Integer call() {
    Documents documents = Documents.read(files, System.in);
    if (documents.topologies().size() != 1) {
      throw new InputException(
          documents.topologies().size()
              + " SparkNodeTopologies in the files; give exactly one, pods are admitted by one node");
    }
    if (!documents.profiles().isEmpty() || !documents.applications().isEmpty()) {
      throw new InputException(
          "simulate takes a SparkNodeTopology and Pods; for profiles and applications there is numaspark plan");
    }
    SimulationDocument document =
        Simulation.run(machine(documents.topologies().get(0)), documents.pods());
    output.print(document, () -> table(document));
    return document.notStarted() == null ? 0 : Main.EXIT_NO_PLAN;
  }

  private Machine machine(SparkNodeTopology topology) {
    SparkNodeTopologySpec given = topology.getSpec();
    KubeletSpec kubelet = Objects.requireNonNullElse(given.kubelet(), KubeletSpec.UNKNOWN);
    Map<String, Boolean> gates = new TreeMap<>(featureGates);
    Objects.requireNonNullElse(kubelet.featureGates(), Map.<String, Boolean>of())
        .forEach(gates::putIfAbsent);
    return TopologyTranslator.machine(given.withKubelet(kubelet.withFeatureGates(gates)));
  }

  private static String table(SimulationDocument document) {
    if (document.notStarted() != null) {
      return "Nothing to predict: %s: %s%n  Remedy: %s%n"
          .formatted(
              document.notStarted().field(),
              document.notStarted().message(),
              document.notStarted().remedy());
    }
    List<List<String>> pods = new ArrayList<>();
    pods.add(List.of("POD", "RESULT", "NUMA", "EXCLUSIVE CPUS"));
    document.results().forEach(result -> pods.add(row(result)));
    List<List<String>> free = new ArrayList<>();
    free.add(List.of("NUMA", "FREE CPUS", "FREE MEMORY"));
    document
        .free()
        .forEach(
            node ->
                free.add(
                    List.of(
                        String.valueOf(node.numaNode()),
                        node.cpus(),
                        node.memoryBytes().shiftRight(20) + "Mi")));
    String messages =
        document.results().stream()
            .filter(result -> result.message() != null)
            .map(result -> "%n%s: %s".formatted(result.pod(), result.message()))
            .collect(Collectors.joining("", "", "\n"));
    return TextColumns.print(pods)
        + messages
        + (messages.isBlank() ? "" : "\n")
        + TextColumns.print(free)
        + betterOrder(document)
        + findings(document);
  }

  private static String betterOrder(SimulationDocument document) {
    SimulationDocument.BetterOrder better = document.betterOrder();
    return better == null
        ? ""
        : "%nIn the order %s, %d instead of %d pods would be admitted.%n"
            .formatted(String.join(", ", better.pods()), better.admitted(), better.insteadOf());
  }

  private static String findings(SimulationDocument document) {
    return document.findings().stream()
        .map(
            finding ->
                "%n%s %s: %s%n  Remedy: %s%n"
                    .formatted(
                        finding.severity(), finding.reason(), finding.message(), finding.remedy()))
        .collect(Collectors.joining());
  }

  private static List<String> row(SimulationDocument.Result result) {
    if (result.removed() != null) {
      return List.of(result.pod(), "leaves", "", "");
    }
    if (!result.admitted()) {
      return List.of(result.pod(), result.reason(), "", "");
    }
    List<String> cpus = new ArrayList<>();
    result.containers().forEach((container, set) -> cpus.add(container + " " + set));
    return List.of(
        result.pod(),
        "admitted",
        String.join(",", result.numaNodes().stream().map(String::valueOf).toList()),
        cpus.isEmpty() ? "shared pool" : String.join("  ", cpus));
  }
}
