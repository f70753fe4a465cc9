package io.numaspark.planner.admission;

import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The resource managers of one node's kubelet: admits pods one after another, and lets them go.
 *
 * <p>It answers exactly what the kubelet of the machine's version does (the managers and scopes of
 * pkg/kubelet/cm; {@link KubeletRelease} has the versions). Limit: only NUMA placement; whether a
 * node has enough CPU and memory in total is the scheduler's question, devices are not modelled,
 * and nothing is resized in place. Mutable, for one thread.
 */
public final class KubeletSimulation {
  private final Machine machine;
  private final KubeletRelease release;
  private final TopologyPolicy policy;
  private final boolean podScope;
  private final Optional<StaticCpuManager> cpuManager;
  private final Optional<StaticMemoryManager> memoryManager;
  private final List<HintProvider> providers = new ArrayList<>();
  private final Set<String> running = new HashSet<>();

  private KubeletSimulation(Machine machine) {
    this.machine = machine;
    KubeletSettings kubelet = machine.kubelet();
    release = KubeletRelease.of(kubelet);
    policy = new TopologyPolicy(machine.topology(), kubelet.topologyManager());
    podScope = kubelet.topologyManagerScope() == TopologyManagerScope.POD;
    cpuManager =
        kubelet.cpuManagerPolicy() == CpuManagerPolicy.STATIC
            ? Optional.of(
                new StaticCpuManager(
                    machine.topology(), CpuManagerOptions.of(kubelet), machine.reservedCpus()))
            : Optional.empty();
    memoryManager =
        kubelet.memoryManagerPolicy() == MemoryManagerPolicy.STATIC
            ? Optional.of(new StaticMemoryManager(machine.topology(), kubelet.memoryManager()))
            : Optional.empty();
    cpuManager.ifPresent(providers::add);
    memoryManager.ifPresent(providers::add);
  }

  /** What becomes of starting a kubelet. */
  public sealed interface Start {
    /** It runs, without pods. */
    record Started(KubeletSimulation kubelet) implements Start {}

    /**
     * It does not start, or is not covered.
     *
     * @param problem the first of {@link StartChecks#problems}
     */
    record Refused(StartProblem problem) implements Start {}
  }

  /** Starts the kubelet of a machine, without pods. */
  public static Start start(Machine machine) {
    return StartChecks.problems(machine).stream()
        .findFirst()
        .<Start>map(Start.Refused::new)
        .orElseGet(() -> new Start.Started(new KubeletSimulation(machine)));
  }

  /**
   * Admits a pod; what a rejected pod got before it was rejected is free again.
   *
   * @throws IllegalArgumentException if a pod of that name is still on the node
   */
  public Admission admit(PodRequest pod) {
    if (!running.add(pod.name())) {
      throw new IllegalArgumentException(
          "pod "
              + pod.name()
              + " is on the node already; let the earlier one leave first, or name it differently");
    }
    cpuManager.ifPresent(StaticCpuManager::beginPod);
    memoryManager.ifPresent(StaticMemoryManager::beginPod);
    try {
      place(pod);
      return new Admission.Admitted(numaNodes(pod.name()), cpus(pod.name()));
    } catch (AdmissionFailure e) {
      remove(pod.name());
      return new Admission.Rejected(e.reason(), e.getMessage());
    } catch (UndefinedByKubelet e) {
      remove(pod.name());
      return new Admission.Undefined(e.getMessage());
    }
  }

  /** scope_none.go, scope_container.go and scope_pod.go: Admit; then podFeaturesAdmitHandler. */
  private void place(PodRequest pod) throws AdmissionFailure {
    List<HintProvider> placing = release.places(pod, machine.kubelet()) ? providers : List.of();
    Hint ofPod =
        policy.merges() && podScope
            ? admitted(placing.stream().map(provider -> provider.podHints(pod)).toList())
            : Hint.any(false);
    for (ContainerRequest container : pod.containers()) {
      Hint affinity =
          policy.merges() && !podScope
              ? admitted(placing.stream().map(provider -> provider.hints(container)).toList())
              : ofPod;
      for (HintProvider provider : placing) {
        provider.allocate(pod, container, affinity);
      }
    }
    if (release.rejectsFeatures(pod, machine.kubelet())) {
      throw AdmissionFailure.podLevelResources();
    }
  }

  private Hint admitted(List<List<List<Hint>>> hints) throws AdmissionFailure {
    Hint merged = policy.merge(hints);
    if (!policy.admits(merged)) {
      throw AdmissionFailure.topologyAffinity();
    }
    return merged;
  }

  /** Whether a pod of that name was admitted and has not left. */
  public boolean isRunning(String pod) {
    return running.contains(pod);
  }

  /** Lets a pod leave; false if no pod of that name is on the node. */
  public boolean remove(String pod) {
    providers.forEach(provider -> provider.remove(pod));
    return running.remove(pod);
  }

  private List<Integer> numaNodes(String pod) {
    SortedSet<Integer> ids = new TreeSet<>();
    providers.forEach(provider -> ids.addAll(provider.numaNodes(pod)));
    return List.copyOf(ids);
  }

  private SortedMap<String, CpuSet> cpus(String pod) {
    return cpuManager.map(manager -> manager.cpus(pod)).orElseGet(TreeMap::new);
  }

  /**
   * What is left of a NUMA node.
   *
   * @param cpus CPUs that a container could still get exclusively; without the static CPU manager
   *     all of them
   * @param memoryBytes what the Memory Manager has not given out, an unsigned number; without it
   *     MemTotal less huge pages
   */
  public record FreeNumaNode(int numaNode, CpuSet cpus, long memoryBytes) {}

  /** What is left, by NUMA node id. */
  public List<FreeNumaNode> free() {
    return machine.topology().numaNodes().stream()
        .sorted(Comparator.comparingInt(NumaNode::id))
        .map(this::free)
        .toList();
  }

  private FreeNumaNode free(NumaNode node) {
    return new FreeNumaNode(
        node.id(),
        cpuManager.map(manager -> node.cpus().intersect(manager.free())).orElse(node.cpus()),
        memoryManager
            .map(manager -> manager.freeBytes(node.id()))
            .orElse(node.memoryBytes() - node.hugepageBytes()));
  }
}
