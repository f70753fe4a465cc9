package io.numaspark.render.pod;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Reason;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerScope;
import io.numaspark.render.MemorySize;
import io.numaspark.render.pod.PodContainers.Asking;
import io.numaspark.render.pod.PodContainers.Role;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Judges whether an empty node of a class would pin a pod, and why not.
 *
 * <p>Limit: it sees the pod as written. What admission adds (a LimitRange's defaults, an injected
 * sidecar) is seen only in the pod as the API server returns it.
 */
public final class PodJudge {
  private static final String POD_LEVEL_GATE = "PodLevelResourceManagers";

  private final Pod pod;
  private final Machine machine;
  private final PodContainers containers;
  private final List<Finding> findings = new ArrayList<>();

  private PodJudge(Pod pod, Machine machine) {
    this.pod = pod;
    this.machine = machine;
    this.containers = PodContainers.of(pod);
  }

  /**
   * What keeps the pod from being pinned on a node of this kind, or disturbs others there.
   *
   * @throws IllegalArgumentException naming the field, if the pod has no container or a resource is
   *     no quantity
   */
  public static List<Finding> judge(Pod pod, Machine machine) {
    PodJudge judge = new PodJudge(pod, machine);
    judge.judge();
    return List.copyOf(judge.findings);
  }

  private void judge() {
    PodSpec spec = pod.getSpec();
    if (spec.getResources() != null
        && !machine.kubelet().featureGates().getOrDefault(POD_LEVEL_GATE, false)) {
      error(
          Reason.POD_LEVEL_RESOURCES,
          "spec.resources is set: the kubelet's CPU and memory manager then leave the whole pod alone",
          "set resources of each container instead");
      return;
    }
    boolean guaranteed = true;
    for (Asking asking : containers.all()) {
      guaranteed &= checkGuaranteed(asking);
    }
    if (guaranteed) {
      checkCpus();
      checkFit();
    }
    checkRest(spec);
  }

  /** ComputePodQOS: one container without its limits makes the pod Burstable for all of them. */
  private boolean checkGuaranteed(Asking asking) {
    for (String resource : List.of(PodContainers.CPU, PodContainers.MEMORY)) {
      Optional<BigDecimal> limit = asking.limit(resource);
      if (limit.isEmpty() || limit.get().signum() == 0) {
        error(
            Reason.POD_NOT_GUARANTEED,
            "%s has no %s limit: the pod is not of QoS class Guaranteed, and none of its containers is pinned"
                .formatted(asking.describe(), resource),
            limitRemedy(asking, resource));
        return false;
      }
      if (asking.request(resource).orElseThrow().compareTo(limit.get()) != 0) {
        error(
            Reason.POD_NOT_GUARANTEED,
            "%s requests another amount of %s than its limit: the pod is not of QoS class Guaranteed, and none of its"
                    .formatted(asking.describe(), resource)
                + " containers is pinned",
            "set request and limit to the same amount (a LimitRange may have filled in one of them)");
        return false;
      }
    }
    return true;
  }

  private static String limitRemedy(Asking asking, String resource) {
    if (asking.container().getName() != null
        && asking.container().getName().equals(PodContainers.SPARK_EXECUTOR)
        && resource.equals(PodContainers.CPU)) {
      return "set spark.kubernetes.executor.limit.cores to the same whole number as request.cores (Spark drops both for"
          + " stages with a resource profile of their own)";
    }
    return "set resources.limits.%s of %s, or stop its injection into these pods"
        .formatted(resource, asking.describe());
  }

  private void checkCpus() {
    int threads = machine.topology().threadsPerCore();
    Asking main = containers.main();
    if (main.exclusiveCpus() == 0) {
      error(
          Reason.CPU_NOT_WHOLE,
          "%s asks for %s CPUs, which is no whole number: it shares CPUs with other pods"
              .formatted(
                  main.describe(),
                  main.request(PodContainers.CPU)
                      .orElseThrow()
                      .stripTrailingZeros()
                      .toPlainString()),
          "ask for a multiple of %d CPUs".formatted(threads));
    }
    for (Asking asking : containers.all()) {
      if (asking.exclusiveCpus() > 0) {
        checkWholeCores(asking, threads);
        if (asking.role() != Role.MAIN) {
          checkHelper(asking);
        }
      }
    }
  }

  private void checkWholeCores(Asking asking, int threads) {
    int cpus = asking.exclusiveCpus();
    if (cpus % threads == 0) {
      return;
    }
    String remedy =
        asking.role() == Role.MAIN
            ? "ask for a multiple of %d CPUs".formatted(threads)
            : "ask for a multiple of %d CPUs, or for a fraction such as 900m".formatted(threads);
    String message =
        "%s asks for %d CPUs, and a core has %d".formatted(asking.describe(), cpus, threads);
    if (machine.kubelet().hasOption(KubeletSettings.FULL_PCPUS_ONLY)) {
      error(
          Reason.CPU_NOT_WHOLE_CORES,
          message + ": with full-pcpus-only the pod is rejected (SMTAlignmentError)",
          remedy);
    } else {
      add(
          Severity.WARNING,
          Reason.CPU_NOT_WHOLE_CORES,
          message + ": another pod may get the rest of its core",
          remedy);
    }
  }

  private void checkHelper(Asking asking) {
    boolean together = machine.kubelet().topologyManagerScope() == TopologyManagerScope.POD;
    add(
        Severity.WARNING,
        Reason.EXCLUSIVE_HELPER_CONTAINER,
        "%s asks for %d whole CPUs and gets them for itself%s"
            .formatted(
                asking.describe(),
                asking.exclusiveCpus(),
                together
                    ? ""
                    : "; with topologyManagerScope container it may decide the NUMA node of the others, or get another"
                        + " one"),
        "ask for a fraction of a CPU such as 900m, with request and limit alike");
  }

  private void checkFit() {
    long cpus = containers.exclusiveCpus();
    long memory = containers.memoryBytes();
    boolean fits =
        machine.topology().numaNodesWithCores().stream()
            .anyMatch(
                numaNode ->
                    freeCpus(numaNode) >= cpus
                        && machine.allocatableMemoryBytes(numaNode) >= memory);
    if (!fits && cpus > 0) {
      error(
          Reason.POD_DOES_NOT_FIT,
          "the pod needs %d CPUs and %d MiB, and no NUMA node has both beside what is reserved (%s)"
              .formatted(cpus, (memory + MemorySize.MIB - 1) / MemorySize.MIB, offered()),
          "take smaller executors; `numaspark plan` finds the size");
    }
  }

  private String offered() {
    NumaNode largest =
        machine.topology().numaNodesWithCores().stream()
            .max(Comparator.comparingInt(this::freeCpus))
            .orElseThrow();
    return "at most %d CPUs and %d MiB"
        .formatted(freeCpus(largest), machine.allocatableMemoryBytes(largest) / MemorySize.MIB);
  }

  private int freeCpus(NumaNode numaNode) {
    return numaNode.cpus().minus(machine.reservedCpus()).size();
  }

  private void checkRest(PodSpec spec) {
    if (spec.getOverhead() != null && !spec.getOverhead().isEmpty()) {
      add(
          Severity.INFO,
          Reason.RUNTIME_CLASS_OVERHEAD,
          "the pod has an overhead, of a RuntimeClass: the scheduler counts it, the NUMA node does not",
          "leave room for it: give each executor less memory, or use a RuntimeClass without overhead");
    }
    if (containers.all().stream()
        .anyMatch(
            asking ->
                asking.container().getResizePolicy() != null
                    && !asking.container().getResizePolicy().isEmpty())) {
      add(
          Severity.INFO,
          Reason.RESIZE_NOT_POSSIBLE,
          "a container has a resizePolicy, but a pinned pod cannot be resized in place: the kubelet answers Infeasible",
          "keep a VerticalPodAutoscaler away from these pods");
    }
  }

  private void error(Reason reason, String message, String remedy) {
    add(Severity.ERROR, reason, message, remedy);
  }

  private void add(Severity severity, Reason reason, String message, String remedy) {
    findings.add(new Finding(severity, reason, message, remedy));
  }
}
