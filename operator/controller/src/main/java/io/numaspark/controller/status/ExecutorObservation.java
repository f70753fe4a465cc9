package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.ExecutorInfo.Reporter;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorCounts;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.controller.observe.ReportedExecutors;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.counters.CounterFigures;
import io.numaspark.render.proof.AgentReports;
import io.numaspark.render.proof.AgentReports.ExecutorReport;
import io.numaspark.render.proof.AgentReports.NotLoaded;
import io.numaspark.render.proof.AgentReports.Reported;
import io.numaspark.render.proof.AgentReports.Unreported;
import io.numaspark.render.proof.Diagnosis;
import io.numaspark.render.proof.ExecutorReason;
import io.numaspark.render.proof.PinningJudge;
import io.numaspark.render.proof.PinningJudge.Evidence;
import io.numaspark.render.proof.PinningJudge.Verdict;
import io.numaspark.render.proof.Placement;
import io.numaspark.render.proof.SharedPoolCause;
import io.numaspark.render.text.ForeignText;
import io.numaspark.render.text.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The executors of an attempt: pods that exist now, joined with what was known of those that are
 * gone.
 *
 * <p>Each failure is counted once, by executor id, however often its pod is seen and however many
 * operators see it. Limit: a failure whose pod came and went while no operator ran is not known.
 */
public final class ExecutorObservation {

  /** Percents that move by less are no reason to write a status. */
  private static final int PERCENT_STEP = 10;

  private final Map<String, Machine> machines;
  private final AgentReports agents;
  private final SharedPoolCause sharedPoolCause = new SharedPoolCause();
  private final int expectedCpus;
  private final ExecutorCounts countsBefore;
  private final List<ExecutorInfo> infosBefore;

  /**
   * An observation that follows on a status.
   *
   * @param machines the machine of each node that the profile plans, by node name; empty for an
   *     ordinary application
   * @param agents what the nodes' agents say
   */
  public ExecutorObservation(
      Map<String, Machine> machines, AgentReports agents, SparkApplicationStatus before) {
    this.machines = machines;
    this.agents = agents;
    this.expectedCpus = expectedCpus(before);
    this.countsBefore = Objects.requireNonNullElse(before.executorCounts(), nothing(0));
    this.infosBefore = Objects.requireNonNullElse(before.executors(), List.of());
  }

  /** The counts of an attempt before its first executor. */
  public static ExecutorCounts nothing(int wanted) {
    return new ExecutorCounts(wanted, 0, 0, 0, 0, 0, 0, 0, null);
  }

  /** Whether the kubelet refused this pod. */
  public static boolean isRejected(Pod pod) {
    return ExecutorFailure.isRejected(pod);
  }

  /** Whether this pod has failed by itself or was rejected, so that it is to be counted. */
  public static boolean isFailed(Pod pod) {
    return ExecutorFailure.isRejected(pod) || ExecutorFailure.hasFailed(pod);
  }

  /**
   * The executors.
   *
   * @param pods those that exist, and those that failed and whose pods are gone since
   */
  public Executors observe(Collection<Pod> pods, ReportedExecutors reported) {
    Map<String, List<Pod>> byNode =
        pods.stream()
            .filter(pod -> node(pod) != null && "Running".equals(phase(pod)))
            .collect(Collectors.groupingBy(ExecutorObservation::node));
    Map<String, ExecutorInfo> known = new HashMap<>();
    infosBefore.forEach(info -> known.put(info.pod(), info));
    List<ExecutorInfo> executors = new ArrayList<>(pods.size());
    ExecutorIds counted = ExecutorIds.parse(countsBefore.counted());
    int failed = countsBefore.failed();
    int rejected = countsBefore.rejected();
    List<Pod> ordered =
        pods.stream().sorted(Comparator.comparingInt(ExecutorObservation::number)).toList();
    for (Pod pod : ordered) {
      ExecutorInfo before = known.remove(name(pod));
      executors.add(describe(pod, byNode.getOrDefault(node(pod), List.of()), reported, before));
      if (isFailed(pod) && counted.add(number(pod))) {
        failed += isRejected(pod) ? 0 : 1;
        rejected += isRejected(pod) ? 1 : 0;
      }
    }
    known.values().stream()
        .sorted(Comparator.comparing(ExecutorInfo::pod))
        .map(Executors::gone)
        .forEach(executors::add);
    return new Executors(
        Executors.count(countsBefore.wanted(), failed, rejected, counted.text(), executors),
        executors);
  }

  private ExecutorInfo describe(
      Pod pod, List<Pod> onSameNode, ReportedExecutors reported, ExecutorInfo before) {
    String id = String.valueOf(label(pod, Labels.SPARK_EXECUTOR_ID));
    if (!isFailed(pod) && before != null && ExecutorFailure.isFailed(before.phase())) {
      return before; // Spark deletes its pod, which then looks like one that was asked to stop.
    }
    if (isFailed(pod)) {
      return failed(pod, id, placement(id, reported, before), before);
    }
    if (NodeSilence.hides(pod)) {
      return unreachable(pod, id, before);
    }
    boolean running = "Running".equals(phase(pod));
    ExecutorReport agent =
        running && !machines.isEmpty() ? agents.of(pod) : new Unreported("it is not running");
    if (agent instanceof NotLoaded && before != null && "Running".equals(before.phase())) {
      return before;
    }
    Placement own = placement(id, reported, before);
    Evidence evidence = evidence(pod, own, agent, onSameNode, reported);
    Verdict verdict = verdict(pod, id, evidence, agent, reported);
    Optional<ExclusiveContainer> seen = evidence.agent();
    ExecutorInfo now =
        ExecutorInfo.of(id, name(pod), node(pod), phase(pod))
            .cpus(verdict.numaNode().orElse(null), evidence.cpus(), evidence.memoryNodes())
            .verdict(
                verdict.pinned(),
                verdict.reason(),
                verdict.message().isEmpty() ? null : verdict.message())
            .report(
                reporter(evidence),
                caches(pod, evidence.cpus()),
                seen.map(ExclusiveContainer::localMemoryPercent).orElse(null),
                seen.map(ExclusiveContainer::throttledPercent).orElse(null))
            .counters(seen.map(ExclusiveContainer::counts).flatMap(CounterFigures::of).orElse(null))
            .build();
    return before != null && isSteady(before, now) ? before : now;
  }

  /** What was known of its CPUs stays; whether they are its own now, nobody can say. */
  private static ExecutorInfo unreachable(Pod pod, String id, ExecutorInfo before) {
    ExecutorInfo.Builder now =
        ExecutorInfo.of(id, name(pod), node(pod), NodeSilence.PHASE)
            .verdict(
                Pinned.Unknown,
                ExecutorReason.NODE_UNREACHABLE.displayName(),
                ForeignText.line(NodeSilence.message(node(pod)), PinningJudge.LONGEST_MESSAGE));
    return before == null
        ? now.build()
        : now.cpus(before.numaNode(), before.cpus(), before.memoryNodes())
            .report(before.toldBy(), before.caches(), null, null)
            .build();
  }

  private static ExecutorInfo failed(Pod pod, String id, Placement placement, ExecutorInfo before) {
    Diagnosis failure = ExecutorFailure.of(pod);
    String message = ForeignText.line(failure.message(), PinningJudge.LONGEST_MESSAGE);
    String phase = isRejected(pod) ? ExecutorFailure.REJECTED : ExecutorFailure.FAILED;
    ExecutorInfo.Builder now = ExecutorInfo.of(id, name(pod), node(pod), phase);
    if (before == null) {
      return now.cpus(null, placement.cpus(), placement.memoryNodes())
          .verdict(Pinned.Unknown, failure.reason(), message)
          .build();
    }
    boolean wasKnown = before.cpus() != null;
    return now.cpus(
            before.numaNode(),
            wasKnown ? before.cpus() : placement.cpus(),
            wasKnown ? before.memoryNodes() : placement.memoryNodes())
        .verdict(before.pinned(), failure.reason(), message)
        .report(
            before.toldBy(),
            before.caches(),
            before.localMemoryPercent(),
            before.throttledPercent())
        .counters(before.counters())
        .build();
  }

  private static Reporter reporter(Evidence evidence) {
    boolean executor = evidence.own().cpus() != null;
    if (evidence.agentTells()) {
      return executor ? Reporter.AgentAndExecutor : Reporter.Agent;
    }
    return executor ? Reporter.Executor : null;
  }

  private Integer caches(Pod pod, String list) {
    Optional<CpuSet> cpus = PinningJudge.parse(list);
    Machine machine = cpus.isEmpty() ? null : machines.get(node(pod));
    if (machine == null) {
      return null;
    }
    int caches =
        (int)
            machine.topology().numaNodes().stream()
                .flatMap(node -> node.caches().stream())
                .filter(cpus.get()::intersects)
                .count();
    return caches == 0 ? null : caches;
  }

  /** Whether nothing has changed but percents and counters, and those by little. */
  private static boolean isSteady(ExecutorInfo before, ExecutorInfo now) {
    return isNear(before.localMemoryPercent(), now.localMemoryPercent())
        && isNear(before.throttledPercent(), now.throttledPercent())
        && CounterFigures.areNear(before.counters(), now.counters())
        && before.withoutPercents().equals(now.withoutPercents());
  }

  private static boolean isNear(Integer one, Integer other) {
    return one == null || other == null
        ? one == null && other == null
        : Math.abs(one - other) < PERCENT_STEP;
  }

  /**
   * What the executor reported now, else what it did before: its CPUs do not change while it lives.
   * What only an agent said is not kept.
   */
  private static Placement placement(String id, ReportedExecutors reported, ExecutorInfo before) {
    Placement now = reported instanceof Answer answer ? answer.byExecutorId().get(id) : null;
    if (now != null && now.cpus() != null) {
      return now;
    }
    return before == null || before.toldBy() == Reporter.Agent
        ? Placement.UNREPORTED
        : new Placement(before.cpus(), before.memoryNodes());
  }

  private Evidence evidence(
      Pod pod,
      Placement own,
      ExecutorReport agent,
      List<Pod> onSameNode,
      ReportedExecutors reported) {
    if (agent instanceof Reported told) {
      return Evidence.ofAgent(
          own, told, machines.isEmpty() ? Optional.empty() : agents.pinOutcome(pod));
    }
    return Evidence.ofExecutor(own, others(pod, onSameNode, reported));
  }

  private Verdict verdict(
      Pod pod, String id, Evidence evidence, ExecutorReport agent, ReportedExecutors reported) {
    boolean registered = reported instanceof Answer answer && answer.byExecutorId().containsKey(id);
    if (evidence.cpus() == null && !evidence.agentTells() && !registered) {
      return reported instanceof NoAnswer noAnswer && "Running".equals(phase(pod))
          ? Verdict.unknown(ExecutorReason.DRIVER_NOT_ANSWERING, whyUnknown(noAnswer, agent))
          : Verdict.unknown(
              ExecutorReason.NOT_REGISTERED, "the executor has not registered with the driver yet");
    }
    Machine machine = machines.get(node(pod));
    if (machine == null) {
      return Verdict.unknown(
          ExecutorReason.NO_TOPOLOGY,
          "node " + node(pod) + " is not in the profile's plan, so its NUMA nodes are not known");
    }
    return new PinningJudge(
            evidence,
            expectedCpus,
            machine,
            () -> sharedPoolCause.of(pod, machine, evidence.outcome()))
        .judge();
  }

  private static String whyUnknown(NoAnswer noAnswer, ExecutorReport agent) {
    return agent instanceof Unreported silent
        ? noAnswer.why() + "; " + silent.why()
        : noAnswer.why();
  }

  /** At most as many as one node has slots. */
  private static List<CpuSet> others(Pod pod, List<Pod> onSameNode, ReportedExecutors reported) {
    if (!(reported instanceof Answer answer)) {
      return List.of();
    }
    return onSameNode.stream()
        .filter(other -> !name(other).equals(name(pod)))
        .map(other -> answer.byExecutorId().get(label(other, Labels.SPARK_EXECUTOR_ID)))
        .filter(Objects::nonNull)
        .map(placement -> PinningJudge.parse(placement.cpus()))
        .flatMap(Optional::stream)
        .toList();
  }

  /** CPUs of one executor as submitted: the profile may have changed since. */
  private static int expectedCpus(SparkApplicationStatus status) {
    String cpus = status.executorShape() == null ? null : status.executorShape().cpus();
    return cpus != null && cpus.matches("[0-9]{1,9}") ? Integer.parseInt(cpus) : 0;
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

  private static String phase(Pod pod) {
    return pod.getStatus() == null ? "Pending" : pod.getStatus().getPhase();
  }
}
