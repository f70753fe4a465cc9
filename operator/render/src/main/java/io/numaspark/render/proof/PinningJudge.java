package io.numaspark.render.proof;

import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.PinnedBy;
import io.numaspark.render.pins.PinOutcome;
import io.numaspark.render.proof.AgentReports.Reported;
import io.numaspark.render.text.ForeignText;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Decides whether an executor is pinned: exclusive whole cores inside one NUMA node, and memory
 * from that node only.
 *
 * <p>Three may tell of its CPUs: the kubelet and the kernel through the node's agent, and the
 * executor itself. All that do must agree. Limit: where no agent tells, that no other pod may use
 * the CPUs is concluded from their number and from the other executors' CPUs.
 */
public final class PinningJudge {
  /** A status has up to fifty of them. */
  public static final int LONGEST_MESSAGE = 1024;

  private final Evidence evidence;
  private final int expectedCpus;
  private final Machine machine;
  private final Supplier<Diagnosis> sharedPoolCause;

  /**
   * A judge of one executor.
   *
   * @param expectedCpus CPUs that its pod requested
   * @param machine its node
   * @param sharedPoolCause why it was given no CPUs of its own; asked if it was not
   */
  public PinningJudge(
      Evidence evidence, int expectedCpus, Machine machine, Supplier<Diagnosis> sharedPoolCause) {
    this.evidence = evidence;
    this.expectedCpus = expectedCpus;
    this.machine = machine;
    this.sharedPoolCause = sharedPoolCause;
  }

  /**
   * What is known of an executor.
   *
   * @param own what it reported itself; its fields are null if it did not
   * @param agentTells whether the node's agent has looked at it
   * @param agent what the agent saw; empty if it has no CPUs of its own
   * @param settled whether the agent has seen all containers, so that what it has not seen is not
   *     there
   * @param others CPUs of others on its node: of each that has some of its own, and what all others
   *     share, if it is known
   * @param outcome what the node's pinner says of it; empty where the kubelet pins
   */
  public record Evidence(
      Placement own,
      boolean agentTells,
      Optional<ExclusiveContainer> agent,
      boolean settled,
      Collection<CpuSet> others,
      Optional<PinOutcome> outcome) {
    /** Where the kubelet pins, just after a start. */
    public Evidence(
        Placement own,
        boolean agentTells,
        Optional<ExclusiveContainer> agent,
        Collection<CpuSet> others) {
      this(own, agentTells, agent, false, others, Optional.empty());
    }

    /** What the agent says of an executor, with what it says itself. */
    public static Evidence ofAgent(Placement own, Reported told, Optional<PinOutcome> outcome) {
      List<CpuSet> others =
          told.others().stream()
              .flatMap(other -> Stream.of(other.cpus(), other.kernelCpus()))
              .map(PinningJudge::parse)
              .flatMap(Optional::stream)
              .toList();
      boolean late = outcome.equals(Optional.of(PinOutcome.PINNED_LATE));
      // What it had when it started says nothing of what it has now.
      return new Evidence(
          late ? Placement.UNREPORTED : own,
          true,
          told.container(),
          told.settled(),
          others,
          outcome);
    }

    /** What an executor said itself. */
    public static Evidence ofExecutor(Placement own, Collection<CpuSet> others) {
      return new Evidence(own, false, Optional.empty(), others);
    }

    /** CPUs that it may run on: as it says, else as its agent says; null if nobody does. */
    public String cpus() {
      return Stream.of(
              Optional.ofNullable(own.cpus()),
              agent.map(ExclusiveContainer::kernelCpus),
              agent.map(ExclusiveContainer::cpus))
          .flatMap(Optional::stream)
          .findFirst()
          .orElse(null);
    }

    /** The same of NUMA nodes for memory. */
    public String memoryNodes() {
      return Stream.of(
              Optional.ofNullable(own.memoryNodes()),
              agent.map(ExclusiveContainer::kernelMemoryNodes),
              agent.map(ExclusiveContainer::memoryNodes))
          .flatMap(Optional::stream)
          .findFirst()
          .orElse(null);
    }
  }

  /**
   * A verdict.
   *
   * @param reason CamelCase
   * @param message what was found and what to do; empty when pinned
   * @param numaNode the NUMA node that holds all CPUs, if there is one
   */
  public record Verdict(Pinned pinned, String reason, String message, Optional<Integer> numaNode) {
    /** An executor may have said anything of its CPUs. */
    public Verdict {
      message = ForeignText.line(message, LONGEST_MESSAGE);
    }

    /** Nothing is known, for the given reason. */
    public static Verdict unknown(ExecutorReason reason, String message) {
      return new Verdict(Pinned.Unknown, reason.displayName(), message, Optional.empty());
    }
  }

  /** The verdict. */
  public Verdict judge() {
    Verdict verdict = judgeAsPinned();
    return verdict.pinned() == Pinned.False && !machine.pinnedBy().enforced()
        ? no(
            ExecutorReason.NOT_ENFORCED,
            "spec.pinning.mode of its profile is Observe, so it may run on "
                + Objects.requireNonNullElse(evidence.cpus(), "all CPUs"),
            verdict.numaNode())
        : verdict;
  }

  private Verdict judgeAsPinned() {
    if (evidence.agentTells()) {
      Optional<Verdict> contradiction = contradiction();
      if (contradiction.isPresent()) {
        return contradiction.get();
      }
    } else if (evidence.own().cpus() == null) {
      return Verdict.unknown(
          ExecutorReason.NOT_REPORTED,
          "the executor registered without its CPUs; does the image start through /opt/entrypoint.sh?");
    }
    Optional<CpuSet> cpus = parse(evidence.cpus());
    return cpus.map(this::judge).orElseGet(() -> notReadable(evidence.cpus()));
  }

  /** What those who tell do not agree on; empty if kubelet, kernel and executor say the same. */
  private Optional<Verdict> contradiction() {
    if (evidence.agent().isEmpty()) {
      return Optional.of(shared(parse(evidence.own().cpus())));
    }
    ExclusiveContainer agent = evidence.agent().get();
    if (agent.cpus() == null && agent.memoryNodes() != null) {
      return Optional.of(shared(parse(evidence.cpus())));
    }
    if (agent.cpus() == null && is(PinOutcome.ALREADY_SET)) {
      return Optional.of(shared(parse(evidence.cpus())));
    }
    if (agent.cpus() == null) {
      return Optional.of(
          no(
              ExecutorReason.NOT_EXCLUSIVE,
              "the kernel lets it run on "
                  + agent.kernelCpus()
                  + ", but "
                  + giver()
                  + " has given it no CPUs of its own"
                  + again(),
              numaNode(parse(agent.kernelCpus()))));
    }
    Optional<CpuSet> given = parse(agent.cpus());
    if (given.isEmpty()) {
      return Optional.of(notReadable(agent.cpus()));
    }
    if (agent.kernelCpus() == null && evidence.settled() && !machine.isPinnedByRuntime()) {
      return Optional.of(
          no(
              ExecutorReason.NOT_RESTRICTED,
              "the kubelet has given it CPUs %s, but no container is restricted to them, so that it may use those that all containers share: %s"
                  .formatted(agent.cpus(), CpuChange.BY_ANOTHER),
              numaNode(given)));
    }
    if (agent.kernelCpus() == null && evidence.own().cpus() == null) {
      return Optional.of(
          Verdict.unknown(
              ExecutorReason.KERNEL_NOT_READ,
              giver()
                  + " has given it CPUs "
                  + agent.cpus()
                  + ", but the agent found no cgroup with them, and the executor has not reported its CPUs itself"));
    }
    Optional<Diagnosis> change =
        parse(agent.kernelCpus())
            .flatMap(
                kernel ->
                    new CpuChange(
                            given.get(), kernel, parse(evidence.own().cpus()), isRemote(agent))
                        .cause(machine));
    if (change.isPresent()) {
      return Optional.of(
          new Verdict(
              Pinned.False, change.get().reason(), change.get().message(), numaNode(given)));
    }
    return disagreement(
            "CPUs " + agent.cpus(), given.get(), agent.kernelCpus(), evidence.own().cpus())
        .or(
            () ->
                parse(agent.memoryNodes())
                    .flatMap(
                        nodes ->
                            disagreement(
                                "memory of NUMA nodes " + agent.memoryNodes(),
                                nodes,
                                agent.kernelMemoryNodes(),
                                evidence.own().memoryNodes())));
  }

  /** A kubelet that gives other memory to a container that runs does not set its cpuset.mems. */
  private static boolean isRemote(ExclusiveContainer agent) {
    return parse(agent.memoryNodes())
        .flatMap(nodes -> parse(agent.kernelMemoryNodes()).map(kernel -> !kernel.intersects(nodes)))
        .orElse(false);
  }

  private Optional<Verdict> disagreement(
      String what, CpuSet given, String kernel, String executor) {
    if (differs(kernel, given)) {
      return Optional.of(
          disagree(ExecutorReason.KERNEL_DISAGREES, what, "the kernel lets it use " + kernel));
    }
    return differs(executor, given)
        ? Optional.of(
            disagree(ExecutorReason.EXECUTOR_DISAGREES, what, "it was started with " + executor))
        : Optional.empty();
  }

  private Verdict disagree(ExecutorReason reason, String given, String but) {
    return no(
        reason,
        "%s has given it %s, but %s%s".formatted(giver(), given, but, again()),
        numaNode(parse(evidence.agent().orElseThrow().cpus())));
  }

  private static boolean differs(String list, CpuSet given) {
    return list != null && !parse(list).equals(Optional.of(given));
  }

  private static Verdict notReadable(String list) {
    return Verdict.unknown(
        ExecutorReason.NOT_READABLE, "its CPUs '" + list + "' are not a Linux list such as 0-3,8");
  }

  private Verdict judge(CpuSet cpus) {
    Optional<NumaNode> home = home(cpus);
    Optional<Integer> numaNode = home.map(NumaNode::id);
    if (cpus.size() != expectedCpus) {
      return evidence.agent().isPresent()
          ? no(
              ExecutorReason.OTHER_NUMBER_OF_CPUS,
              "%s has given it %d CPUs (%s), and the application requested %d; something changes its pods when they"
                      .formatted(giver(), cpus.size(), cpus, expectedCpus)
                  + " are created (kubectl get mutatingwebhookconfigurations)",
              numaNode)
          : shared(Optional.of(cpus));
    }
    if (home.isEmpty()) {
      return no(
          ExecutorReason.SPANS_NUMA_NODES,
          "its CPUs "
              + cpus
              + " are on several NUMA nodes"
              + remedy("; set topologyManagerPolicy: single-numa-node on the kubelet"),
          numaNode);
    }
    if (evidence.others().stream().anyMatch(cpus::intersects)) {
      return no(
          is(PinOutcome.EARLIER_LAYOUT)
              ? ExecutorReason.EARLIER_LAYOUT
              : ExecutorReason.CPUS_NOT_EXCLUSIVE,
          "another container may run on some of its CPUs "
              + cpus
              + (machine.isPinnedByRuntime()
                  ? "; see status.exclusive of the node's SparkNodeTopology"
                      + (is(PinOutcome.EARLIER_LAYOUT)
                          ? ": it has the CPUs of an earlier layout; delete its pod, and Spark replaces it"
                          : again())
                  : "; compare the kubelet's cpu_manager_state"),
          numaNode);
    }
    if (!hasWholeCores(cpus, home.get())) {
      return no(
          ExecutorReason.PARTIAL_CORES,
          "its CPUs "
              + cpus
              + " are not whole cores"
              + remedy("; set the kubelet's CPU manager option full-pcpus-only"),
          numaNode);
    }
    return judgeMemory(home.get());
  }

  /** In the shared pool; empty if nobody says which CPUs that has. */
  private Verdict shared(Optional<CpuSet> pool) {
    Diagnosis cause = sharedPoolCause.get();
    String found =
        pool.map(cpus -> "it may run on %d CPUs (%s) instead of ".formatted(cpus.size(), cpus))
            .orElse("it has not got ");
    return new Verdict(
        Pinned.False,
        cause.reason(),
        found
            + expectedCpus
            + " of its own: "
            + (machine.isPinnedByRuntime()
                ? "it shares CPUs with other containers; "
                : "the kubelet keeps it in the shared pool; ")
            + cause.message(),
        numaNode(pool));
  }

  private static boolean hasWholeCores(CpuSet cpus, NumaNode home) {
    return home.cores().stream()
        .allMatch(core -> cpus.containsAll(core.threads()) || !cpus.intersects(core.threads()));
  }

  private Verdict judgeMemory(NumaNode home) {
    Optional<Integer> numaNode = Optional.of(home.id());
    String memoryNodes = String.valueOf(evidence.memoryNodes());
    if (memoryNodes.equals(String.valueOf(home.id()))
        || machine.topology().numaNodes().size() == 1
        || isLocal(machine.pinnedBy())) {
      ExecutorReason reason =
          is(PinOutcome.PINNED_LATE) ? ExecutorReason.PINNED_LATE : ExecutorReason.PINNED;
      return new Verdict(Pinned.True, reason.displayName(), "", numaNode);
    }
    if (is(PinOutcome.PINNED_LATE)) {
      return no(
          ExecutorReason.PINNED_LATE,
          "it started on shared CPUs, and got CPUs of its own on NUMA node %d later: its memory is not bound, because the kernel would have"
                  .formatted(home.id())
              + " to move it, and its JVM sized its pools before; delete its pod, and Spark replaces it by one that is bound",
          numaNode);
    }
    String remedy =
        remedy(
            machine.kubelet().memoryManagerPolicy() == MemoryManagerPolicy.STATIC
                ? "; compare the kubelet's memory_manager_state"
                : "; set memoryManagerPolicy: Static on the kubelet");
    return no(
        ExecutorReason.MEMORY_SPANS_NUMA_NODES,
        "its CPUs are on NUMA node "
            + home.id()
            + " but it may take memory from "
            + memoryNodes
            + remedy,
        numaNode);
  }

  /** Memory of other NUMA nodes is then allowed, and comes when the own has none left. */
  private static boolean isLocal(PinnedBy pinnedBy) {
    return pinnedBy instanceof PinnedBy.Runtime runtime
        && runtime.memory() == PinnedBy.Memory.LOCAL;
  }

  private String giver() {
    return machine.isPinnedByRuntime() ? "the container runtime" : "the kubelet";
  }

  private boolean is(PinOutcome outcome) {
    return evidence.outcome().equals(Optional.of(outcome));
  }

  /** No setting of the kubelet changes what the runtime gives. */
  private String remedy(String ofKubelet) {
    return machine.isPinnedByRuntime()
        ? "; another program may have changed them" + again()
        : ofKubelet;
  }

  private String again() {
    return machine.isPinnedByRuntime()
        ? "; delete its pod, and read the log of the node's pinner if the next one is like this"
        : "; delete its pod, and restart the kubelet if the next one is like this";
  }

  private static Verdict no(ExecutorReason reason, String message, Optional<Integer> numaNode) {
    return new Verdict(Pinned.False, reason.displayName(), message, numaNode);
  }

  private Optional<NumaNode> home(CpuSet cpus) {
    return machine.topology().numaNodes().stream()
        .filter(node -> node.cpus().containsAll(cpus))
        .findFirst();
  }

  private Optional<Integer> numaNode(Optional<CpuSet> cpus) {
    return cpus.flatMap(this::home).map(NumaNode::id);
  }

  /** Empty if nobody gave a list, or it is none. */
  public static Optional<CpuSet> parse(String list) {
    try {
      return Optional.ofNullable(list).map(CpuSet::parse);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
