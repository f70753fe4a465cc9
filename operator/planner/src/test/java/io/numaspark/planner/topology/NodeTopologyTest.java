package io.numaspark.planner.topology;

import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.planner.fixture.Topologies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeTopologyTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dualSocketHt       | 2 sockets, 2 NUMA nodes, 16 cores, 2 threads a core, 256 GiB",
        "labVm              | 2 sockets, 2 NUMA nodes, 8 cores, 2 threads a core, 10 GiB",
        "dualSocketSubNuma4 | 2 sockets, 8 NUMA nodes, 48 cores, 2 threads a core, 1024 GiB",
        "powerSmt8          | 2 sockets, 2 NUMA nodes, 24 cores, 8 threads a core, 256 GiB",
        "singleSocketNoSmt  | 1 socket, 1 NUMA node, 8 cores, 1 thread a core, 128 GiB",
        "withMemoryNode     | 2 sockets, 3 NUMA nodes, 16 cores, 2 threads a core, 512 GiB"
      })
  void describesItselfInOneLine(String name, String description) {
    assertThat(Topologies.all().get(name).describe()).isEqualTo(description);
  }

  @Test
  void numbersSiblingsBothWaysOfLinux() {
    assertThat(Topologies.labVm().numaNodes().get(1).cores().get(0).threads()).hasToString("8-9");
    assertThat(Topologies.dualSocketHt().numaNodes().get(1).cores().get(0).threads())
        .hasToString("8,24");
  }

  @Test
  void dividesThreadsByCoresLikeTheKubeletEvenWhereThatIsWrong() {
    NodeTopology topology = Topologies.oneSiblingOffline();
    assertThat(topology.cpus().size()).isEqualTo(15);
    assertThat(topology.threadsPerCore()).isEqualTo(1);
    assertThat(topology.isUniform()).isFalse();
    assertThat(Topologies.powerSmt8().isUniform()).isTrue();
  }

  @Test
  void isEqualHoweverItWasListed() {
    List<NumaNode> nodes = Topologies.dualSocketHt().numaNodes();
    NumaNode first = nodes.get(0);
    NumaNode shuffled =
        new NumaNode(
            first.id(),
            first.socket(),
            first.memoryBytes(),
            first.hugepageBytes(),
            first.distances(),
            reversed(first.cores()),
            first.caches());
    assertThat(new NodeTopology(List.of(nodes.get(1), shuffled)))
        .isEqualTo(Topologies.dualSocketHt());
  }

  @Test
  void aCoreIsNamedAfterItsLowestThread() {
    assertThat(new Core(CpuSet.of(19, 3)).id()).isEqualTo(3);
    assertThatThrownBy(() -> new Core(CpuSet.EMPTY))
        .hasMessage("a core needs at least one online thread");
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatThrownBy(() -> topology(node(0, "0"), node(0, "1")))
        .hasMessage("NUMA node 0 appears twice");
    assertThatThrownBy(() -> topology(node(0, "0,4", "1,5"), node(1, "2,5")))
        .hasMessage("CPUs 5 of core 2 in NUMA node 1 already belong to another core");
    assertThatThrownBy(() -> topology(cached("0-1", "0-2")))
        .hasMessage("cache 0-2 has CPUs outside of its NUMA node 0 (0-1)");
    assertThatThrownBy(() -> topology(node(0))).hasMessage("no NUMA node has a core");
    assertThatThrownBy(() -> topology()).hasMessage("no NUMA node has a core");
  }

  @Test
  void takesIdsThatTheKubeletCannot() {
    // They are a finding of the plan: refusing them here would hide the machine altogether.
    assertThat(topology(node(0, "0"), node(252)).numaNodes()).hasSize(2);
  }

  private static <T> List<T> reversed(List<T> list) {
    List<T> copy = new ArrayList<>(list);
    Collections.reverse(copy);
    return copy;
  }

  private static NodeTopology topology(NumaNode... nodes) {
    return new NodeTopology(List.of(nodes));
  }

  private static NumaNode node(int id, String... cores) {
    return new NumaNode(id, 0, GIB, 0, List.of(), cores(cores), List.of());
  }

  private static NumaNode cached(String core, String cache) {
    return new NumaNode(0, 0, GIB, 0, List.of(), cores(core), List.of(CpuSet.parse(cache)));
  }

  private static List<Core> cores(String... cores) {
    return List.of(cores).stream().map(CpuSet::parse).map(Core::new).toList();
  }
}
