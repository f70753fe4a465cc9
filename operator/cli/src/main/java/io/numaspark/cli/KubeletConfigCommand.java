package io.numaspark.cli;

import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.text.InputException;
import io.numaspark.planner.plan.ShapePolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.render.kubelet.KubeletAdvisor;
import io.numaspark.render.kubelet.KubeletPlatform;
import io.numaspark.render.kubelet.KubeletRecommendation;
import io.numaspark.render.kubelet.SystemReserve;
import io.numaspark.render.profile.ProfileTranslator;
import io.numaspark.render.profile.TopologyTranslator;
import io.numaspark.render.text.MemorySize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints kubelet settings that pin a profile's executors, as a platform takes them. */
@Command(
    name = "kubelet-config",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the kubelet settings with which nodes hold the most pinned executors of a profile.",
      "One document for each different result; its comment says for which nodes and how to apply it."
    },
    footer = {
      "",
      "Example:",
      "  numaspark kubelet-config -f topologies/ -f profile.yaml --for kubelet-drop-in",
    })
final class KubeletConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      required = true,
      description =
          "File or folder with SparkNodeTopology and at most one SparkNodeProfile (default: one with nothing set); - is"
              + " standard input. May be given several times.")
  private List<String> files;

  @Option(
      names = "--for",
      paramLabel = "PLATFORM",
      required = true,
      converter = Platforms.class,
      completionCandidates = Platforms.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private KubeletPlatform platform;

  @Option(
      names = "--reserve-cores",
      paramLabel = "N",
      description =
          "Whole cores for the system (default: as many as have 1.5 CPUs, the example of Kubernetes' page Reserve Compute"
              + " Resources for System Daemons).")
  private Integer cores;

  @Option(
      names = "--kube-reserved-memory",
      paramLabel = "SIZE",
      defaultValue = "2Gi",
      description =
          "Memory for kubelet and container runtime (default: ${DEFAULT-VALUE}, same page).")
  private String kubeMemory;

  @Option(
      names = "--system-reserved-memory",
      paramLabel = "SIZE",
      defaultValue = "1Gi",
      description = "Memory for the operating system (default: ${DEFAULT-VALUE}, same page).")
  private String systemMemory;

  @Option(
      names = "--eviction-memory",
      paramLabel = "SIZE",
      defaultValue = "100Mi",
      description = "evictionHard memory.available (default: ${DEFAULT-VALUE}, the kubelet's).")
  private String evictionMemory;

  @Override
  public Integer call() {
    SystemReserve reserve = reserve();
    Documents documents = Documents.read(files, System.in);
    if (documents.topologies().isEmpty()) {
      throw new InputException("no SparkNodeTopology in the files; add one with -f");
    }
    Stream.concat(documents.applications().stream(), documents.pods().stream())
        .findFirst()
        .ifPresent(
            other -> {
              throw new InputException(
                  "kubelet settings do not depend on %s %s; leave it out"
                      .formatted(other.getKind(), other.getMetadata().getName()));
            });
    ShapePolicy policy = policy(documents.profiles());
    Map<KubeletRecommendation, List<String>> nodesBySettings = new LinkedHashMap<>();
    documents.topologies().stream()
        .sorted(Comparator.comparing(topology -> topology.getMetadata().getName()))
        .forEach(topology -> add(topology, recommend(topology, policy, reserve), nodesBySettings));
    List<String> texts = new ArrayList<>();
    nodesBySettings.forEach(
        (settings, nodes) -> {
          String suffix = nodesBySettings.size() == 1 ? "" : "-" + (texts.size() + 1);
          texts.add(platform.text(settings, nodes, "numaspark" + suffix));
        });
    spec.commandLine().getOut().print(String.join("---\n", texts));
    spec.commandLine().getOut().flush();
    return 0;
  }

  private static void add(
      SparkNodeTopology topology,
      KubeletRecommendation settings,
      Map<KubeletRecommendation, List<String>> nodesBySettings) {
    String name = topology.getMetadata().getName();
    if (nodesBySettings.values().stream().anyMatch(nodes -> nodes.contains(name))) {
      throw new InputException(
          "two SparkNodeTopology objects are named " + name + "; each is one node");
    }
    nodesBySettings.computeIfAbsent(settings, s -> new ArrayList<>()).add(name);
  }

  private SystemReserve reserve() {
    try {
      return new SystemReserve(
          cores == null ? OptionalInt.empty() : OptionalInt.of(cores),
          bytes("--kube-reserved-memory", kubeMemory),
          bytes("--system-reserved-memory", systemMemory),
          bytes("--eviction-memory", evictionMemory));
    } catch (IllegalArgumentException e) {
      throw new InputException(e.getMessage(), e);
    }
  }

  private static long bytes(String option, String size) {
    try {
      return MemorySize.ofQuantity(size);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new InputException(
          option + ": '" + size + "' is not a quantity of bytes; write for example 1Gi", e);
    }
  }

  private static ShapePolicy policy(List<SparkNodeProfile> profiles) {
    if (profiles.size() > 1) {
      throw new InputException("more than one SparkNodeProfile in the files; give one");
    }
    return ProfileTranslator.policy(
        (profiles.isEmpty() ? DefaultProfile.make() : profiles.get(0)).getSpec());
  }

  private static KubeletRecommendation recommend(
      SparkNodeTopology topology, ShapePolicy policy, SystemReserve reserve) {
    try {
      NodeTopology hardware = TopologyTranslator.machine(topology.getSpec()).topology();
      return KubeletAdvisor.recommend(hardware, policy, reserve);
    } catch (IllegalArgumentException e) {
      throw new InputException(
          "SparkNodeTopology " + topology.getMetadata().getName() + ": " + e.getMessage(), e);
    }
  }

  /** Platforms by their names. */
  static final class Platforms extends NamedValues<KubeletPlatform> {
    Platforms() {
      super(KubeletPlatform.values(), KubeletPlatform::id);
    }
  }
}
