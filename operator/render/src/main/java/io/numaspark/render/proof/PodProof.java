package io.numaspark.render.proof;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.pins.PinOutcome;
import io.numaspark.render.proof.AgentReports.ExecutorReport;
import io.numaspark.render.proof.AgentReports.Reported;
import io.numaspark.render.proof.AgentReports.Unreported;
import io.numaspark.render.proof.PinningJudge.Evidence;
import io.numaspark.render.proof.PinningJudge.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * Whether a container that reports nothing itself is pinned, as its node's agent sees it: its entry
 * point is not numaspark's.
 *
 * <p>Limit: on a node without an agent that reports, nothing is known.
 */
public final class PodProof {
  private final AgentReports agents;
  private final SharedPoolCause sharedPoolCause = new SharedPoolCause();

  /**
   * A proof from reports.
   *
   * @param agents what the nodes' agents say
   */
  public PodProof(AgentReports agents) {
    this.agents = agents;
  }

  /**
   * What is known.
   *
   * @param evidence that the verdict rests on
   */
  public record Proof(Verdict verdict, Evidence evidence) {}

  /**
   * What is known of a container of a pod that runs.
   *
   * @param machine of its node; empty if its NUMA nodes are not known
   */
  public Proof of(Pod pod, Container container, Optional<Machine> machine) {
    ExecutorReport report = agents.of(pod, container.getName());
    if (!(report instanceof Reported told)) {
      return unknown(
          ExecutorReason.NOT_REPORTED_BY_AGENT,
          report instanceof Unreported silent
              ? silent.why()
              : "what agents report has not been read yet");
    }
    if (machine.isEmpty()) {
      return unknown(
          ExecutorReason.NO_TOPOLOGY,
          "node %s is not in the profile's plan, so its NUMA nodes are not known"
              .formatted(pod.getSpec().getNodeName()));
    }
    Optional<PinOutcome> outcome = agents.pinOutcome(pod);
    Evidence evidence = Evidence.ofAgent(Placement.UNREPORTED, told, outcome);
    Verdict verdict =
        new PinningJudge(
                evidence,
                SlotRequest.cpus(container),
                machine.get(),
                () -> sharedPoolCause.of(pod, machine.get(), outcome))
            .judge();
    return new Proof(verdict, evidence);
  }

  private static Proof unknown(ExecutorReason reason, String why) {
    return new Proof(
        Verdict.unknown(reason, why), Evidence.ofExecutor(Placement.UNREPORTED, List.of()));
  }
}
