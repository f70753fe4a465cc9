package io.numaspark.planner.sysfs;

import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees as kernels, firmware, copies and accidents make them. */
class BrokenTreeTest {
  private static final String CPU = "sys/devices/system/cpu/";
  private static final String NODE = "sys/devices/system/node/";

  /** Texts that such files have had, or that break a parser. */
  private static final List<String> TEXTS =
      List.of(
          "",
          "\0\0",
          "-1",
          "0",
          "1",
          "0-3",
          "3-0",
          "0,4",
          "99999999999999999999",
          "9223372036854775807",
          "2147483648",
          "0-8191",
          "8192",
          "off",
          "Node 0 MemTotal: 999999999999999 kB",
          "Node 0 MemTotal: -5 kB",
          "MemTotal: 12 kB\r\n",
          "10 20",
          "10\t\t",
          "NaN",
          "a: b\nvendor_id : \nflags :",
          "cpu : POWER\nplatform : pSeries",
          "\uFFFD\u0000\uFEFF",
          "Unified",
          "x".repeat(10_000));

  @TempDir Path root;

  /** Whatever is wrong, it is read or refused with the file named; the same each time. */
  @ParameterizedTest
  @ValueSource(
      strings = {"guest-without-cache", "kernel-without-numa", "power8-smt-off", "small-smt"})
  void nothingButAnIoExceptionThatNamesAFile(String name) throws IOException {
    if (name.equals("small-smt")) {
      FakeRoot.of(root, Topologies.labVm());
      Files.createDirectories(root.resolve("sys/firmware/dmi/tables"));
      Files.write(root.resolve("sys/firmware/dmi/tables/DMI"), new byte[] {17, 4, 0, 0, 0, 0});
    } else {
      CapturedTree.named(name).unpack(root);
    }
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(root)) {
      all.filter(Files::isRegularFile).sorted().forEach(files::add);
    }
    Random random = new Random(5);
    int refused = 0;
    for (int round = 0; round < 400; round++) {
      List<Path> broken = new ArrayList<>();
      List<byte[]> before = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        Path file = files.get(random.nextInt(files.size()));
        if (!broken.contains(file)) {
          broken.add(file);
          before.add(Files.readAllBytes(file));
          breakFile(file, random);
        }
      }
      refused += refuses() ? 1 : 0;
      for (int i = 0; i < broken.size(); i++) {
        if (Files.isDirectory(broken.get(i))) {
          Files.delete(broken.get(i));
        }
        Files.write(broken.get(i), before.get(i));
      }
    }
    assertThat(refuses()).as("the tree itself").isFalse();
    assertThat(refused).isBetween(20, 399);
  }

  private static void breakFile(Path file, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (random.nextInt(6)) {
      case 0 -> Files.delete(file);
      case 1 -> {
        Files.delete(file);
        Files.createDirectory(file);
      }
      case 2 -> {
        random.nextBytes(bytes);
        Files.write(file, bytes);
      }
      case 3 -> Files.write(file, java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
      case 4 -> {
        if (bytes.length > 0) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        Files.write(file, bytes);
      }
      default -> Files.writeString(file, TEXTS.get(random.nextInt(TEXTS.size())));
    }
  }

  private boolean refuses() {
    try {
      NodeReading reading = SysfsTopologyReader.read(root);
      assertThat(reading.topology().cores()).isNotEmpty();
      return false;
    } catch (IOException e) {
      assertThat(e.getMessage()).contains(root.toString()).contains("; ");
      return true;
    }
  }

  @Test
  void lineEndsAndZeroBytesOfACopyDoNotMatter() throws IOException {
    NodeTopology topology =
        FakeRoot.of(root, Topologies.labVm())
            .write(CPU + "online", "0-15\r\n\0\0")
            .write(NODE + "node0/cpulist", "0-7\r")
            .write(NODE + "node0/meminfo", "Node 0 MemTotal:  8388608 kB\r\nNode 0 MemFree: 1 kB\r")
            .write(CPU + "cpu0/topology/physical_package_id", "0\0")
            .read()
            .topology();
    assertThat(topology.numaNodes().get(0).memoryBytes()).isEqualTo(8 * GIB);
    assertThat(topology.cpus()).hasToString("0-15");
  }

  @Test
  void foldersOfNumaNodesThatAreNotThereAreLeftOut() throws IOException {
    FakeRoot fake = FakeRoot.of(root, Topologies.labVm());
    Files.createDirectories(root.resolve(NODE + "node2"));
    Files.createDirectories(root.resolve(NODE + "node99999999999"));
    assertThat(fake.read().topology()).isEqualTo(Topologies.labVm());
  }

  @Test
  void onlyEmptyFoldersAreAKernelWithoutNuma() throws IOException {
    FakeRoot fake =
        FakeRoot.of(root, Topologies.singleSocketNoSmt())
            .remove(NODE + "node0")
            .write("proc/meminfo", "MemTotal: 8388608 kB");
    Files.createDirectories(root.resolve(NODE + "node0"));
    assertThat(fake.read().topology().describe())
        .isEqualTo("1 socket, 1 NUMA node, 8 cores, 1 thread a core, 8 GiB");
  }

  @Test
  void cachesThatTellNothingAreUnknown() throws IOException {
    FakeRoot fake = FakeRoot.of(root, Topologies.labVm());
    for (int cpu = 0; cpu < 16; cpu++) {
      fake.remove(CPU + "cpu" + cpu + "/cache/index2/shared_cpu_list")
          .remove(CPU + "cpu" + cpu + "/cache/index3/level");
    }
    assertThat(fake.read().topology().numaNodes()).allMatch(node -> node.caches().isEmpty());
  }

  @Test
  void withoutDistancesMemoryAloneIsOfTheFirstSocket() throws IOException {
    FakeRoot fake = FakeRoot.of(root, Topologies.withMemoryNode(2));
    for (int node = 0; node < 3; node++) {
      fake.write(NODE + "node" + node + "/distance", "");
    }
    assertThat(fake.read().topology().numaNodes().get(2))
        .satisfies(
            node -> {
              assertThat(node.socket()).isZero();
              assertThat(node.distances()).isEmpty();
            });
  }

  @Test
  void strangeNumbersOfSocketsAreCounted() throws IOException {
    // ACPI PPTT offsets, as Arm firmware gives them.
    FakeRoot fake = FakeRoot.of(root, Topologies.dualSocketHt());
    for (int cpu = 0; cpu < 32; cpu++) {
      fake.write(CPU + "cpu" + cpu + "/topology/physical_package_id", cpu % 16 < 8 ? "36" : "8256");
    }
    assertThat(fake.read().topology().numaNodes())
        .extracting(NumaNode::socket)
        .containsExactly(0, 1);
  }

  @Test
  void cpusThatCouldBePluggedAreNotOffline() throws IOException {
    FakeRoot fake =
        FakeRoot.of(root, Topologies.labVm())
            .write(CPU + "possible", "0-255")
            .write(CPU + "present", "0-17");
    assertThat(fake.read().offlineCpus()).hasToString("16-17");
  }

  @Test
  void withoutAListTheCpusWithATopologyAreOnline() throws IOException {
    FakeRoot fake =
        FakeRoot.of(root, Topologies.labVm())
            .remove(CPU + "online")
            .write(CPU + "cpu5/online", "1")
            .write(CPU + "cpu6/online", "0")
            .remove(CPU + "cpu7/topology");
    assertThat(fake.read().topology().cpus()).hasToString("0-5,8-15");
  }

  @Test
  void withoutAnyCpuTheListIsNamed() {
    FakeRoot fake =
        FakeRoot.of(root, Topologies.labVm()).remove(CPU.substring(0, CPU.length() - 1));
    assertThatThrownBy(fake::read)
        .hasMessageStartingWith(root.resolve(CPU + "online") + " does not exist;");
  }

  /** As kernels before 2.6.26 write it. */
  @Test
  void masksStandInPlaceOfLists() throws IOException {
    FakeRoot fake =
        FakeRoot.of(root, Topologies.labVm())
            .remove(NODE + "node0/cpulist")
            .write(NODE + "node0/cpumap", "00000000,000000ff")
            .remove(NODE + "node1/cpulist")
            .write(NODE + "node1/cpumap", "ff00");
    for (int cpu = 0; cpu < 16; cpu++) {
      String mask = Integer.toHexString(3 << cpu / 2 * 2);
      fake.remove(CPU + "cpu" + cpu + "/topology/thread_siblings_list")
          .write(CPU + "cpu" + cpu + "/topology/thread_siblings", mask)
          .remove(CPU + "cpu" + cpu + "/cache/index3/shared_cpu_list")
          .write(CPU + "cpu" + cpu + "/cache/index3/shared_cpu_map", cpu < 8 ? "ff" : "ff00");
    }
    assertThat(fake.read().topology()).isEqualTo(Topologies.labVm());
  }

  @Test
  void cpusOfAnOfflineNumaNodeAreLeftOut() throws IOException {
    NodeReading reading = FakeRoot.of(root, Topologies.labVm()).remove(NODE + "node0").read();
    assertThat(reading.topology().cpus()).hasToString("8-15");
    assertThat(reading.unplacedCpus()).hasToString("0-7");
  }

  @Test
  void aNumaNodeMayHaveNoCpusInItsList() throws IOException {
    NodeTopology topology =
        FakeRoot.of(root, Topologies.labVm())
            .write(NODE + "node2/cpulist", "")
            .write(NODE + "node2/meminfo", "Node 2 MemTotal: 1024 kB")
            .read()
            .topology();
    assertThat(topology.numaNodes().get(2).cores()).isEmpty();
    assertThat(topology.numaNodes().get(2).memoryBytes()).isEqualTo(1L << 20);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        NODE + "node0/meminfo | Node 0 MemTotal: 99999999999999999999 kB | a line MemTotal in kB",
        NODE + "node0/hugepages/hugepages-2048kB/nr_hugepages | -1 | a number of huge pages",
        NODE
            + "node0/hugepages/hugepages-2048kB/nr_hugepages | 9223372036854775807 | a number of huge pages",
        CPU + "cpu0/topology/physical_package_id | 2147483648 | the number of a socket",
        NODE + "node0/distance | 10 99999999999 | distances such as 10 21",
        CPU + "cpu0/cache/index2/level | two | a whole number",
        CPU + "present | many | a CPU list such as 0-3,8",
        NODE + "node1/distance | 21 ten | distances such as 10 21",
      })
  void numbersThatNoMachineHasAreRefused(String file, String text, String expected) {
    FakeRoot fake = FakeRoot.of(root, Topologies.labVm()).write(file, text);
    assertThatThrownBy(fake::read)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("%s should hold %s;", root.resolve(file), expected);
  }

  @Test
  void aFolderInPlaceOfAFileIsNamed() throws IOException {
    FakeRoot fake = FakeRoot.of(root, Topologies.labVm()).remove(CPU + "online");
    Files.createDirectories(root.resolve(CPU + "online"));
    assertThatThrownBy(fake::read)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(root.resolve(CPU + "online") + " cannot be read")
        .hasMessageContaining("is not a regular file");
  }

  @Test
  void bytesThatAreNoTextAreNamed() throws IOException {
    FakeRoot fake = FakeRoot.of(root, Topologies.labVm());
    Files.write(root.resolve(CPU + "online"), "0-\u00e4".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(fake::read)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(root.resolve(CPU + "online") + " should hold a CPU list");
  }
}
