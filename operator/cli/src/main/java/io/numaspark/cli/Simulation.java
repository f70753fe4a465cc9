package io.numaspark.cli;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.cli.text.InputException;
import io.numaspark.planner.admission.Admission;
import io.numaspark.planner.admission.BetterOrder;
import io.numaspark.planner.admission.KubeletRelease;
import io.numaspark.planner.admission.KubeletSimulation;
import io.numaspark.planner.admission.KubeletSimulation.FreeNumaNode;
import io.numaspark.planner.admission.KubeletSimulation.Start;
import io.numaspark.planner.plan.Findings;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.pod.PodTranslator;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Sends pods to the kubelet of a machine, one after another, and writes down what it answers. */
final class Simulation {
  /** Reason of a pod at which the kubelet itself crashes or hangs. */
  static final String UNDEFINED = "UndefinedByKubelet";

  /** What the kubelet writes before the message of a rejection (kubelet.go: rejectPod). */
  private static final String REJECTED = "Pod was rejected: ";

  private final KubeletSimulation kubelet;
  private final Set<String> seen = new HashSet<>();

  private Simulation(KubeletSimulation kubelet) {
    this.kubelet = kubelet;
  }

  /**
   * The answers in the order of the pods.
   *
   * @throws InputException if a pod comes twice, or leaves without having come
   */
  static SimulationDocument run(Machine machine, List<Pod> pods) {
    String version = KubeletRelease.of(machine.kubelet()).version().toString();
    Start start = KubeletSimulation.start(machine);
    if (start instanceof Start.Refused refused) {
      return new SimulationDocument(
          version,
          List.of(),
          List.of(),
          null,
          findings(machine),
          new SimulationDocument.NotStarted(
              refused.problem().field(), refused.problem().message(), refused.problem().remedy()));
    }
    Simulation simulation = new Simulation(((Start.Started) start).kubelet());
    List<SimulationDocument.Result> results = new ArrayList<>();
    pods.forEach(pod -> results.add(simulation.next(pod)));
    return new SimulationDocument(
        version,
        results,
        simulation.kubelet.free().stream().map(Simulation::free).toList(),
        betterOrder(machine, pods),
        findings(machine),
        null);
  }

  /** Only where no pod leaves in between, and none comes again: then an order says it all. */
  private static SimulationDocument.BetterOrder betterOrder(Machine machine, List<Pod> pods) {
    Map<String, String> names = new HashMap<>();
    pods.forEach(pod -> names.put(PodTranslator.key(pod), pod.getMetadata().getName()));
    if (names.size() < pods.size()) {
      return null;
    }
    return BetterOrder.of(machine, pods.stream().map(PodTranslator::request).toList())
        .map(
            better ->
                new SimulationDocument.BetterOrder(
                    better.pods().stream().map(names::get).toList(),
                    better.admitted(),
                    better.admittedAsGiven()))
        .orElse(null);
  }

  private static List<PlanDocument.Finding> findings(Machine machine) {
    return Findings.of(machine).stream().map(PlanDocument.Finding::of).toList();
  }

  private SimulationDocument.Result next(Pod pod) {
    String key = PodTranslator.key(pod);
    String name = pod.getMetadata().getName();
    if (Documents.isRemoval(pod)) {
      if (!seen.contains(key)) {
        throw new InputException(
            "pod " + name + " leaves before it came; put it after the pod of that name");
      }
      kubelet.remove(key);
      return SimulationDocument.Result.removed(name);
    }
    seen.add(key);
    if (kubelet.isRunning(key)) {
      throw new InputException(
          "pod "
              + name
              + " comes twice; rename one, or let the first leave before with the annotation "
              + Documents.REMOVED
              + ": \"true\"");
    }
    return result(name, kubelet.admit(PodTranslator.request(pod)));
  }

  private SimulationDocument.Result result(String name, Admission admission) {
    if (admission instanceof Admission.Admitted admitted) {
      return SimulationDocument.Result.admitted(
          name, admitted.numaNodes(), texts(admitted.containers()));
    }
    if (admission instanceof Admission.Rejected rejected) {
      return SimulationDocument.Result.rejected(
          name, rejected.reason(), REJECTED + rejected.message());
    }
    return SimulationDocument.Result.rejected(
        name, UNDEFINED, ((Admission.Undefined) admission).message());
  }

  private static SortedMap<String, String> texts(SortedMap<String, CpuSet> sets) {
    SortedMap<String, String> texts = new TreeMap<>();
    sets.forEach((name, cpus) -> texts.put(name, cpus.toString()));
    return texts;
  }

  private static SimulationDocument.Free free(FreeNumaNode node) {
    return new SimulationDocument.Free(
        node.numaNode(),
        node.cpus().toString(),
        new BigInteger(Long.toUnsignedString(node.memoryBytes())));
  }
}
