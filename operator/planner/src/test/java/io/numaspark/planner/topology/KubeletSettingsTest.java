package io.numaspark.planner.topology;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.fixture.TopologyBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class KubeletSettingsTest {

  @Test
  void policiesAreReadInTheSpellingTheyAreWrittenIn() {
    for (CpuManagerPolicy policy : CpuManagerPolicy.values()) {
      assertThat(CpuManagerPolicy.parse(policy.kubeletName())).isEqualTo(policy);
    }
    for (TopologyManagerPolicy policy : TopologyManagerPolicy.values()) {
      assertThat(TopologyManagerPolicy.parse(policy.kubeletName())).isEqualTo(policy);
    }
    for (TopologyManagerScope scope : TopologyManagerScope.values()) {
      assertThat(TopologyManagerScope.parse(scope.kubeletName())).isEqualTo(scope);
    }
    for (MemoryManagerPolicy policy : MemoryManagerPolicy.values()) {
      assertThat(MemoryManagerPolicy.parse(policy.kubeletName())).isEqualTo(policy);
    }
    assertThat(TopologyManagerPolicy.SINGLE_NUMA_NODE.kubeletName()).isEqualTo("single-numa-node");
    assertThat(MemoryManagerPolicy.STATIC.kubeletName()).isEqualTo("Static");
  }

  @Test
  void anUnknownPolicyIsAnsweredWithTheKnownOnes() {
    assertThatThrownBy(() -> CpuManagerPolicy.parse("Static"))
        .hasMessage("cpuManagerPolicy 'Static' is not one of none, static");
    assertThatThrownBy(() -> TopologyManagerPolicy.parse("numa"))
        .hasMessageContaining("none, best-effort, restricted, single-numa-node");
    assertThatThrownBy(() -> TopologyManagerScope.parse("")).hasMessageContaining("container, pod");
    assertThatThrownBy(() -> MemoryManagerPolicy.parse("static"))
        .hasMessageContaining("None, Static");
  }

  @Test
  void machinesOfEqualHardwareAndSettingsAreOneClass() {
    Machine one = machine(Topologies.labVm()).reserving("0-1").reservingMemory(1).build();
    Machine other = machine(Topologies.labVm()).reserving("0,1").reservingMemory(1).build();
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one).isNotEqualTo(machine(Topologies.labVm()).reserving("2-3").build());
  }

  @Test
  void aFewMebibytesOfMemoryDoNotMakeAnotherClass() {
    NodeTopology more = TopologyBuilder.sockets(2).memoryBytes((128L << 30) + (3 << 20)).build();
    NodeTopology less = TopologyBuilder.sockets(2).memoryBytes((128L << 30) + 4096).build();
    assertThat(machine(more).reserving("0").build().ofNodeClass())
        .isEqualTo(machine(less).reserving("0").build().ofNodeClass());
    assertThat(machine(more).build().ofNodeClass().topology().memoryBytes()).isEqualTo(256L << 30);
    NodeTopology tiny = TopologyBuilder.sockets(1).memoryBytes(1000).build();
    assertThat(machine(tiny).build().ofNodeClass().topology().memoryBytes()).isEqualTo(1000);
  }

  @Test
  void allocatableMemoryIsWhatIsNeitherReservedNorInHugePages() {
    NodeTopology topology =
        new NodeTopology(
            List.of(
                new NumaNode(
                    3,
                    0,
                    1000,
                    300,
                    List.of(),
                    TopologyBuilder.sockets(1).build().cores(),
                    List.of())));
    Machine machine = machine(topology).reservingMemory(50).build();
    assertThat(machine.allocatableMemoryBytes(topology.numaNodes().get(0))).isEqualTo(650);
    Machine greedy = machine(topology).reservingMemory(5000).build();
    assertThat(greedy.allocatableMemoryBytes(topology.numaNodes().get(0))).isZero();
  }
}
