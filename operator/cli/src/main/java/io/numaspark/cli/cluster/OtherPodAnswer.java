package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.ExecutorInfo.Reporter;
import io.numaspark.api.v1alpha1.PinningSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.PinnedBy;
import io.numaspark.render.counters.CounterFigures;
import io.numaspark.render.doctor.PodJudge;
import io.numaspark.render.inject.InjectionNotes;
import io.numaspark.render.profile.TopologyTranslator;
import io.numaspark.render.proof.AgentReports;
import io.numaspark.render.proof.AgentReports.Reported;
import io.numaspark.render.proof.ExecutorReason;
import io.numaspark.render.proof.PodProof;
import io.numaspark.render.proof.PodProof.Proof;
import io.numaspark.render.proof.SlotRequest;
import io.numaspark.render.text.Labels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Says of a pod that numaspark did not create what the agent of its node reports of its CPUs, and
 * if it has none of its own, what keeps it from being pinned.
 *
 * <p>Limit: how a profile pins is read from what its node's pinner is told; of a node that a
 * kubelet pins, it is not known whether the profile only observes.
 */
final class OtherPodAnswer {
  private final Pod pod;
  private final List<String> lines = new ArrayList<>();

  private OtherPodAnswer(Pod pod) {
    this.pod = pod;
  }

  /**
   * The answer.
   *
   * @param topology of the pod's node; empty if it is unknown
   */
  static PodDocument of(Pod pod, Optional<SparkNodeTopology> topology, Instant now) {
    OtherPodAnswer answer = new OtherPodAnswer(pod);
    return topology.map(found -> answer.onNode(found, now)).orElseGet(answer::withoutTopology);
  }

  private PodDocument withoutTopology() {
    lines.add(
        node() == null
            ? who() + " is on no node yet."
            : "%s is on node %s, whose topology is unknown: there is no SparkNodeTopology of that name."
                .formatted(who(), node()));
    SchedulerWord.of(pod).ifPresent(lines::add);
    addNotes();
    return document(Pinned.Unknown, "NoTopology");
  }

  private PodDocument onNode(SparkNodeTopology topology, Instant now) {
    Machine machine = machine(topology);
    AgentReports agents =
        AgentReports.of(node -> Optional.of(topology).filter(of -> node.equals(node())), now);
    List<Container> containers = isRunning() ? containersToProve(topology.getStatus()) : List.of();
    if (containers.isEmpty()) {
      return withoutCpusOfItsOwn(machine, agents);
    }
    PodProof proof = new PodProof(agents);
    List<Proof> proofs = new ArrayList<>();
    for (Container container : containers) {
      Proof found = proof.of(pod, container, Optional.of(machine));
      proofs.add(found);
      addProof(containers.size() == 1 ? who() : who(container), found, machine);
    }
    addNotes();
    // What is said of the pod is what holds for all of its containers.
    Proof worst =
        proofs.stream()
            .filter(found -> found.verdict().pinned() == Pinned.False)
            .findFirst()
            .or(() -> proofs.stream().filter(f -> f.verdict().pinned() != Pinned.True).findFirst())
            .orElse(proofs.get(0));
    return document(worst.verdict().pinned(), worst.verdict().reason());
  }

  /** The one with slots; else those of which the node's agent knows CPUs of their own. */
  private List<Container> containersToProve(SparkNodeTopologyStatus status) {
    Optional<SlotRequest> slots = SlotRequest.of(pod);
    if (slots.isPresent()) {
      return List.of(slots.get().container());
    }
    List<ExclusiveContainer> exclusive =
        status == null
            ? List.of()
            : Objects.requireNonNullElse(status.exclusive(), List.<ExclusiveContainer>of());
    return pod.getSpec().getContainers().stream()
        .filter(container -> exclusive.stream().anyMatch(entry -> isOf(entry, container)))
        .toList();
  }

  private boolean isOf(ExclusiveContainer entry, Container container) {
    return pod.getMetadata().getName().equals(entry.pod())
        && Objects.equals(pod.getMetadata().getNamespace(), entry.namespace())
        && container.getName().equals(entry.container());
  }

  private void addProof(String who, Proof proof, Machine machine) {
    String text = proof.verdict().reason() + ", " + proof.verdict().message();
    lines.add(
        who
            + switch (proof.verdict().pinned()) {
              case True -> " is pinned";
              case False -> " is not pinned: " + text;
              case Unknown -> " is not known to be pinned: " + text;
            });
    addFact("Node", node());
    if (proof.verdict().pinned() == Pinned.True) {
      addFact("Pinned by", machine.isPinnedByRuntime() ? "the container runtime" : "the kubelet");
    }
    addFact("CPUs", proof.evidence().cpus());
    addFact("NUMA node", proof.verdict().numaNode().orElse(null));
    addFact("Memory nodes", proof.evidence().memoryNodes());
    Optional<ExclusiveContainer> seen = proof.evidence().agent();
    addFact(
        "Memory on its own NUMA nodes, percent",
        seen.map(ExclusiveContainer::localMemoryPercent).orElse(null));
    addFact(
        "Periods in which it waited for CPU quota, percent",
        seen.map(ExclusiveContainer::throttledPercent).orElse(null));
    seen.map(ExclusiveContainer::counts)
        .flatMap(CounterFigures::of)
        .ifPresent(counters -> CounterFigures.named(counters).forEach(this::addFact));
    if (proof.evidence().agentTells()) {
      addFact("Source of these facts", Reporter.Agent);
    }
  }

  private PodDocument withoutCpusOfItsOwn(Machine machine, AgentReports agents) {
    Optional<String> left = annotation(InjectionNotes.REASON);
    if (left.isPresent()) {
      lines.add("%s is not pinned: the webhook left it as it is".formatted(who()));
      addNotes();
      return document(Pinned.False, "NotInjected");
    }
    boolean none =
        isRunning()
            && pod.getSpec().getContainers().stream()
                .allMatch(
                    container ->
                        agents.of(pod, container.getName()) instanceof Reported told
                            && told.container().isEmpty());
    List<Finding> findings = judge(machine);
    String start =
        none
            ? "%s has no CPUs of its own, as the agent of node %s reports".formatted(who(), node())
            : who() + " is not an executor of numaspark";
    lines.add(
        findings.isEmpty()
            ? "%s, and an empty node like %s would pin it.".formatted(start, node())
            : "%s; what keeps it from being pinned on a node like %s:".formatted(start, node()));
    for (Finding finding : findings) {
      lines.add(
          "%s %s: %s"
              .formatted(
                  finding.severity().displayName(),
                  finding.reason().displayName(),
                  finding.message()));
      if (!finding.remedy().isEmpty()) {
        lines.add("  Remedy: " + finding.remedy());
      }
    }
    addNotes();
    boolean wrong = none || findings.stream().anyMatch(f -> f.severity() == Finding.Severity.ERROR);
    return document(
        wrong ? Pinned.False : Pinned.Unknown,
        findings.isEmpty()
            ? none ? ExecutorReason.SHARED_CPUS.displayName() : "WouldBePinned"
            : findings.get(0).reason().displayName());
  }

  /** What the webhook, or numaspark inject, has written. */
  private void addNotes() {
    annotation(InjectionNotes.SUMMARY).ifPresent(text -> addFact("Injected", text));
    annotation(InjectionNotes.REASON).ifPresent(text -> addFact("Left as it is", text));
  }

  private Optional<String> annotation(String name) {
    return Optional.ofNullable(pod.getMetadata().getAnnotations()).map(all -> all.get(name));
  }

  private static Machine machine(SparkNodeTopology topology) {
    Machine machine = TopologyTranslator.machine(topology.getSpec());
    WantedPins pins = topology.getSpec().pins();
    if (pins == null || pins.mode() == WantedPins.Mode.Release) {
      return machine;
    }
    PinnedBy.Memory memory =
        pins.memory() == PinningSpec.Memory.Local ? PinnedBy.Memory.LOCAL : PinnedBy.Memory.BIND;
    return new Machine(
        machine.topology(),
        machine.kubelet(),
        new PinnedBy.Runtime(machine, memory, pins.mode() == WantedPins.Mode.Pin));
  }

  private List<Finding> judge(Machine machine) {
    try {
      return PodJudge.judge(pod, machine);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("the API server has admitted the pod: " + e.getMessage(), e);
    }
  }

  private void addFact(String name, Object value) {
    if (value != null) {
      lines.add(name + ": " + value);
    }
  }

  private boolean isRunning() {
    return pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase());
  }

  private boolean isExecutor() {
    return Labels.ROLE_EXECUTOR.equals(labels().get(Labels.SPARK_ROLE));
  }

  private Map<String, String> labels() {
    return Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
  }

  private String who() {
    return isExecutor()
        ? "Executor %s of Spark application %s"
            .formatted(
                labels().getOrDefault(Labels.SPARK_EXECUTOR_ID, pod.getMetadata().getName()),
                labels().getOrDefault(Labels.SPARK_APP_SELECTOR, "of others"))
        : "Pod " + pod.getMetadata().getName();
  }

  private String who(Container container) {
    return "Container %s of pod %s".formatted(container.getName(), pod.getMetadata().getName());
  }

  private String node() {
    return pod.getSpec().getNodeName();
  }

  private PodDocument document(Pinned pinned, String reason) {
    return new PodDocument(
        pod.getMetadata().getName(),
        isExecutor() ? "Executor" : "Pod",
        null,
        node(),
        pod.getStatus() == null ? null : pod.getStatus().getPhase(),
        pinned,
        reason,
        List.copyOf(lines));
  }
}
