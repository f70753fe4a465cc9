package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.planner.admission.PodRequest;
import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Reason;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.doctor.PodJudge;
import io.numaspark.render.pod.PodTranslator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Why a kubelet gave an executor no CPUs of its own: from the pod as it runs and the settings of
 * its kubelet.
 */
final class SharedPoolCause {
  private final Map<List<Object>, Diagnosis> known = new HashMap<>();

  /** The cause; executors of an application are mostly alike, and each kind is judged once. */
  Diagnosis of(Pod pod, Machine machine) {
    if (machine.isPinnedByRuntime()) {
      return new Diagnosis(
          ExecutorReason.SHARED_CPUS,
          "the node's pinner has given it no slot; status.pinner and the condition PinnerConnected of SparkNodeTopology "
              + pod.getSpec().getNodeName()
              + " say why");
    }
    if (machine.kubelet().cpuManagerPolicy() != CpuManagerPolicy.STATIC) {
      return Diagnosis.passedOn(
          Reason.CPU_MANAGER_NOT_STATIC.displayName(),
          "the kubelet of node "
              + pod.getSpec().getNodeName()
              + " runs with cpuManagerPolicy: none, so that no pod gets CPUs of its own; set cpuManagerPolicy: static there"
              + " (`numaspark kubelet-config` writes the settings)");
    }
    try {
      PodRequest request = PodTranslator.request(pod);
      List<Object> kind = List.of(request.containers(), request.podLevelResources(), machine);
      return known.computeIfAbsent(kind, unseen -> judge(pod, machine));
    } catch (IllegalArgumentException e) {
      return unexplained();
    }
  }

  private static Diagnosis judge(Pod pod, Machine machine) {
    return PodJudge.judge(pod, machine).stream()
        .filter(finding -> finding.severity() == Severity.ERROR)
        // It runs, so it did fit.
        .filter(finding -> finding.reason() != Reason.POD_DOES_NOT_FIT)
        .findFirst()
        .map(SharedPoolCause::diagnosis)
        .orElseGet(SharedPoolCause::unexplained);
  }

  private static Diagnosis diagnosis(Finding finding) {
    return Diagnosis.passedOn(
        finding.reason().displayName(), finding.message() + "; " + finding.remedy());
  }

  private static Diagnosis unexplained() {
    return new Diagnosis(
        ExecutorReason.SHARED_CPUS,
        "check that every container of the pod has equal requests and limits and that the kubelet's cpuManagerPolicy is"
            + " static");
  }
}
