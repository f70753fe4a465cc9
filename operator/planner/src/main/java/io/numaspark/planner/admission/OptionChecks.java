package io.numaspark.planner.admission;

import static io.numaspark.planner.topology.KubeletSettings.ALIGN_BY_SOCKET;
import static io.numaspark.planner.topology.KubeletSettings.DISTRIBUTE_CPUS_ACROSS_CORES;
import static io.numaspark.planner.topology.KubeletSettings.DISTRIBUTE_CPUS_ACROSS_NUMA;
import static io.numaspark.planner.topology.KubeletSettings.FULL_PCPUS_ONLY;
import static io.numaspark.planner.topology.KubeletSettings.MAX_ALLOWABLE_NUMA_NODES;
import static io.numaspark.planner.topology.KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE;
import static io.numaspark.planner.topology.KubeletSettings.PREFER_CLOSEST_NUMA_NODES;

import io.numaspark.planner.admission.StartProblem.Kind;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Feature gates and manager options that a kubelet does not start with.
 *
 * <p>Limit: names and stages are those of {@link KubeletRelease}; gates of other managers are not
 * judged.
 */
final class OptionChecks {
  /** What max-allowable-numa-nodes is by default, and at least (defaultMaxAllowableNUMANodes). */
  static final int DEFAULT_MAX_NUMA_NODES = 8;

  private static final String CPU_OPTIONS = "cpuManagerPolicyOptions";
  private static final String TOPOLOGY_OPTIONS = "topologyManagerPolicyOptions";

  /** Pairs of options that exclude each other (NewStaticPolicyOptions). */
  private static final List<List<String>> EXCLUSIVE =
      List.of(
          List.of(FULL_PCPUS_ONLY, DISTRIBUTE_CPUS_ACROSS_CORES),
          List.of(DISTRIBUTE_CPUS_ACROSS_NUMA, DISTRIBUTE_CPUS_ACROSS_CORES),
          List.of(PREFER_ALIGN_CPUS_BY_UNCORECACHE, DISTRIBUTE_CPUS_ACROSS_CORES),
          List.of(PREFER_ALIGN_CPUS_BY_UNCORECACHE, DISTRIBUTE_CPUS_ACROSS_NUMA));

  /** What Go's strconv.ParseBool understands. */
  private static final Set<String> BOOLEANS =
      Set.of("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False");

  private OptionChecks() {}

  static Stream<StartProblem> featureGates(KubeletSettings kubelet) {
    KubeletRelease release = KubeletRelease.of(kubelet);
    return kubelet.featureGates().entrySet().stream()
        .flatMap(gate -> featureGate(kubelet, release, gate.getKey(), gate.getValue()));
  }

  private static Stream<StartProblem> featureGate(
      KubeletSettings kubelet, KubeletRelease release, String gate, boolean on) {
    String field = "spec.kubelet.featureGates." + gate;
    FeatureGate known = release.gates().get(gate);
    if (known == null) {
      return gate.matches("(CPU|Memory|Topology)Manager.*|PodLevel.*")
          ? Stream.of(
              new StartProblem(
                  Kind.OPTION_INVALID,
                  field,
                  "the kubelet knows no such feature gate in Kubernetes " + release.version(),
                  "remove it; there are " + String.join(", ", release.gates().keySet())))
          : Stream.empty();
    }
    if (known == FeatureGate.LOCKED_ON && !on) {
      return Stream.of(
          new StartProblem(
              Kind.OPTION_INVALID,
              field,
              "the kubelet of Kubernetes " + release.version() + " does not let it be switched off",
              "remove it"));
    }
    List<String> dependents = on ? List.of() : release.dependents(kubelet, gate);
    if (!dependents.isEmpty()) {
      return Stream.of(
          new StartProblem(
              Kind.OPTION_INVALID,
              field,
              "it is off, and gates that need it are on: " + String.join(", ", dependents),
              "remove it, or switch them off, too"));
    }
    return on && release.isNotCovered(gate)
        ? Stream.of(
            new StartProblem(
                Kind.NOT_COVERED,
                field,
                "this gate is on, and what the kubelet of Kubernetes "
                    + release.version()
                    + " then does is not covered",
                "switch it off"))
        : Stream.empty();
  }

  /** A Topology Manager with policy none does not look at its options. */
  static Stream<StartProblem> topologyManager(KubeletSettings kubelet) {
    return kubelet.topologyManagerPolicy() == TopologyManagerPolicy.NONE
        ? Stream.empty()
        : kubelet.topologyManager().options().entrySet().stream()
            .flatMap(option -> topologyOption(kubelet, option.getKey(), option.getValue()));
  }

  private static Stream<StartProblem> topologyOption(
      KubeletSettings kubelet, String option, String value) {
    return Stream.concat(
        gateOff(kubelet, TOPOLOGY_OPTIONS, option), topologyValue(kubelet, option, value));
  }

  private static Stream<StartProblem> topologyValue(
      KubeletSettings kubelet, String option, String value) {
    return switch (option) {
      case PREFER_CLOSEST_NUMA_NODES -> notBoolean(TOPOLOGY_OPTIONS, option, value);
      case MAX_ALLOWABLE_NUMA_NODES ->
          maxNumaNodes(value).isPresent()
              ? Stream.empty()
              : Stream.of(
                  new StartProblem(
                      Kind.OPTION_INVALID,
                      field(TOPOLOGY_OPTIONS, option),
                      "'" + value + "' is not a whole number of at least " + DEFAULT_MAX_NUMA_NODES,
                      "write for example \"16\""));
      default -> unknown(TOPOLOGY_OPTIONS, option, KubeletRelease.of(kubelet).topologyOptions());
    };
  }

  /** How many NUMA nodes the Topology Manager takes; the default where the option is invalid. */
  static long maxNumaNodes(KubeletSettings kubelet) {
    return maxNumaNodes(
            kubelet.topologyManager().options().getOrDefault(MAX_ALLOWABLE_NUMA_NODES, ""))
        .orElse(DEFAULT_MAX_NUMA_NODES);
  }

  /** What Go's strconv.Atoi reads, if the kubelet takes it. */
  private static OptionalLong maxNumaNodes(String value) {
    try {
      long number = value.matches("[+-]?[0-9]+") ? Long.parseLong(value) : -1;
      return number < DEFAULT_MAX_NUMA_NODES ? OptionalLong.empty() : OptionalLong.of(number);
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  static Stream<StartProblem> cpuManager(KubeletSettings kubelet) {
    Map<String, String> options = kubelet.cpuManager().options();
    if (kubelet.cpuManagerPolicy() != CpuManagerPolicy.STATIC) {
      return options.isEmpty()
          ? Stream.empty()
          : Stream.of(
              new StartProblem(
                  Kind.OPTION_INVALID,
                  "spec.kubelet." + CPU_OPTIONS,
                  "the CPU manager policy none takes no options",
                  "remove them, or set cpuManagerPolicy: static"));
    }
    return Stream.concat(
        options.entrySet().stream()
            .flatMap(option -> cpuOption(kubelet, option.getKey(), option.getValue())),
        EXCLUSIVE.stream()
            .filter(pair -> pair.stream().allMatch(kubelet::hasOption))
            .map(OptionChecks::conflict));
  }

  private static Stream<StartProblem> cpuOption(
      KubeletSettings kubelet, String option, String value) {
    Set<String> known = KubeletRelease.of(kubelet).cpuOptions();
    return known.contains(option)
        ? Stream.concat(
            gateOff(kubelet, CPU_OPTIONS, option), notBoolean(CPU_OPTIONS, option, value))
        : unknown(CPU_OPTIONS, option, known);
  }

  private static Stream<StartProblem> gateOff(
      KubeletSettings kubelet, String options, String option) {
    return KubeletRelease.of(kubelet).missingGate(kubelet, option).stream()
        .map(
            gate ->
                new StartProblem(
                    Kind.FEATURE_GATE_OFF,
                    field(options, option),
                    "the option needs the feature gate " + gate + ", which is off",
                    "remove the option, or set featureGates: {" + gate + ": true}"));
  }

  private static StartProblem conflict(List<String> pair) {
    return new StartProblem(
        Kind.OPTIONS_CONFLICT,
        "spec.kubelet." + CPU_OPTIONS,
        String.join(" and ", pair) + " exclude each other",
        "remove " + pair.get(1));
  }

  /** ValidateStaticPolicyOptions, which the kubelet calls after it has looked at reserved CPUs. */
  static Stream<StartProblem> alignBySocket(KubeletSettings kubelet) {
    return kubelet.cpuManagerPolicy() == CpuManagerPolicy.STATIC
            && kubelet.hasOption(ALIGN_BY_SOCKET)
            && kubelet.topologyManagerPolicy() == TopologyManagerPolicy.SINGLE_NUMA_NODE
        ? Stream.of(
            new StartProblem(
                Kind.OPTIONS_CONFLICT,
                field(CPU_OPTIONS, ALIGN_BY_SOCKET),
                "align-by-socket and the topologyManagerPolicy single-numa-node exclude each other",
                "remove the option"))
        : Stream.empty();
  }

  private static Stream<StartProblem> unknown(String options, String option, Set<String> known) {
    return Stream.of(
        new StartProblem(
            Kind.OPTION_INVALID,
            field(options, option),
            "the kubelet knows no such option",
            "remove it; there are " + String.join(", ", new TreeSet<>(known))));
  }

  private static Stream<StartProblem> notBoolean(String options, String option, String value) {
    return BOOLEANS.contains(value)
        ? Stream.empty()
        : Stream.of(
            new StartProblem(
                Kind.OPTION_INVALID,
                field(options, option),
                "'" + value + "' is neither true nor false",
                "write \"true\" or \"false\""));
  }

  private static String field(String options, String option) {
    return "spec.kubelet." + options + "." + option;
  }
}
