package io.numaspark.render.profile;

import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.topology;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.CpuReservation;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyTranslatorTest {
  @Test
  void everyFieldIsTaken() {
    Machine machine =
        TopologyTranslator.machine(
            topology(
                    """
                    {numaNodes: [{id: 0, socket: 0, memory: 10737418240, hugepages: {2Mi: 512, 1Gi: 1},
                                  distances: [10, 21], cores: ['1,3', '0,2'], caches: ['0-3']},
                                 {id: 8, socket: 1, memory: 1024, distances: [21, 10], cores: []}],
                     kubelet: {cpuManagerPolicy: static,
                               cpuManagerPolicyOptions: {full-pcpus-only: 'true', align-by-socket: 'false'},
                               topologyManagerPolicy: restricted, topologyManagerScope: pod,
                               memoryManagerPolicy: Static, reservedCpus: '0,2', reservedMemory: {'0': 1048576}}}
                    """)
                .getSpec());
    assertThat(machine.topology().numaNodes()).hasSize(2);
    assertThat(machine.topology().numaNodes().get(0).cores().get(0).threads())
        .isEqualTo(CpuSet.parse("0,2"));
    assertThat(machine.topology().numaNodes().get(0).hugepageBytes()).isEqualTo(2L << 30);
    assertThat(machine.topology().numaNodes().get(1).id()).isEqualTo(8);
    assertThat(machine.kubelet())
        .isEqualTo(
            new KubeletSettings(
                new KubeletSettings.CpuManager(
                    CpuManagerPolicy.STATIC,
                    new TreeMap<>(Map.of("full-pcpus-only", "true", "align-by-socket", "false")),
                    new CpuReservation.Explicit(CpuSet.parse("0,2"))),
                new KubeletSettings.TopologyManager(
                    TopologyManagerPolicy.RESTRICTED, TopologyManagerScope.POD, new TreeMap<>()),
                new KubeletSettings.MemoryManager(
                    MemoryManagerPolicy.STATIC,
                    new TreeMap<>(Map.of(0, 1048576L)),
                    new TreeMap<>()),
                new TreeMap<>()));
  }

  @Test
  void anAbsentKubeletHasTheKubeletsOwnDefaults() {
    assertThat(
            TopologyTranslator.machine(
                    topology("{numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0']}]}")
                        .getSpec())
                .kubelet())
        .isEqualTo(
            new KubeletSettings(
                new KubeletSettings.CpuManager(
                    CpuManagerPolicy.NONE, new TreeMap<>(), new CpuReservation.None()),
                new KubeletSettings.TopologyManager(
                    TopologyManagerPolicy.NONE, TopologyManagerScope.CONTAINER, new TreeMap<>()),
                new KubeletSettings.MemoryManager(
                    MemoryManagerPolicy.NONE, new TreeMap<>(), new TreeMap<>()),
                new TreeMap<>()));
  }

  @ParameterizedTest
  @CsvSource({"0, None", "1, Counted", "16, Counted"})
  void aNumberOfReservedCpusIsLeftToTheKubelet(int count, String kind) {
    assertThat(
            TopologyTranslator.machine(node("a", 4, "{reservedCpuCount: " + count + "}").getSpec())
                .kubelet()
                .reservedCpus()
                .getClass()
                .getSimpleName())
        .isEqualTo(kind);
  }

  @Test
  void equalTopologiesAreEqualMachines() {
    assertThat(TopologyTranslator.machine(node("a", 4).getSpec()))
        .isEqualTo(TopologyTranslator.machine(node("b", 4).getSpec()))
        .hasSameHashCodeAs(TopologyTranslator.machine(node("b", 4).getSpec()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {numaNodes: [{socket: 0, memory: 1, cores: ['0']}]}            | spec.numaNodes[0].id: Required value
          {numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['3-1']}]}   | spec.numaNodes[id=0].cores: '3-1' in '3-1' runs backwards
          {numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['99999']}]} | spec.numaNodes[id=0].cores: '99999' in '99999' is not a CPU id
          {numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0'], caches: ['0-1']}]}  | spec.numaNodes: cache 0-1 has CPUs outside
          {numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0,1', '1,2']}]}          | spec.numaNodes: CPUs 1 of core 1 in NUMA node 0 already belong
          {numaNodes: [{id: 0, socket: 0, memory: 1, cores: []}]}                      | spec.numaNodes: no NUMA node has a core
          {numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0'], hugepages: {2Mi: -1}}]}      | spec.numaNodes[id=0].hugepages: -1 is negative
          {numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0'], hugepages: {large: 1}}]}     | spec.numaNodes[id=0].hugepages: 'large' is not a page size
          {numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0']}, {id: 0, socket: 0, memory: 1, cores: ['1']}]} | spec.numaNodes: each NUMA node id may appear only once
          """)
  void badNumaNodesAreNamed(String spec, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TopologyTranslator.machine(topology(spec).getSpec()))
        .withMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {reservedMemory: {zero: 1}}                    | spec.kubelet.reservedMemory: 'zero' is not a NUMA node id
          {reservedMemory: {'0': -1}}                    | spec.kubelet.reservedMemory[0]: -1 is negative
          """)
  void badKubeletSettingsAreNamed(String kubelet, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TopologyTranslator.machine(node("a", 4, kubelet).getSpec()))
        .withMessageStartingWith(message);
  }
}
