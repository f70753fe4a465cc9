package io.numaspark.planner.admission;

import static io.numaspark.planner.admission.FeatureGate.LOCKED_ON;
import static io.numaspark.planner.admission.FeatureGate.OFF;
import static io.numaspark.planner.admission.FeatureGate.ON;
import static io.numaspark.planner.topology.KubeletSettings.ALIGN_BY_SOCKET;
import static io.numaspark.planner.topology.KubeletSettings.DISTRIBUTE_CPUS_ACROSS_CORES;
import static io.numaspark.planner.topology.KubeletSettings.DISTRIBUTE_CPUS_ACROSS_NUMA;
import static io.numaspark.planner.topology.KubeletSettings.FULL_PCPUS_ONLY;
import static io.numaspark.planner.topology.KubeletSettings.MAX_ALLOWABLE_NUMA_NODES;
import static io.numaspark.planner.topology.KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE;
import static io.numaspark.planner.topology.KubeletSettings.PREFER_CLOSEST_NUMA_NODES;
import static io.numaspark.planner.topology.KubeletSettings.STRICT_CPU_RESERVATION;

import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.KubeletVersion;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What differs between the kubelets of minor versions, as far as their resource managers depend on
 * it: one row for each version whose own code was compared with this model (oracles/kubelet).
 *
 * <p>Limit: a row holds for the last patches of its version, which is what the oracles have.
 */
public final class KubeletRelease {
  private static final String CPU_ALPHA = "CPUManagerPolicyAlphaOptions";
  private static final String CPU_BETA = "CPUManagerPolicyBetaOptions";
  private static final String CPU_OPTIONS = "CPUManagerPolicyOptions";
  private static final String TOPOLOGY_ALPHA = "TopologyManagerPolicyAlphaOptions";
  private static final String TOPOLOGY_BETA = "TopologyManagerPolicyBetaOptions";
  private static final String TOPOLOGY_OPTIONS = "TopologyManagerPolicyOptions";
  private static final String POD_LEVEL = "PodLevelResources";
  private static final String POD_LEVEL_MANAGERS = "PodLevelResourceManagers";

  /** What the code of the resource managers does in some versions and not in others. */
  enum Behaviour {
    /**
     * A part of a last-level cache is taken also for requests that are not whole cores
     * (cpu_assignment.go: takePartialUncore).
     */
    CACHE_TAKES_PARTS_OF_CORES,
    /** Pods with spec.resources get nothing exclusively (policy_static.go of both managers). */
    PASSES_OVER_POD_LEVEL_RESOURCES,
    /** Pods with spec.resources are rejected if the gate is off (podFeaturesAdmitHandler). */
    REJECTS_POD_LEVEL_RESOURCES,
    /**
     * distribute-cpus-across-numa keeps to one socket with align-by-socket, and never takes more of
     * a NUMA node than it has free (takeByTopologyNUMADistributed).
     */
    DISTRIBUTES_WITHIN_SOCKETS
  }

  /** How far an option has come, and so which feature gate it needs. */
  private enum Stage {
    ALPHA,
    BETA,
    STABLE
  }

  /** The rows, the oldest first. Each says what it changes in the row before. */
  private static final List<KubeletRelease> ROWS = rows();

  private final KubeletVersion version;
  private final SortedMap<String, Stage> cpuOptions;
  private final SortedMap<String, Stage> topologyOptions;
  private final SortedMap<String, FeatureGate> gates;

  /** Gates that are on by default, by the one without which a kubelet does not start with them. */
  private final Map<String, List<String>> dependents;

  /** Gates with which the managers do what this model does not know. */
  private final Set<String> notCovered;

  private final Set<Behaviour> behaviours;

  private KubeletRelease(int minor, Row row) {
    version = new KubeletVersion(1, minor);
    cpuOptions = new TreeMap<>(row.cpuOptions);
    topologyOptions = new TreeMap<>(row.topologyOptions);
    gates = new TreeMap<>(row.gates);
    dependents = Map.copyOf(row.dependents);
    notCovered = Set.copyOf(row.notCovered);
    behaviours = Set.copyOf(row.behaviours);
  }

  private static List<KubeletRelease> rows() {
    Row row = new Row();
    KubeletRelease v32 =
        row.cpu(FULL_PCPUS_ONLY, Stage.BETA)
            .cpu(STRICT_CPU_RESERVATION, Stage.ALPHA)
            .cpu(PREFER_ALIGN_CPUS_BY_UNCORECACHE, Stage.ALPHA)
            .cpu(DISTRIBUTE_CPUS_ACROSS_NUMA, Stage.ALPHA)
            .cpu(ALIGN_BY_SOCKET, Stage.ALPHA)
            .cpu(DISTRIBUTE_CPUS_ACROSS_CORES, Stage.ALPHA)
            .topology(PREFER_CLOSEST_NUMA_NODES, Stage.STABLE)
            .topology(MAX_ALLOWABLE_NUMA_NODES, Stage.BETA)
            .gate("CPUManager", LOCKED_ON)
            .gate("MemoryManager", LOCKED_ON)
            .gate(CPU_ALPHA, OFF)
            .gate(CPU_BETA, ON)
            .gate(CPU_OPTIONS, ON)
            .gate(TOPOLOGY_ALPHA, OFF)
            .gate(TOPOLOGY_BETA, ON)
            .gate(TOPOLOGY_OPTIONS, ON)
            .gate(POD_LEVEL, OFF)
            .notCovered(POD_LEVEL)
            .of(32);
    KubeletRelease v33 =
        row.cpu(FULL_PCPUS_ONLY, Stage.STABLE)
            .cpu(STRICT_CPU_RESERVATION, Stage.BETA)
            .cpu(DISTRIBUTE_CPUS_ACROSS_NUMA, Stage.BETA)
            .withoutGate("CPUManager")
            .gate(CPU_OPTIONS, LOCKED_ON)
            .of(33);
    KubeletRelease v34 =
        row.cpu(PREFER_ALIGN_CPUS_BY_UNCORECACHE, Stage.BETA)
            .gate(POD_LEVEL, ON)
            .covered(POD_LEVEL)
            .does(Behaviour.CACHE_TAKES_PARTS_OF_CORES)
            .does(Behaviour.PASSES_OVER_POD_LEVEL_RESOURCES)
            .does(Behaviour.REJECTS_POD_LEVEL_RESOURCES)
            .of(34);
    KubeletRelease v35 =
        row.cpu(STRICT_CPU_RESERVATION, Stage.STABLE)
            .topology(MAX_ALLOWABLE_NUMA_NODES, Stage.STABLE)
            .of(35);
    KubeletRelease v36 =
        row.cpu(PREFER_ALIGN_CPUS_BY_UNCORECACHE, Stage.STABLE)
            .withoutGate("MemoryManager")
            .gate(TOPOLOGY_OPTIONS, LOCKED_ON)
            .gate(POD_LEVEL_MANAGERS, OFF)
            .notCovered(POD_LEVEL_MANAGERS)
            .dependents(POD_LEVEL, "InPlacePodLevelResourcesVerticalScaling")
            .of(36);
    KubeletRelease v37 =
        row.gate("PodLevelResourcesFixDefaulting", ON)
            .gate("PodLevelResourcesFixKubeletQOSClass", ON)
            .dependents(
                POD_LEVEL,
                "InPlacePodLevelResourcesVerticalScaling",
                "PodLevelResourcesFixDefaulting",
                "PodLevelResourcesFixKubeletQOSClass")
            .does(Behaviour.DISTRIBUTES_WITHIN_SOCKETS)
            .of(37);
    return List.of(v32, v33, v34, v35, v36, v37);
  }

  /** A row of the table while it is written; the next one starts with what this one has. */
  private static final class Row {
    private final SortedMap<String, Stage> cpuOptions = new TreeMap<>();
    private final SortedMap<String, Stage> topologyOptions = new TreeMap<>();
    private final SortedMap<String, FeatureGate> gates = new TreeMap<>();
    private final Map<String, List<String>> dependents = new HashMap<>();
    private final Set<String> notCovered = new HashSet<>();
    private final Set<Behaviour> behaviours = new HashSet<>();

    Row cpu(String option, Stage stage) {
      cpuOptions.put(option, stage);
      return this;
    }

    Row topology(String option, Stage stage) {
      topologyOptions.put(option, stage);
      return this;
    }

    Row gate(String name, FeatureGate gate) {
      gates.put(name, gate);
      return this;
    }

    Row withoutGate(String name) {
      gates.remove(name);
      return this;
    }

    Row dependents(String gate, String... onByDefault) {
      dependents.put(gate, List.of(onByDefault));
      return this;
    }

    Row notCovered(String gate) {
      notCovered.add(gate);
      return this;
    }

    Row covered(String gate) {
      notCovered.remove(gate);
      return this;
    }

    Row does(Behaviour behaviour) {
      behaviours.add(behaviour);
      return this;
    }

    KubeletRelease of(int minor) {
      return new KubeletRelease(minor, this);
    }
  }

  /**
   * The row by which a kubelet is predicted: that of its version, else the nearest one. A kubelet
   * of unknown version counts as the newest.
   */
  public static KubeletRelease of(KubeletSettings kubelet) {
    return of(kubelet.version());
  }

  static KubeletRelease of(Optional<KubeletVersion> version) {
    KubeletVersion asked = version.orElse(newest());
    KubeletRelease nearest = ROWS.get(0);
    for (KubeletRelease row : ROWS) {
      nearest = row.version.compareTo(asked) <= 0 ? row : nearest;
    }
    return nearest;
  }

  /** The oldest version that is modelled. */
  public static KubeletVersion oldest() {
    return ROWS.get(0).version;
  }

  /** The newest version that is modelled. */
  public static KubeletVersion newest() {
    return ROWS.get(ROWS.size() - 1).version;
  }

  /** The version that this row models. */
  public KubeletVersion version() {
    return version;
  }

  /**
   * Says by which version's model a kubelet is predicted, if that is not its own.
   *
   * @return empty if the version is modelled, or is not known
   */
  public static Optional<String> notCovered(KubeletSettings kubelet) {
    return kubelet
        .version()
        .filter(asked -> !of(kubelet).version.equals(asked))
        .map(
            asked ->
                "predictions for kubelet %s are those of %s, the %s that is modelled"
                    .formatted(
                        asked,
                        of(kubelet).version,
                        asked.compareTo(oldest()) < 0 ? "oldest" : "newest"));
  }

  boolean does(Behaviour behaviour) {
    return behaviours.contains(behaviour);
  }

  /** The feature gates of the resource managers. */
  SortedMap<String, FeatureGate> gates() {
    return gates;
  }

  /** The gates that are on and need this one, which is off. */
  List<String> dependents(KubeletSettings kubelet, String gate) {
    return dependents.getOrDefault(gate, List.of()).stream()
        .filter(dependent -> kubelet.featureGates().getOrDefault(dependent, true))
        .toList();
  }

  /** Whether this model does not know what the managers do when a gate is on. */
  boolean isNotCovered(String gate) {
    return notCovered.contains(gate);
  }

  /** The CPU manager's options. */
  Set<String> cpuOptions() {
    return cpuOptions.keySet();
  }

  /** The Topology Manager's options. */
  Set<String> topologyOptions() {
    return topologyOptions.keySet();
  }

  /** The gate that is off and without which a kubelet does not start with an option. */
  public Optional<String> missingGate(KubeletSettings kubelet, String option) {
    if (cpuOptions.containsKey(option)) {
      return missing(kubelet, CPU_OPTIONS, gate(cpuOptions.get(option), CPU_ALPHA, CPU_BETA));
    }
    return Optional.ofNullable(topologyOptions.get(option))
        .flatMap(
            stage ->
                missing(kubelet, TOPOLOGY_OPTIONS, gate(stage, TOPOLOGY_ALPHA, TOPOLOGY_BETA)));
  }

  private static Optional<String> gate(Stage stage, String alpha, String beta) {
    return switch (stage) {
      case ALPHA -> Optional.of(alpha);
      case BETA -> Optional.of(beta);
      case STABLE -> Optional.empty();
    };
  }

  private Optional<String> missing(
      KubeletSettings kubelet, String ofAll, Optional<String> ofStage) {
    return isOn(kubelet, ofAll) ? ofStage.filter(gate -> !isOn(kubelet, gate)) : Optional.of(ofAll);
  }

  private boolean isOn(KubeletSettings kubelet, String gate) {
    FeatureGate known = gates.getOrDefault(gate, OFF);
    return known == LOCKED_ON || kubelet.featureGates().getOrDefault(gate, known.isOnByDefault());
  }

  /** Whether the CPU and Memory Manager place a pod at all. */
  public boolean places(PodRequest pod, KubeletSettings kubelet) {
    return pod.qos() == QosClass.GUARANTEED
        && !(pod.podLevelResources()
            && isOn(kubelet, POD_LEVEL)
            && does(Behaviour.PASSES_OVER_POD_LEVEL_RESOURCES));
  }

  /** Whether a pod has spec.resources, and the kubelet rejects it for that. */
  boolean rejectsFeatures(PodRequest pod, KubeletSettings kubelet) {
    return pod.podLevelResources()
        && !isOn(kubelet, POD_LEVEL)
        && does(Behaviour.REJECTS_POD_LEVEL_RESOURCES);
  }
}
