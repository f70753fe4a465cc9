package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.ExecutorShapeStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.FindingStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.NodeClassStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.NodeCounts;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.NumaNodeStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinnedBy;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.SlotCounts;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.UnusableNode;
import io.numaspark.controller.slots.SlotCount;
import io.numaspark.planner.jvm.JvmOptions;
import io.numaspark.planner.jvm.Workload;
import io.numaspark.planner.plan.ExecutorShape;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.NumaLayout;
import io.numaspark.planner.plan.PlanResult;
import io.numaspark.planner.plan.PlanResult.Candidate;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import io.numaspark.render.profile.ShapeEvidence;
import io.numaspark.render.profile.TemplatePlan;
import io.numaspark.render.profile.WhatIf;
import io.numaspark.render.proof.Diagnosis;
import io.numaspark.render.text.MemorySize;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The status of a profile but for what {@link KnobReport} adds; it does not grow with the number of
 * nodes.
 */
public final class ProfileStatusAssembler {
  static final String SLOTS_WITHHELD = "SlotsWithheld";
  private static final int NAMED_UNUSABLE_NODES = 20;
  private static final int NODE_CLASSES = 20;

  private ProfileStatusAssembler() {}

  /**
   * Status of a profile whose nodes were planned.
   *
   * @param counted the slots of those nodes that were counted by now
   */
  public static SparkNodeProfileStatus planned(
      SparkNodeProfile profile,
      int matchedNodes,
      ProfilePlan plan,
      List<Unusable> unusable,
      List<SlotCount> counted,
      Instant now) {
    int usable = plan.slotsByNode().size();
    int slots = plan.slotsByNode().values().stream().mapToInt(Integer::intValue).sum();
    return new SparkNodeProfileStatus(
        profile.getMetadata().getGeneration(),
        new NodeCounts(matchedNodes, usable, matchedNodes - usable),
        new SlotCounts(
            slots,
            counted.stream().mapToInt(SlotCount::lost).sum(),
            counted.stream().mapToInt(SlotCount::withheldSlots).sum(),
            ApiGroup.slotResource(profile.getMetadata().getName())),
        shown(plan).map(found -> executor(profile, plan, found)).orElse(null),
        plan.result().layouts().stream()
            .limit(NODE_CLASSES)
            .map(layout -> nodeClass(layout, plan.whatIf()))
            .toList(),
        plan.whatIf().ways().isEmpty() ? null : plan.whatIf().ways(),
        unusable.stream()
            .limit(NAMED_UNUSABLE_NODES)
            .map(node -> new UnusableNode(node.node(), node.reason(), node.message()))
            .toList(),
        WithheldStatus.write(counted, profile.getStatus(), plan.slotsByNode().keySet(), now),
        null,
        null,
        plan.templates()
            .map(templates -> onTemplates(profile, matchedNodes, plan, templates, unusable, now))
            .orElseGet(
                () ->
                    conditions(
                        profile, matchedNodes, plan.result(), unusable, slots, counted, now)));
  }

  /** The plan whose shape is shown: that of applications, or one that found no room. */
  private static Optional<Plan> shown(ProfilePlan plan) {
    return plan.forApplications()
        .or(() -> plan.result() instanceof Plan found ? Optional.of(found) : Optional.empty());
  }

  /** Status of a profile that contradicts itself. */
  public static SparkNodeProfileStatus invalid(
      SparkNodeProfile profile, String message, Instant now) {
    List<Condition> conditions =
        new Conditions(before(profile), profile.getMetadata().getGeneration(), now)
            .add("Ready", Conditions.FALSE, ProfileReason.INVALID_SPEC, message)
            .add("Planned", Conditions.FALSE, ProfileReason.INVALID_SPEC, message)
            .addProgress(Progress.STUCK)
            .build();
    return SparkNodeProfileStatus.of(profile.getMetadata().getGeneration(), conditions);
  }

  private static List<Condition> conditions(
      SparkNodeProfile profile,
      int matchedNodes,
      PlanResult result,
      List<Unusable> unusable,
      int slots,
      List<SlotCount> counted,
      Instant now) {
    Conditions conditions =
        new Conditions(before(profile), profile.getMetadata().getGeneration(), now);
    if (matchedNodes == 0) {
      String message =
          "spec.nodeSelector matches no node; correct it, or label the nodes (kubectl get nodes --show-labels)";
      return conditions
          .add("Ready", Conditions.FALSE, ProfileReason.NO_MATCHING_NODE, message)
          .add("Planned", Conditions.FALSE, ProfileReason.NO_MATCHING_NODE, message)
          .addProgress(Progress.CONTINUES)
          .build();
    }
    if (result instanceof Shortfall shortfall) {
      Diagnosis why = withoutUsableNode(matchedNodes, shortfall, unusable);
      return conditions
          .add("Ready", Conditions.FALSE, why)
          .add("Planned", Conditions.FALSE, why)
          .addProgress(Progress.CONTINUES)
          .build();
    }
    Plan plan = (Plan) result;
    String nodes =
        unusable.isEmpty()
            ? ""
            : "; " + unusable.size() + " of " + matchedNodes + " nodes cannot be used";
    return conditions
        .add(
            "Ready",
            slots > 0 ? Conditions.TRUE : Conditions.FALSE,
            slots > 0 ? ProfileReason.SLOTS_PUBLISHED : ProfileReason.NO_SLOT,
            slots + " executor slots" + nodes)
        .add("Planned", Conditions.TRUE, ProfileReason.SHAPE_FOUND, plan.why())
        .add(
            SLOTS_WITHHELD,
            WithheldStatus.isAny(counted) ? Conditions.TRUE : Conditions.FALSE,
            WithheldStatus.diagnosis(counted))
        .addProgress(Progress.CONTINUES)
        .build();
  }

  /** A single unusable node says more than "no usable node". */
  private static Diagnosis withoutUsableNode(
      int matchedNodes, Shortfall shortfall, List<Unusable> unusable) {
    return unusable.isEmpty()
        ? Diagnosis.passedOn(
            shortfall.reason().displayName(), shortfall.message() + "; " + shortfall.remedy())
        : Diagnosis.passedOn(
            unusable.get(0).reason(),
            "no usable node of "
                + matchedNodes
                + "; node "
                + unusable.get(0).node()
                + ": "
                + unusable.get(0).message());
  }

  /** No node has slots: Ready says why, Planned what applications have nevertheless. */
  private static List<Condition> onTemplates(
      SparkNodeProfile profile,
      int matchedNodes,
      ProfilePlan plan,
      TemplatePlan templates,
      List<Unusable> unusable,
      Instant now) {
    Diagnosis planned =
        templates.usable().isPresent()
            ? new Diagnosis(ProfileReason.PLANNED_ON_TEMPLATES, templates.describe())
            : new Diagnosis(ProfileReason.TEMPLATE_UNUSABLE, templates.problems());
    return new Conditions(before(profile), profile.getMetadata().getGeneration(), now)
        .add("Ready", Conditions.FALSE, withoutSlots(matchedNodes, plan, planned, unusable))
        .add(
            "Planned", templates.usable().isPresent() ? Conditions.TRUE : Conditions.FALSE, planned)
        // Nodes may come and make up for templates that cannot be used.
        .addProgress(
            matchedNodes > 0 || templates.usable().isPresent()
                ? Progress.CONTINUES
                : Progress.STUCK)
        .build();
  }

  /** Nodes that exist come before templates: what is wrong with them is to be repaired. */
  private static Diagnosis withoutSlots(
      int matchedNodes, ProfilePlan plan, Diagnosis planned, List<Unusable> unusable) {
    if (matchedNodes > 0) {
      return plan.result() instanceof Shortfall shortfall
          ? withoutUsableNode(matchedNodes, shortfall, unusable)
          : new Diagnosis(ProfileReason.NO_SLOT, "0 executor slots on " + matchedNodes + " nodes");
    }
    return plan.forApplications().isPresent()
        ? new Diagnosis(
            ProfileReason.NO_NODE_YET,
            "0 executor slots: spec.nodeSelector matches no node yet; applications start, and their executors wait until an"
                + " autoscaler adds a node")
        : planned;
  }

  private static List<Condition> before(SparkNodeProfile profile) {
    return profile.getStatus() == null ? null : profile.getStatus().conditions();
  }

  private static ExecutorShapeStatus executor(
      SparkNodeProfile profile, ProfilePlan profilePlan, Plan plan) {
    ExecutorShape shape = plan.shape();
    return new ExecutorShapeStatus(
        shape.cpus().cores(),
        shape.cpus().cpus(),
        shape.cpus().taskSlots(),
        MemorySize.toQuantity(shape.memory().heapBytes()),
        MemorySize.toQuantity(shape.memory().overheadBytes()),
        MemorySize.toQuantity(shape.memory().pageCacheBytes()),
        MemorySize.toQuantity(shape.memory().podBytes()),
        JvmOptions.of(profilePlan.policy().jvm(), shape.memory(), shape.cpus(), Workload.GENERAL),
        plan.why(),
        ShapeEvidence.of(profile, shape.cpus().cores()),
        plan.runnersUp().stream().map(ProfileStatusAssembler::runnerUp).toList());
  }

  private static String runnerUp(Candidate candidate) {
    return "%d cores, heap %s: %d slots, %d CPUs and %s stranded"
        .formatted(
            candidate.shape().cpus().cores(),
            MemorySize.toQuantity(candidate.shape().memory().heapBytes()),
            candidate.slots(),
            candidate.strandedCpus(),
            MemorySize.toQuantity(candidate.strandedMemoryBytes()));
  }

  private static NodeClassStatus nodeClass(Layout layout, WhatIf.Comparison whatIf) {
    Machine machine = layout.nodeClass().machine();
    return new NodeClassStatus(
        layout.nodeClass().name(),
        layout.nodeClass().nodes(),
        machine.topology().describe(),
        machine.topology().cpus().size(),
        machine.isPinnedByRuntime() ? PinnedBy.Runtime : PinnedBy.Kubelet,
        layout.slots().size(),
        whatIf.lacking(layout),
        layout.numaNodes().stream().map(ProfileStatusAssembler::numaNode).toList(),
        layout.strandedCpus().toString(),
        MemorySize.toQuantity(layout.strandedMemoryBytes()),
        layout.findings().stream()
            .map(
                finding ->
                    new FindingStatus(
                        finding.severity().displayName(),
                        finding.reason().displayName(),
                        finding.message(),
                        finding.remedy()))
            .toList());
  }

  private static NumaNodeStatus numaNode(NumaLayout numaNode) {
    return new NumaNodeStatus(
        numaNode.numaNode(),
        numaNode.slots().stream().map(slot -> slot.cpus().toString()).toList(),
        numaNode.reservedCpus().toString(),
        numaNode.limitedBy());
  }
}
