package io.numaspark.planner.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.planner.topology.Machine;
import java.util.List;
import java.util.stream.Collectors;

/** Plans of single machines, and layouts as short text. */
final class Plans {
  private Plans() {}

  static Plan plan(Machine machine, ShapePolicy policy) {
    return plan(List.of(new NodeClass("a", 1, machine)), policy);
  }

  static Plan plan(List<NodeClass> classes, ShapePolicy policy) {
    PlanResult result = LayoutPlanner.plan(classes, policy);
    assertThat(result).isInstanceOf(Plan.class);
    return (Plan) result;
  }

  static Shortfall shortfall(Machine machine, ShapePolicy policy) {
    return shortfall(List.of(new NodeClass("a", 1, machine)), policy);
  }

  static Shortfall shortfall(List<NodeClass> classes, ShapePolicy policy) {
    PlanResult result = LayoutPlanner.plan(classes, policy);
    assertThat(result).isInstanceOf(Shortfall.class);
    return (Shortfall) result;
  }

  /** One line a NUMA node: {@code 0: 1-3,17-19 4-6,20-22 | reserved 0,16 | stranded 7,23}. */
  static String text(Layout layout) {
    return layout.numaNodes().stream().map(Plans::text).collect(Collectors.joining("\n"));
  }

  private static String text(NumaLayout numaNode) {
    String slots =
        numaNode.slots().stream().map(slot -> " " + slot.cpus()).collect(Collectors.joining());
    return numaNode.numaNode()
        + ":"
        + slots
        + (numaNode.reservedCpus().isEmpty() ? "" : " | reserved " + numaNode.reservedCpus())
        + (numaNode.strandedCpus().isEmpty() ? "" : " | stranded " + numaNode.strandedCpus());
  }
}
