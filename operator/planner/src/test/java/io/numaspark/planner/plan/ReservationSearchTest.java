package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.Policies.exactly;
import static io.numaspark.planner.plan.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.NamedMachines;
import io.numaspark.planner.fixture.Policies;
import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.topology.CpuReservation;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReservationSearchTest {

  @ParameterizedTest(name = "{0} reserved, {1} cores: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        // Two lone threads spoil two cores; as one core they spoil one.
        "0-1  | 7 | with 0,16 reserved instead of 0-1, a node holds 2 executors instead of 1",
        "0,8  | 4 | with 0,16 reserved instead of 0,8, a node holds 3 executors instead of 2",
        // Seven free cores on each socket hold one executor of 6; all reserved on one, both hold...
        // none better.
        "0,16 | 6 | ''",
        // Three reserved cores on one socket hurt less as one and two: 7 and 6 free cores, or 5 and
        // 8.
        "0-2,16-18 | 4 | ''",
        // On both sockets, each too small for a whole executor; on one socket the other is whole.
        "0,8,16,24 | 8 | 'with 0-1,16-17 reserved instead of 0,8,16,24, a node holds 1 executor instead of 0'",
      })
  void findsTheBestPlaceForAsManyReservedCpus(String reserved, int cores, String text) {
    Optional<ReservationAdvice> advice =
        search(machine(Topologies.dualSocketHt()).reserving(reserved), cores).better();
    assertThat(advice.map(ReservationAdvice::text).orElse("")).isEqualTo(text);
  }

  @Test
  void aCoreOfEachNumaNodeIsFreeIfItWouldBeStrandedAnyway() {
    ReservationSearch search = search(machine(Topologies.dualSocketHt()).reserving("0,16"), 3);
    assertThat(search.better()).isEmpty();
    assertThat(search.oneCoreEverywhere())
        .map(ReservationAdvice::text)
        .contains(
            "with 0,8,16,24 reserved instead of 0,16, the system has 4 CPUs of a node instead of 2,"
                + " and no executor is lost");
    assertThat(search(machine(Topologies.dualSocketHt()).reserving("0,16"), 4).oneCoreEverywhere())
        .as("the second socket needs all of its 8 cores")
        .isEmpty();
  }

  @Test
  void adviceHoldsWhenItIsFollowed() {
    for (NamedMachines.NamedMachine named : NamedMachines.all()) {
      for (int cores = 1; cores <= 12; cores++) {
        Machine machine = named.machine();
        PlanResult result =
            LayoutPlanner.plan(List.of(new NodeClass("a", 1, machine)), exactly(cores));
        if (result instanceof PlanResult.Plan plan) {
          new ReservationSearch(
                  new NodeClass("a", 1, machine), plan.shape(), exactly(cores), LayoutPlanner.NODE)
              .better()
              .ifPresent(
                  advice -> {
                    Layout now = plan.layouts().get(0);
                    assertThat(advice.slotsBefore()).isEqualTo(now.slots().size());
                    assertThat(
                            LayoutPlanner.NODE.slots(
                                reserving(machine, advice.after()),
                                plan.shape().cpus().cpus(),
                                Policies.memory().leastPodBytes(plan.shape().memory())))
                        .hasSize(advice.slotsAfter());
                    assertThat(advice.after().size())
                        .as("as many CPUs for the system")
                        .isGreaterThanOrEqualTo(machine.reservedCpus().size());
                  });
        }
      }
    }
  }

  @Test
  void itIsAFindingOfThePlan() {
    Machine machine = NamedMachines.machine("epyc-2x96-nps4");
    assertThat(plan(machine, exactly(4)).layouts().get(0).findings())
        .filteredOn(finding -> finding.reason() == Reason.BETTER_RESERVATION)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Finding.Severity.INFO);
              assertThat(finding.message())
                  .isEqualTo(
                      "with 23,215 reserved instead of 0,192, 0 instead of 2 of the 47 executors of a node straddle"
                          + " last-level caches");
              assertThat(finding.remedy()).startsWith("set reservedSystemCPUs: \"23,215\"");
            });
  }

  private static ReservationSearch search(MachineBuilder builder, int cores) {
    Machine machine = builder.build();
    return new ReservationSearch(
        new NodeClass("a", 1, machine),
        plan(machineForShape(), exactly(cores)).shape(),
        exactly(cores),
        LayoutPlanner.NODE);
  }

  /** A machine on which every size fits, for a shape with little memory. */
  private static Machine machineForShape() {
    return machine(TopologyBuilder.sockets(1).cores(64).threads(2).build())
        .reserving("0,64")
        .build();
  }

  private static Machine reserving(Machine machine, CpuSet reserved) {
    KubeletSettings kubelet = machine.kubelet();
    return new Machine(
        machine.topology(),
        new KubeletSettings(
            new KubeletSettings.CpuManager(
                kubelet.cpuManager().policy(),
                kubelet.cpuManager().options(),
                new CpuReservation.Explicit(reserved)),
            kubelet.topologyManager(),
            kubelet.memoryManager(),
            kubelet.featureGates()));
  }
}
