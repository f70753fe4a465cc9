package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorCounts;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorInfo;
import io.numaspark.controller.observe.ReportedExecutors;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.controller.observe.ReportedExecutors.Placement;
import io.numaspark.controller.status.PinningJudge.Verdict;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.Labels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The executors of an application: pods that exist now, joined with what was known of those that
 * are gone.
 *
 * <p>Limit: only the first {@value #LISTED} are kept in the status, so that it stays small; of
 * later ones nothing is known once their pods are gone.
 */
public final class ExecutorObservation {
  static final int LISTED = 50;

  private static final Set<String> ALIVE = Set.of("Pending", "Running");

  /** Reasons with which a kubelet refuses a pod that the scheduler had already placed. */
  private static final Set<String> REJECTIONS =
      Set.of(
          "TopologyAffinityError",
          "UnexpectedAdmissionError",
          "SMTAlignmentError",
          "OutOfcpu",
          "OutOfmemory");

  private final Map<String, Machine> machines;
  private final int expectedCpus;

  /**
   * An observation of pinned executors.
   *
   * @param machines the machine of each node that the profile plans, by node name
   * @param expectedCpus CPUs that each executor pod requests
   */
  public ExecutorObservation(Map<String, Machine> machines, int expectedCpus) {
    this.machines = machines;
    this.expectedCpus = expectedCpus;
  }

  /** Whether the kubelet refused this pod. */
  public static boolean isRejected(Pod pod) {
    String reason = String.valueOf(pod.getStatus().getReason());
    return REJECTIONS.contains(reason) || reason.startsWith("OutOf");
  }

  /** The executors, those that exist first in the order of their ids, then those that are gone. */
  public List<ExecutorInfo> observe(
      List<Pod> pods, ReportedExecutors reported, List<ExecutorInfo> before) {
    Map<String, ExecutorInfo> known = new HashMap<>();
    Objects.requireNonNullElse(before, List.<ExecutorInfo>of())
        .forEach(info -> known.put(info.pod(), info));
    List<ExecutorInfo> executors = new ArrayList<>();
    pods.stream()
        .sorted(Comparator.comparingInt(ExecutorObservation::number))
        .forEach(
            pod ->
                executors.add(
                    describe(pod, pods, reported, known.remove(pod.getMetadata().getName()))));
    known.values().stream()
        .sorted(Comparator.comparing(ExecutorInfo::pod))
        .map(ExecutorObservation::gone)
        .forEach(executors::add);
    return List.copyOf(executors);
  }

  /** Those executors that a status shows; null if there are none to show. */
  static List<ExecutorInfo> listed(List<ExecutorInfo> executors) {
    return executors == null ? null : executors.stream().limit(LISTED).toList();
  }

  /** Counts over all executors; unknown are those that may still report. */
  public static ExecutorCounts count(int wanted, List<ExecutorInfo> executors) {
    return new ExecutorCounts(
        wanted,
        count(executors, info -> "Pending".equals(info.phase())),
        count(executors, info -> "Running".equals(info.phase())),
        count(executors, info -> "Failed".equals(info.phase())),
        count(executors, info -> "Rejected".equals(info.phase())),
        count(executors, info -> Conditions.TRUE.equals(info.pinned())),
        count(executors, info -> Conditions.FALSE.equals(info.pinned())),
        count(
            executors,
            info -> Conditions.UNKNOWN.equals(info.pinned()) && ALIVE.contains(info.phase())));
  }

  private static int count(List<ExecutorInfo> executors, Predicate<ExecutorInfo> which) {
    return (int) executors.stream().filter(which).count();
  }

  private ExecutorInfo describe(
      Pod pod, List<Pod> all, ReportedExecutors reported, ExecutorInfo before) {
    String id = String.valueOf(label(pod, Labels.SPARK_EXECUTOR_ID));
    if (isRejected(pod)) {
      return new ExecutorInfo(
          id,
          name(pod),
          node(pod),
          "Rejected",
          null,
          null,
          null,
          Conditions.UNKNOWN,
          pod.getStatus().getReason(),
          "the kubelet of " + node(pod) + " refused the pod: " + pod.getStatus().getMessage());
    }
    Placement placement = placement(id, reported, before);
    Verdict verdict = verdict(pod, id, placement, all, reported);
    return new ExecutorInfo(
        id,
        name(pod),
        node(pod),
        pod.getStatus().getPhase(),
        verdict.numaNode().orElse(null),
        placement.cpus(),
        placement.memoryNodes(),
        verdict.pinned(),
        verdict.reason(),
        verdict.message().isEmpty() ? null : verdict.message());
  }

  /**
   * What was reported now, else what was known: an executor's CPUs do not change while it lives.
   */
  private static Placement placement(String id, ReportedExecutors reported, ExecutorInfo before) {
    Placement now = reported instanceof Answer answer ? answer.byExecutorId().get(id) : null;
    if (now != null && now.cpus() != null) {
      return now;
    }
    return before == null
        ? new Placement(null, null)
        : new Placement(before.cpus(), before.memoryNodes());
  }

  private Verdict verdict(
      Pod pod, String id, Placement placement, List<Pod> all, ReportedExecutors reported) {
    if (placement.cpus() == null
        && !(reported instanceof Answer answer && answer.byExecutorId().containsKey(id))) {
      return reported instanceof NoAnswer noAnswer && "Running".equals(pod.getStatus().getPhase())
          ? Verdict.unknown("DriverNotAnswering", noAnswer.why())
          : Verdict.unknown("NotRegistered", "the executor has not registered with the driver yet");
    }
    Machine machine = machines.get(node(pod));
    if (machine == null) {
      return Verdict.unknown(
          "NoTopology",
          "node " + node(pod) + " is not in the profile's plan, so its NUMA nodes are not known");
    }
    return PinningJudge.judge(placement, expectedCpus, machine, others(pod, all, reported));
  }

  private static List<CpuSet> others(Pod pod, List<Pod> all, ReportedExecutors reported) {
    if (!(reported instanceof Answer answer)) {
      return List.of();
    }
    return all.stream()
        .filter(other -> !name(other).equals(name(pod)))
        .filter(other -> Objects.equals(node(other), node(pod)))
        .filter(other -> "Running".equals(other.getStatus().getPhase()))
        .map(other -> answer.byExecutorId().get(label(other, Labels.SPARK_EXECUTOR_ID)))
        .filter(placement -> placement != null && placement.cpus() != null)
        .map(placement -> CpuSet.parse(placement.cpus()))
        .toList();
  }

  /** The executors of a driver that has ended: they end with it. */
  static List<ExecutorInfo> afterDriver(List<ExecutorInfo> executors) {
    return executors.stream().map(ExecutorObservation::gone).toList();
  }

  private static ExecutorInfo gone(ExecutorInfo info) {
    String phase = Set.of("Failed", "Rejected").contains(info.phase()) ? info.phase() : "Gone";
    return new ExecutorInfo(
        info.id(),
        info.pod(),
        info.node(),
        phase,
        info.numaNode(),
        info.cpus(),
        info.memoryNodes(),
        info.pinned(),
        info.reason(),
        info.message());
  }

  private static int number(Pod pod) {
    String id = label(pod, Labels.SPARK_EXECUTOR_ID);
    return id != null && id.matches("[0-9]{1,9}") ? Integer.parseInt(id) : Integer.MAX_VALUE;
  }

  private static String label(Pod pod, String key) {
    return Optional.ofNullable(pod.getMetadata().getLabels())
        .map(labels -> labels.get(key))
        .orElse(null);
  }

  private static String name(Pod pod) {
    return pod.getMetadata().getName();
  }

  private static String node(Pod pod) {
    return pod.getSpec().getNodeName();
  }
}
