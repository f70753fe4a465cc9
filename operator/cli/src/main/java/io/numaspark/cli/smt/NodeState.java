package io.numaspark.cli.smt;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.CpuModel;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.planner.topology.CpuSet;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What node and agent say of SMT.
 *
 * @param control the kernel's word for the state
 * @param cpus those that the agent sees
 * @param cores how many the agent sees
 * @param reserved reservedSystemCPUs as the agent has read it
 * @param capacity CPUs as the kubelet counts them
 * @param isReady whether the node is Ready
 * @param isKubeletRead whether the agent could read the kubelet's settings
 * @param heartbeat of the agent
 */
record NodeState(
    String control,
    CpuSet cpus,
    int cores,
    CpuSet reserved,
    int capacity,
    boolean isReady,
    boolean isKubeletRead,
    Optional<Instant> heartbeat) {

  /** An agent writes at least every five minutes. */
  private static final Duration SILENT_AFTER = Duration.ofMinutes(15);

  static NodeState of(Node node, SparkNodeTopology topology) {
    List<CpuSet> cores =
        topology.getSpec().numaNodes().stream()
            .flatMap(numa -> Objects.requireNonNullElse(numa.cores(), List.<String>of()).stream())
            .map(CpuSet::parse)
            .toList();
    CpuModel cpu = topology.getSpec().cpu();
    String reserved =
        topology.getSpec().kubelet() == null ? null : topology.getSpec().kubelet().reservedCpus();
    return new NodeState(
        cpu == null || cpu.smtControl() == null ? "unknown" : cpu.smtControl(),
        CpuSet.unionOf(cores),
        cores.size(),
        reserved == null || reserved.isBlank() ? CpuSet.EMPTY : CpuSet.parse(reserved),
        capacity(node),
        isReady(node),
        isKubeletRead(topology.getStatus()),
        heartbeat(topology.getStatus()));
  }

  private static int capacity(Node node) {
    Map<String, Quantity> capacity =
        node.getStatus() == null ? null : node.getStatus().getCapacity();
    Quantity cpu = capacity == null ? null : capacity.get("cpu");
    return cpu == null ? 0 : cpu.getNumericalAmount().intValue();
  }

  private static boolean isReady(Node node) {
    return node.getStatus() != null
        && node.getStatus().getConditions() != null
        && node.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("Ready") && condition.getStatus().equals("True"));
  }

  private static boolean isKubeletRead(SparkNodeTopologyStatus status) {
    return status != null
        && status.conditions() != null
        && status.conditions().stream()
            .anyMatch(
                condition ->
                    condition.type().equals("TopologyRead") && condition.status().equals("True"));
  }

  private static Optional<Instant> heartbeat(SparkNodeTopologyStatus status) {
    try {
      return status == null || status.heartbeat() == null
          ? Optional.empty()
          : Optional.of(Instant.parse(status.heartbeat()));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Whether the kernel has SMT as wanted, and kubelet and agent agree about the CPUs. */
  boolean is(SmtTarget target) {
    return control.equals(target.word()) && capacity == cpus.size() && isReady;
  }

  boolean isSilent(Instant now) {
    return heartbeat.isEmpty() || heartbeat.get().isBefore(now.minus(SILENT_AFTER));
  }

  /** Why SMT cannot be switched here; empty if it can. */
  Optional<String> refusal() {
    return switch (control) {
      case "on", "off" -> Optional.empty();
      case "forceoff" ->
          Optional.of(
              "the kernel was started with nosmt=force, or the firmware has switched SMT off; change that, and start the node again");
      case "notsupported" ->
          Optional.of("its cores have one thread, or the firmware has switched SMT off");
      case "notimplemented" ->
          Optional.of(
              "its kernel has no such switch; boot it with nosmt, or on POWER use ppc64_cpu");
      default ->
          Optional.of(
              "its kernel says \"" + control + "\" of SMT; only on and off can be switched");
    };
  }

  /** What is not yet as the program on the node has reported; empty if all is. */
  Optional<String> difference(SmtTarget target, HostReport report) {
    if (!isReady) {
      return Optional.of("the node is not Ready");
    }
    if (capacity != report.cpus()) {
      return Optional.of(
          "the kubelet counts %d CPUs, and %d are online".formatted(capacity, report.cpus()));
    }
    if (!control.equals(target.word())
        || cpus.size() != report.cpus()
        || !report.online().isEmpty() && !cpus.equals(report.online())) {
      return Optional.of(
          "the agent reports SMT %s and CPUs %s, and %d are online"
              .formatted(control, cpus, report.cpus()));
    }
    if (isKubeletRead && !report.reserved().isEmpty() && !reserved.equals(report.reserved())) {
      return Optional.of(
          "the agent reports reservedSystemCPUs %s, and %s were written"
              .formatted(reserved, report.reserved()));
    }
    return Optional.empty();
  }
}
