package io.numaspark.planner.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.NumaNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the sources of the trees say of the machines, against what is read. */
class CapturedTreeTest {
  private static final List<String> NAMES = CapturedTree.NAMES;

  @TempDir Path root;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ivybridge-smt2            | 2 sockets, 2 NUMA nodes, 24 cores, 2 threads a core, 63 GiB       | 2  | ''
          ivybridge-offline-sibling | 2 sockets, 2 NUMA nodes, 24 cores, 1 thread a core, 63 GiB        | 2  | 24
          ivybridge-smt-off         | 2 sockets, 2 NUMA nodes, 24 cores, 1 thread a core, 63 GiB        | 2  | 24-47
          xeon-snc4                 | 2 sockets, 8 NUMA nodes, 112 cores, 2 threads a core, 248 GiB     | 8  | ''
          epyc-nps1                 | 2 sockets, 2 NUMA nodes, 64 cores, 1 thread a core, 1511 GiB      | 16 | ''
          epyc-nps4                 | 2 sockets, 8 NUMA nodes, 128 cores, 1 thread a core, 248 GiB      | 32 | ''
          ec2-c5a                   | 1 socket, 1 NUMA node, 48 cores, 2 threads a core, 187 GiB        | 12 | ''
          graviton2                 | 1 socket, 1 NUMA node, 64 cores, 1 thread a core, 127 GiB         | 1  | ''
          power8-smt8               | 4 sockets, 4 NUMA nodes, 16 cores, 8 threads a core, 128 GiB      | 16 | ''
          power8-smt-off            | 4 sockets, 4 NUMA nodes, 20 cores, 1 thread a core, 59 GiB        | 20 | 1-7,9-15,17-23,25-31,33-39,41-47,49-55,57-63,65-71,73-79,81-87,89-95,97-103,105-111,113-119,121-127,129-135,137-143,145-151,153-159
          power9-gpu                | 2 sockets, 6 NUMA nodes, 32 cores, 4 threads a core, 376 GiB      | 32 | ''
          cxl-memory                | 2 sockets, 4 NUMA nodes, 104 cores, 2 threads a core, 318 GiB     | 2  | ''
          guest-without-cache       | 1 socket, 1 NUMA node, 4 cores, 1 thread a core, 16 GiB           | 0  | ''
          kernel-without-numa       | 1 socket, 1 NUMA node, 8 cores, 2 threads a core, 63 GiB          | 4  | ''
          """)
  void topology(String name, String description, int caches, String offline) throws IOException {
    NodeReading reading = read(name);
    assertThat(reading.topology().describe()).isEqualTo(description);
    assertThat(reading.topology().numaNodes().stream().mapToInt(node -> node.caches().size()).sum())
        .isEqualTo(caches);
    assertThat(reading.offlineCpus()).hasToString(offline);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          ivybridge-smt2            | x86_64  | 2.6.32                  | -       | DDR3 | 1866 | 1866 | 8
          ivybridge-offline-sibling | x86_64  | 2.6.32                  | -       | DDR3 | 1333 | 1866 | 8
          xeon-snc4                 | x86_64  | 6.1.0                   | -       | DDR5 | 4800 | 4800 | 16
          epyc-nps4                 | x86_64  | 4.18.0-348.el8.x86_64   | -       | DDR4 | 2933 | 3200 | 16
          ec2-c5a                   | x86_64  | 5.4.0-1024-aws          | kvm     | -    | -    | -    | -
          graviton2                 | aarch64 | 6.8.0-1021-aws          | amazon  | -    | -    | -    | -
          power8-smt8               | ppc64le | 4.4.0-38-generic        | -       | -    | -    | -    | -
          power9-gpu                | ppc64le | 4.18.0-193.el8.ppc64le  | -       | -    | -    | -    | -
          guest-without-cache       | x86_64  | 6.1.0-18-amd64          | qemu    | -    | -    | -    | 1
          kernel-without-numa       | x86_64  | 6.6.30                  | -       | -    | -    | -    | -
          """)
  void system(
      String name,
      String architecture,
      String kernel,
      String hypervisor,
      String memoryType,
      Integer configured,
      Integer rated,
      Integer modules)
      throws IOException {
    Optional<MemoryModules> memory =
        Optional.ofNullable(modules)
            .map(
                count ->
                    new MemoryModules(
                        count,
                        Optional.ofNullable(memoryType),
                        Optional.ofNullable(configured),
                        Optional.ofNullable(rated)));
    assertThat(read(name).system())
        .isEqualTo(
            new SystemIdentity(
                Optional.of(architecture),
                Optional.of(kernel),
                Optional.ofNullable(hypervisor),
                memory));
  }

  @Test
  void sparseNumbersOfNumaNodesAreKept() throws IOException {
    assertThat(read("power8-smt8").topology().numaNodes())
        .extracting(NumaNode::id)
        .containsExactly(0, 1, 16, 17);
    assertThat(read("power8-smt8").topology().numaNodes().get(1).cpus()).hasToString("96-127");
  }

  @Test
  void memoryAloneBelongsToTheNearestSocket() throws IOException {
    assertThat(read("cxl-memory").topology().numaNodes())
        .extracting(NumaNode::socket)
        .containsExactly(0, 1, 0, 1);
  }

  @Test
  void ofACoreWithAnOfflineSiblingOneThreadIsLeft() throws IOException {
    assertThat(read("ivybridge-offline-sibling").topology().cores())
        .extracting(Core::threads)
        .first()
        .hasToString("0");
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void saysWhatItIsAndWhereItIsFrom(String name) {
    CapturedTree tree = CapturedTree.named(name);
    assertThat(tree.head("machine")).isNotBlank();
    assertThat(tree.head("source")).isNotBlank();
    assertThat(tree.head("kind")).startsWith("reconstructed");
    assertThat(tree.head("assumed")).isNotBlank();
  }

  /** The script that captures a machine, on a tree in place of a machine. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ivybridge-offline-sibling",
        "power8-smt8",
        "guest-without-cache",
        "kernel-without-numa"
      })
  void whatTheScriptCapturesIsReadTheSame(String name, @TempDir Path copy) throws Exception {
    NodeReading reading = read(name);
    String script = Path.of("capture-node.sh").toAbsolutePath().normalize().toString();
    boolean dmi = Files.exists(root.resolve("sys/firmware/dmi/tables/DMI"));
    List<String> command =
        Stream.of("sh", script, dmi ? "--dmi" : "", root.toString())
            .filter(word -> !word.isEmpty())
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String captured;
    try (InputStream out = process.getInputStream()) {
      captured = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(process.waitFor()).as(captured).isZero();
    CapturedTree.of(name, captured).unpack(copy);
    assertThat(SysfsTopologyReader.read(copy)).isEqualTo(reading);
  }

  @Test
  void hugePagesAreReadPerNumaNode() throws IOException {
    assertThat(read("cxl-memory").topology().numaNodes().get(0).hugepageBytesBySize())
        .isEqualTo(new TreeMap<>(Map.of("2Mi", 2L << 30)));
  }

  private NodeReading read(String name) throws IOException {
    return SysfsTopologyReader.read(CapturedTree.named(name).unpack(root));
  }
}
