package io.numaspark.planner.sysfs;

import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SysfsTopologyReaderTest {
  private static final String CPU = "sys/devices/system/cpu/";
  private static final String NODE = "sys/devices/system/node/";

  @TempDir Path root;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dualSocketHt",
        "labVm",
        "dualSocketSubNuma4",
        "powerSmt8",
        "singleSocketNoSmt",
        "oneSiblingOffline",
        "withMemoryNode"
      })
  void readsBackEveryNamedTopology(String name) throws IOException {
    NodeTopology topology = Topologies.all().get(name);
    assertThat(FakeRoot.of(root, topology).read().topology()).isEqualTo(topology);
  }

  @Test
  void skipsCpusThatAreOffline() throws IOException {
    // The kernel removes the topology of an offline CPU; lists of its siblings may still name it.
    NodeTopology topology =
        FakeRoot.of(root, Topologies.dualSocketHt())
            .write(CPU + "online", "0-23,25-31")
            .remove(CPU + "cpu24/topology")
            .read()
            .topology();
    NumaNode second = topology.numaNodes().get(1);
    assertThat(second.cpus()).hasToString("8-15,25-31");
    assertThat(second.cores().get(0).threads()).hasToString("8");
    assertThat(second.caches()).hasToString("[8-15,25-31]");
    assertThat(topology.isUniform()).isFalse();
  }

  @Test
  void prefersTheNewerNameOfTheSiblingList() throws IOException {
    FakeRoot fake = FakeRoot.of(root, Topologies.singleSocketNoSmt());
    for (int cpu = 0; cpu < 8; cpu++) {
      fake.write(CPU + "cpu" + cpu + "/topology/core_cpus_list", cpu < 4 ? "0-3" : "4-7");
    }
    assertThat(fake.read().topology().cores()).extracting(Core::threads).hasToString("[0-3, 4-7]");
  }

  @Test
  void cutsACacheOfTheSocketToTheNumaNode() throws IOException {
    FakeRoot fake = FakeRoot.of(root, Topologies.dualSocketSubNuma4());
    for (int cpu = 0; cpu < 96; cpu++) {
      String socket = cpu % 48 < 24 ? "0-23,48-71" : "24-47,72-95";
      fake.write(CPU + "cpu" + cpu + "/cache/index3/shared_cpu_list", socket);
    }
    assertThat(fake.read().topology()).isEqualTo(Topologies.dualSocketSubNuma4());
  }

  @Test
  void withoutALevelThreeTheHighestUnifiedCacheCounts() throws IOException {
    FakeRoot fake = FakeRoot.of(root, Topologies.singleSocketNoSmt());
    for (int cpu = 0; cpu < 8; cpu++) {
      fake.remove(CPU + "cpu" + cpu + "/cache/index3")
          .write(CPU + "cpu" + cpu + "/cache/index2/shared_cpu_list", cpu < 4 ? "0-3" : "4-7");
    }
    assertThat(fake.read().topology().numaNodes().get(0).caches()).hasToString("[0-3, 4-7]");
  }

  @Test
  void knowsNoCachesWhereTheMachineTellsNone() throws IOException {
    FakeRoot fake = FakeRoot.of(root, Topologies.labVm());
    for (int cpu = 0; cpu < 16; cpu++) {
      fake.remove(CPU + "cpu" + cpu + "/cache");
    }
    assertThat(fake.read().topology().numaNodes()).allMatch(node -> node.caches().isEmpty());
  }

  @Test
  void countsHugePagesOfAllSizes() throws IOException {
    NodeTopology topology =
        FakeRoot.of(root, Topologies.labVm())
            .write(NODE + "node1/hugepages/hugepages-2048kB/nr_hugepages", "512")
            .write(NODE + "node1/hugepages/hugepages-1048576kB/nr_hugepages", "2")
            .read()
            .topology();
    assertThat(topology.numaNodes())
        .extracting(NumaNode::hugepageBytes)
        .containsExactly(0L, 3 * GIB);
  }

  @Test
  void aKernelWithoutNumaIsOneNumaNode() throws IOException {
    NodeTopology topology =
        FakeRoot.of(root, Topologies.singleSocketNoSmt())
            .remove(NODE.substring(0, NODE.length() - 1))
            .write("proc/meminfo", "MemTotal:        8388608 kB\nMemFree:  1 kB")
            .write("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "4")
            .read()
            .topology();
    NumaNode only = topology.numaNodes().get(0);
    assertThat(topology.describe())
        .isEqualTo("1 socket, 1 NUMA node, 8 cores, 1 thread a core, 8 GiB");
    assertThat(only.hugepageBytes()).isEqualTo(8L << 20);
    assertThat(only.distances()).isEqualTo(List.of(10));
  }

  @Test
  void anUnknownPackageIsSocketZero() throws IOException {
    NodeTopology topology =
        FakeRoot.of(root, Topologies.singleSocketNoSmt())
            .write(CPU + "cpu0/topology/physical_package_id", "-1")
            .read()
            .topology();
    assertThat(topology.numaNodes().get(0).socket()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "vendor_id : AuthenticAMD/cpu family : 25/model : 17 | AuthenticAMD | 25 | 17",
        "processor : 0/CPU implementer : 0x41/CPU architecture: 8/CPU part : 0xd0c"
            + " | 0x41 | 8 | 3340",
        "CPU implementer : 0x41/CPU architecture: AArch64 | 0x41 | 0 | 0",
        "processor : 0/cpu : POWER9 (raw), altivec supported | POWER9 | 0 | 0",
        "cpu : POWER8E (raw)/revision : 2.1 | POWER8E | 0 | 0",
        "processor : 0 | unknown | 0 | 0",
      })
  void readsTheProcessorOfEachArchitecture(String lines, String vendor, int family, int model)
      throws IOException {
    CpuIdentity cpu =
        FakeRoot.of(root, Topologies.singleSocketNoSmt())
            .write("proc/cpuinfo", lines.replace('/', '\n'))
            .read()
            .cpu();
    assertThat(cpu).isEqualTo(new CpuIdentity(vendor, family, model, cpu.name(), "on"));
  }

  @Test
  void theFirstProcessorSpeaksForAll() throws IOException {
    FakeRoot fake = FakeRoot.of(root, Topologies.labVm()).remove(CPU + "smt");
    assertThat(fake.read().cpu())
        .isEqualTo(new CpuIdentity("GenuineIntel", 6, 62, Optional.of("Xeon"), "notimplemented"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        NODE + "node1/cpulist",
        NODE + "node1/meminfo",
        CPU + "cpu0/topology/thread_siblings_list",
        CPU + "cpu0/topology/physical_package_id",
        "proc/cpuinfo"
      })
  void namesTheFileThatIsMissing(String file) {
    FakeRoot fake = FakeRoot.of(root, Topologies.labVm()).remove(file);
    assertThatThrownBy(fake::read)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(root.resolve(file) + " does not exist; point the reader at");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        CPU + "online | zero | a CPU list such as 0-3,8",
        NODE + "node0/cpulist | 7-0 | a CPU list such as 0-3,8",
        NODE + "node0/meminfo | Node 0 MemFree: 1 kB | a line MemTotal in kB",
        NODE + "node0/distance | near far | distances such as 10 21",
        CPU + "cpu0/topology/physical_package_id | one | a whole number",
        CPU + "cpu0/topology/thread_siblings_list | 1 | the CPU itself too",
      })
  void namesTheFileThatItDoesNotUnderstand(String file, String text, String expected) {
    FakeRoot fake = FakeRoot.of(root, Topologies.labVm()).write(file, text);
    assertThatThrownBy(fake::read)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("%s should hold %s;", root.resolve(file), expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        NODE + "node1/cpulist | 0-7 | no CPU of another NUMA node (0-7)",
        CPU + "cpu2/topology/thread_siblings_list | 1-2 | no CPU of another core (1)",
      })
  void namesTheFileThatContradictsOthers(String file, String text, String expected) {
    FakeRoot fake = FakeRoot.of(root, Topologies.labVm()).write(file, text);
    assertThatThrownBy(fake::read)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(root.resolve("sys/devices/system").toString())
        .hasMessageContaining(" should hold " + expected);
  }
}
