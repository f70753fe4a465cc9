package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.Policies.between;
import static io.numaspark.planner.fixture.Policies.exactly;
import static io.numaspark.planner.fixture.Policies.preferring;
import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.NamedMachines;
import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.plan.Explanation.Compromise;
import io.numaspark.planner.plan.Explanation.Considered;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NodeTopology;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationTest {

  @Test
  void theChosenShapeComesFirstAndEveryOtherHasLostForAReason() {
    for (NamedMachines.NamedMachine named : NamedMachines.all()) {
      List<NodeClass> classes = List.of(new NodeClass("a", 1, named.machine()));
      Plan plan = (Plan) LayoutPlanner.plan(classes, between(1, 12));
      List<Considered> candidates = Explanation.of(plan, between(1, 12)).candidates();
      assertThat(candidates.get(0).candidate().shape()).isEqualTo(plan.shape());
      assertThat(candidates.get(0).lost()).isEmpty();
      assertThat(candidates).as(named.name()).hasSizeGreaterThan(3);
      assertThat(candidates.subList(1, candidates.size()))
          .allSatisfy(considered -> assertThat(considered.lost()).isNotBlank());
      assertThat(plan.runnersUp())
          .isEqualTo(candidates.stream().skip(1).limit(3).map(Considered::candidate).toList());
    }
  }

  @Test
  void oneNodeWithLittleMemoryIsWeighedAgainstAllSlots() {
    // A byte of each is reserved.
    NodeTopology even = TopologyBuilder.sockets(2).cores(8).memoryBytes(66 * GIB + 1).build();
    NodeTopology poor = TopologyBuilder.sockets(2).cores(8).memoryBytes(8 * GIB + 1).build();
    Machine machine =
        machine(new NodeTopology(List.of(poor.numaNodes().get(0), even.numaNodes().get(1))))
            .reserving("15")
            .build();
    Plan plan = Plans.plan(machine, exactly(4));
    // 3 slots of 4 GiB use 12 GiB; 1 slot of 33 GiB is worth more: 1 x 1 x 33 < 3 x 3 x 4 = 36.
    List<Considered> candidates = Explanation.of(plan, exactly(4)).candidates();
    assertThat(plan.totalSlots()).isEqualTo(3);
    assertThat(candidates).hasSize(1);

    Machine richer =
        machine(new NodeTopology(List.of(poor.numaNodes().get(0), even.numaNodes().get(1))))
            .reserving("7")
            .build();
    Plan other = Plans.plan(richer, exactly(4));
    // 1 + 2 slots of 8 GiB are 72, 0 + 2 of 33 GiB are 132.
    assertThat(other.layouts().get(0).numaNodes())
        .extracting(numaNode -> numaNode.slots().size())
        .containsExactly(0, 2);
    assertThat(other.layouts().get(0).numaNodes().get(0).limitedBy())
        .isEqualTo("an executor needs 33792 MiB and 8192 MiB are left, with 7 of 7 cores free");
    assertThat(Explanation.of(other, exactly(4)).candidates())
        .extracting(Considered::lost)
        .containsExactly(
            "",
            "every slot that the cores allow would leave 24576 MiB of memory used instead of 67584 MiB");
  }

  @Test
  void aClassThatWouldHaveAnotherShapeAloneIsNamedWithItsCost() {
    Machine fours = machine(TopologyBuilder.sockets(2).cores(8).build()).reserving("0-7").build();
    Machine fives = machine(TopologyBuilder.sockets(2).cores(10).build()).reserving("0-9").build();
    List<NodeClass> classes = List.of(new NodeClass("a", 10, fours), new NodeClass("b", 1, fives));
    Explanation explanation =
        Explanation.of(LayoutPlanner.plan(classes, between(4, 5)), between(4, 5));
    assertThat(explanation.compromises())
        .filteredOn(compromise -> compromise.nodeClass().name().equals("b"))
        .singleElement()
        .satisfies(
            compromise -> {
              assertThat(compromise.own().cpus().cores()).isEqualTo(5);
              assertThat(compromise)
                  .extracting(
                      Compromise::slots,
                      Compromise::cpus,
                      Compromise::ownSlots,
                      Compromise::ownCpus)
                  .containsExactly(2, 8, 2, 10);
            });
  }

  @Test
  void onlyOneUsableClassIsNoCompromise() {
    Machine usable = machine(Topologies.dualSocketHt()).reserving("0,16").build();
    Machine unusable =
        machine(Topologies.labVm()).reserving("0-1").with(CpuManagerPolicy.NONE).build();
    List<NodeClass> classes =
        List.of(new NodeClass("a", 1, usable), new NodeClass("b", 1, unusable));
    assertThat(
            Explanation.of(LayoutPlanner.plan(classes, between(2, 6)), between(2, 6)).compromises())
        .isEmpty();
  }

  @Test
  void againstThePreferredSizeEveryOtherLoses() {
    Machine machine = machine(Topologies.dualSocketHt()).reserving("0,16").build();
    ShapePolicy policy = preferring(5, 2, 3);
    assertThat(Explanation.of(Plans.plan(machine, policy), policy).candidates())
        .extracting(c -> c.candidate().shape().cpus().cores() + ": " + c.lost())
        .containsExactly("5: ", "2: 5 cores are preferred", "3: 5 cores are preferred");
  }

  @Test
  void aShortfallExplainsItself() {
    Machine machine = machine(Topologies.labVm()).reserving("0-15").build();
    assertThat(Explanation.of(Plans.shortfall(machine, between(2, 6)), between(2, 6)))
        .isEqualTo(new Explanation(List.of(), List.of(), List.of()));
  }
}
