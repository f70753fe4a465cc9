package io.numaspark.planner.plan;

import io.numaspark.planner.topology.CpuSet;
import java.util.ArrayList;
import java.util.List;

/**
 * The slots of one node of a class, and what was found about it; with an error finding there are
 * none.
 */
public record Layout(NodeClass nodeClass, List<NumaLayout> numaNodes, List<Finding> findings) {
  public Layout {
    numaNodes = List.copyOf(numaNodes);
    findings = List.copyOf(findings);
  }

  /** The same layout with another finding. */
  Layout with(Finding finding) {
    List<Finding> all = new ArrayList<>(findings);
    all.add(finding);
    return new Layout(nodeClass, numaNodes, all);
  }

  /** All slots of one node in the order in which the kubelet fills them. */
  public List<Slot> slots() {
    return numaNodes.stream().flatMap(numaNode -> numaNode.slots().stream()).toList();
  }

  /** CPUs of one node that no slot can use. */
  public CpuSet strandedCpus() {
    return CpuSet.unionOf(numaNodes.stream().map(NumaLayout::strandedCpus).toList());
  }

  /** Allocatable memory of one node that no slot takes, in bytes. */
  public long strandedMemoryBytes() {
    return numaNodes.stream().mapToLong(NumaLayout::strandedMemoryBytes).sum();
  }

  public boolean isUsable() {
    return findings.stream().noneMatch(finding -> finding.severity() == Finding.Severity.ERROR);
  }
}
