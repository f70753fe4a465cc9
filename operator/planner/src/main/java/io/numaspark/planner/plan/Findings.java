package io.numaspark.planner.plan;

import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.topology.Hardware;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.PinnedBy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What is wrong with a machine before any executor is placed: the kubelet's settings, its
 * reservations and the topology.
 *
 * <p>Limit: it judges what the SparkNodeTopology says; whether the node still is so is the node
 * agent's business.
 */
public final class Findings {
  /**
   * A CPU that goes while the kubelet runs leaves it with the old topology, and its state files
   * keep it from starting again (cpumanager/policy_static.go: validateState).
   */
  private static final String SWITCH_SMT_OFF =
      "run numaspark smt NODE --to off, which drains the node, stops the kubelet, switches, takes the siblings out of"
          + " reservedSystemCPUs, deletes the kubelet's state files and starts it again; never switch single CPUs off."
          + " Or set spec.smt.mode to Isolated or Shared";

  private final List<Finding> found = new ArrayList<>();

  private Findings() {}

  /** The findings of a machine, whatever profile it has. */
  public static List<Finding> of(Machine machine) {
    Findings findings = new Findings();
    if (machine.pinnedBy() instanceof PinnedBy.Runtime runtime) {
      RuntimeFindings.add(runtime, findings);
      TopologyFindings.add(machine, findings);
      return List.copyOf(findings.found);
    }
    StartFindings.add(machine, findings);
    KubeletFindings.add(machine, findings);
    OptionFindings.add(machine, findings);
    ReservationFindings.add(machine, findings);
    MemoryFindings.add(machine, findings);
    TopologyFindings.add(machine, findings);
    return List.copyOf(findings.found);
  }

  /**
   * Advice on the hardware of nodes, whatever profile they have.
   *
   * @param known what is known of these nodes beside their topology
   */
  public static List<Finding> advice(Collection<Hardware> known) {
    Findings findings = new Findings();
    HardwareFindings.add(known, findings);
    return List.copyOf(findings.found);
  }

  /** The findings of a machine that a profile wants to use. */
  public static List<Finding> of(Machine machine, ShapePolicy policy) {
    List<Finding> all = new ArrayList<>(of(machine));
    int threads = machine.topology().threadsPerCore();
    if (policy.smt() == SmtMode.DISABLED && threads > 1) {
      all.add(
          new Finding(
              Severity.ERROR,
              Reason.SMT_NOT_DISABLED,
              "the profile says spec.smt.mode: Disabled, but cores have " + threads + " threads",
              SWITCH_SMT_OFF));
    }
    return List.copyOf(all);
  }

  /** Whether something was found for that reason so far. */
  boolean has(Reason reason) {
    return found.stream().anyMatch(finding -> finding.reason() == reason);
  }

  void error(Reason reason, String message, String remedy) {
    found.add(new Finding(Severity.ERROR, reason, message, remedy));
  }

  void warning(Reason reason, String message, String remedy) {
    found.add(new Finding(Severity.WARNING, reason, message, remedy));
  }

  void info(Reason reason, String message, String remedy) {
    found.add(new Finding(Severity.INFO, reason, message, remedy));
  }
}
