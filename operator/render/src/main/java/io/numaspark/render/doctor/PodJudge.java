package io.numaspark.render.doctor;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.planner.admission.Admission;
import io.numaspark.planner.admission.ContainerRequest;
import io.numaspark.planner.admission.ContainerRequest.Role;
import io.numaspark.planner.admission.KubeletSimulation;
import io.numaspark.planner.admission.KubeletSimulation.Start.Started;
import io.numaspark.planner.admission.PodRequest;
import io.numaspark.planner.admission.ResourceAmounts;
import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Reason;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.TopologyManagerScope;
import io.numaspark.render.pod.PodTranslator;
import io.numaspark.render.text.Labels;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Judges whether an empty node of a class would pin a pod, and why not.
 *
 * <p>Limit: it sees the pod as written. What admission adds (a LimitRange's defaults, an injected
 * sidecar) is seen only in the pod as the API server returns it.
 */
public final class PodJudge {
  private static final String SPARK_EXECUTOR = "spark-kubernetes-executor";

  private static final Map<String, Function<ResourceAmounts, Optional<BigDecimal>>> RESOURCES =
      Map.of("cpu", ResourceAmounts::cpu, "memory", ResourceAmounts::memory);

  private final Pod pod;
  private final PodRequest request;
  private final Machine machine;
  private final List<Finding> findings = new ArrayList<>();

  private PodJudge(Pod pod, Machine machine) {
    this.pod = pod;
    this.request = PodTranslator.request(pod);
    this.machine = machine;
  }

  /**
   * What keeps the pod from being pinned on a node of this kind, or disturbs others there.
   *
   * @throws IllegalArgumentException naming the field, if the API server would refuse the pod
   */
  public static List<Finding> judge(Pod pod, Machine machine) {
    PodJudge judge = new PodJudge(pod, machine);
    judge.judge();
    return List.copyOf(judge.findings);
  }

  private void judge() {
    if (machine.isPinnedByRuntime()) {
      judgeForRuntime();
      checkOverhead();
      return;
    }
    if (request.podLevelResources()) {
      error(
          Reason.POD_LEVEL_RESOURCES,
          "spec.resources is set: the kubelet's CPU and memory manager then leave the whole pod alone",
          "set resources of each container instead");
      return;
    }
    boolean guaranteed = true;
    for (ContainerRequest container : request.containers()) {
      guaranteed &= isGuaranteed(container);
    }
    if (guaranteed) {
      checkCpus();
      checkAdmission();
    }
    checkOverhead();
  }

  /** The runtime's pinner serves pods with its annotation, of whatever QoS class. */
  private void judgeForRuntime() {
    Map<String, String> annotations =
        Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
    if (!annotations.containsKey(Labels.PIN)) {
      error(
          Reason.POD_NOT_ANNOTATED,
          "the pod has no annotation %s: the container runtime gives it the CPUs that all containers share"
              .formatted(Labels.PIN),
          "run the application with numaspark, or write the annotations with `numaspark inject`");
    } else if (amount(main().limits(), "cpu").signum() != 0) {
      add(
          Severity.WARNING,
          Reason.CPU_LIMIT_THROTTLES,
          "%s has a CPU limit: its quota throttles the executor, which has CPUs of its own"
              .formatted(describe(main())),
          "remove the limit; a request is enough where the container runtime pins");
    }
  }

  /** ComputePodQOS: one container without its limits makes the pod Burstable for all of them. */
  private boolean isGuaranteed(ContainerRequest container) {
    for (String resource : List.of("cpu", "memory")) {
      BigDecimal limit = amount(container.limits(), resource);
      if (limit.signum() == 0) {
        error(
            Reason.POD_NOT_GUARANTEED,
            "%s has no %s limit: the pod is not of QoS class Guaranteed, and none of its containers is pinned"
                .formatted(describe(container), resource),
            limitRemedy(container, resource));
        return false;
      }
      if (amount(container.requests(), resource).compareTo(limit) != 0) {
        error(
            Reason.POD_NOT_GUARANTEED,
            "%s requests another amount of %s than its limit: the pod is not of QoS class Guaranteed, and none of its"
                    .formatted(describe(container), resource)
                + " containers is pinned",
            "set request and limit to the same amount (a LimitRange may have filled in one of them)");
        return false;
      }
    }
    return true;
  }

  private static BigDecimal amount(ResourceAmounts amounts, String resource) {
    return RESOURCES.get(resource).apply(amounts).orElse(BigDecimal.ZERO);
  }

  private static String limitRemedy(ContainerRequest container, String resource) {
    return container.name().equals(SPARK_EXECUTOR) && resource.equals("cpu")
        ? "set spark.kubernetes.executor.limit.cores to the same whole number as request.cores (Spark drops both for"
            + " stages with a resource profile of their own)"
        : "set resources.limits.%s of %s, or stop its injection into these pods"
            .formatted(resource, describe(container));
  }

  private void checkCpus() {
    ContainerRequest main = main();
    int threads = machine.topology().threadsPerCore();
    if (wholeCpus(main) == 0) {
      error(
          Reason.CPU_NOT_WHOLE,
          "%s requests %s CPUs, which is not a whole number: it shares CPUs with other pods"
              .formatted(
                  describe(main),
                  amount(main.requests(), "cpu").stripTrailingZeros().toPlainString()),
          "request a multiple of %d CPUs".formatted(threads));
    }
    for (ContainerRequest container : request.containers()) {
      int cpus = wholeCpus(container);
      if (cpus % threads != 0) {
        addPartOfCore(container, cpus, threads);
      }
      if (cpus > 0 && container != main) {
        addHelper(container, cpus);
      }
    }
  }

  private void addPartOfCore(ContainerRequest container, int cpus, int threads) {
    boolean wholeCores = machine.kubelet().hasOption(KubeletSettings.FULL_PCPUS_ONLY);
    add(
        wholeCores ? Severity.ERROR : Severity.WARNING,
        Reason.CPU_NOT_WHOLE_CORES,
        "%s requests %d CPUs, and a core has %d: %s"
            .formatted(
                describe(container),
                cpus,
                threads,
                wholeCores
                    ? "with full-pcpus-only the pod is rejected (SMTAlignmentError)"
                    : "another pod may get the rest of its core"),
        "request a multiple of %d CPUs%s"
            .formatted(threads, container == main() ? "" : ", or for a fraction such as 900m"));
  }

  private void addHelper(ContainerRequest container, int cpus) {
    boolean together = machine.kubelet().topologyManagerScope() == TopologyManagerScope.POD;
    add(
        Severity.WARNING,
        Reason.EXCLUSIVE_HELPER_CONTAINER,
        "%s requests %d whole CPUs and gets them for itself%s"
            .formatted(
                describe(container),
                cpus,
                together
                    ? ""
                    : "; with topologyManagerScope container it may decide the NUMA node of the others, or get another"
                        + " one"),
        "request a fraction of a CPU such as 900m, with request and limit alike");
  }

  /** Asks a kubelet without pods; what a kubelet that does not start would say is not known. */
  private void checkAdmission() {
    boolean told =
        findings.stream().anyMatch(finding -> finding.reason() == Reason.CPU_NOT_WHOLE_CORES);
    if (!told
        && KubeletSimulation.start(machine) instanceof Started started
        && started.kubelet().admit(request) instanceof Admission.Rejected rejected) {
      error(
          Reason.POD_DOES_NOT_FIT,
          "even an empty node rejects the pod: %s, %s"
              .formatted(rejected.reason(), rejected.message()),
          "take executors that fit one NUMA node next to what is reserved; `numaspark plan` finds the size");
    }
  }

  private void checkOverhead() {
    Map<?, ?> overhead = pod.getSpec().getOverhead();
    if (overhead != null && !overhead.isEmpty()) {
      add(
          Severity.INFO,
          Reason.RUNTIME_CLASS_OVERHEAD,
          "the pod has an overhead, of a RuntimeClass: the scheduler counts it, the NUMA node does not",
          "leave room for it: give each executor less memory, or use a RuntimeClass without overhead");
    }
  }

  /** The executor's container, else the first one that is not an init container. */
  private ContainerRequest main() {
    return Stream.<Predicate<ContainerRequest>>of(
            container -> container.name().equals(SPARK_EXECUTOR), container -> true)
        .flatMap(
            wanted ->
                request.containers().stream()
                    .filter(container -> container.role() == Role.APP)
                    .filter(wanted))
        .findFirst()
        .orElseThrow();
  }

  /** Exclusive CPUs of a container in a Guaranteed pod (guaranteedCPUs). */
  private static int wholeCpus(ContainerRequest container) {
    BigDecimal cpus = amount(container.requests(), "cpu").stripTrailingZeros();
    return cpus.scale() <= 0 ? cpus.min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue() : 0;
  }

  private static String describe(ContainerRequest container) {
    return switch (container.role()) {
          case INIT -> "init container ";
          case SIDECAR -> "sidecar ";
          case APP -> "container ";
        }
        + container.name();
  }

  private void error(Reason reason, String message, String remedy) {
    add(Severity.ERROR, reason, message, remedy);
  }

  private void add(Severity severity, Reason reason, String message, String remedy) {
    findings.add(new Finding(severity, reason, message, remedy));
  }
}
