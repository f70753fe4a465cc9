package io.numaspark.render.proof;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.planner.admission.PodRequest;
import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Reason;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.doctor.PodJudge;
import io.numaspark.render.pins.PinOutcome;
import io.numaspark.render.pod.PodTranslator;
import io.numaspark.render.text.Labels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Why an executor has no CPUs of its own: where the kubelet pins, from the pod as it runs and the
 * settings of its kubelet; where the runtime does, from what its pinner says.
 */
public final class SharedPoolCause {
  private final Map<List<Object>, Diagnosis> known = new HashMap<>();

  /** The cause; executors of an application are mostly alike, and each kind is judged once. */
  public Diagnosis of(Pod pod, Machine machine, Optional<PinOutcome> outcome) {
    if (machine.isPinnedByRuntime()) {
      return byPinner(pod, outcome);
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

  private static Diagnosis byPinner(Pod pod, Optional<PinOutcome> outcome) {
    String node = pod.getSpec().getNodeName();
    if (outcome.isEmpty()) {
      return new Diagnosis(
          ExecutorReason.SHARED_CPUS,
          isAnnotated(pod)
              ? "the pinner of node %s has not reported it; the condition PinnerConnected of SparkNodeTopology %s says whether the pinner works"
                  .formatted(node, node)
              : isOfOthers(pod)
                  ? "its pod has no annotation numaspark.io/pin, so the pinner of node %s does not know that it needs a slot; write the pod template with `numaspark inject`, or remove the slot from it so that the webhook gives one"
                      .formatted(node)
                  : "its pod has no annotation numaspark.io/pin, as before numaspark wrote it on every executor; start the application again, or"
                      + " look for what changes pods when they are created (kubectl get mutatingwebhookconfigurations)");
    }
    return switch (outcome.get()) {
      case NO_FREE_SLOT ->
          new Diagnosis(
              ExecutorReason.NO_FREE_SLOT,
              "no slot of node %s was free in one NUMA node when it started; it gets the next one that is, or delete its pod, and Spark"
                      .formatted(node)
                  + " replaces it");
      case STARTED_WITHOUT_PINNER ->
          new Diagnosis(
              ExecutorReason.STARTED_WITHOUT_PINNER,
              "it started while the pinner of node %s was away, and no slot has been free since; it gets the next one that is, or delete its"
                      .formatted(node)
                  + " pod, and Spark replaces it");
      case ALREADY_SET ->
          new Diagnosis(
              ExecutorReason.ALREADY_SET,
              "another program has set its CPUs before the pinner of node %s could; remove that program (other NRI plugins, a webhook of the"
                      .formatted(node)
                  + " runtime), and delete the pod");
      case EARLIER_LAYOUT ->
          new Diagnosis(
              ExecutorReason.EARLIER_LAYOUT,
              "it has the CPUs of an earlier layout of node %s; delete its pod, and Spark replaces it by one with a slot of the new layout"
                  .formatted(node));
      case NOT_PINNING ->
          new Diagnosis(
              ExecutorReason.SHARED_CPUS,
              "the pinner of node %s has no order to pin; see spec.pins.mode of SparkNodeTopology %s, and spec.pinning of the profile"
                  .formatted(node, node));
      case PINNED, PINNED_LATE ->
          new Diagnosis(
              ExecutorReason.SHARED_CPUS,
              "the pinner of node %s has given it a slot, and the agent has not seen it there; wait for the next report, and read the log of"
                      .formatted(node)
                  + " the pinner if it lasts");
    };
  }

  private static boolean isOfOthers(Pod pod) {
    return !Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of())
        .containsKey(Labels.APPLICATION);
  }

  private static boolean isAnnotated(Pod pod) {
    return Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of())
        .containsKey(Labels.PIN);
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
