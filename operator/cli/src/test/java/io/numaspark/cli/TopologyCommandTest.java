package io.numaspark.cli;

import static io.numaspark.cli.Cli.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.render.kubelet.KubeletConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tree has 2 sockets of 2 cores with 2 adjacent threads each. */
class TopologyCommandTest {
  private static final String KUBELET =
      """
      apiVersion: kubelet.config.k8s.io/v1beta1
      kind: KubeletConfiguration
      cpuManagerPolicy: static
      cpuManagerPolicyOptions: {full-pcpus-only: "true"}
      topologyManagerPolicy: single-numa-node
      topologyManagerScope: pod
      memoryManagerPolicy: Static
      reservedSystemCPUs: "0-1"
      systemReserved: {cpu: 500m}
      reservedMemory:
      - {numaNode: 0, limits: {memory: 256Mi}}
      - {numaNode: 1, limits: {memory: 156Mi}}
      """;

  @TempDir private Path root;

  @BeforeEach
  void writeTree() throws IOException {
    write("proc/cpuinfo", "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 62");
    write("sys/devices/system/cpu/online", "0-7");
    write("sys/devices/system/cpu/smt/control", "on");
    for (int node = 0; node < 2; node++) {
      String folder = "sys/devices/system/node/node" + node;
      write(folder + "/cpulist", 4 * node + "-" + (4 * node + 3));
      write(folder + "/meminfo", "Node " + node + " MemTotal: 8388608 kB");
      write(folder + "/distance", node == 0 ? "10 21" : "21 10");
      write(folder + "/hugepages/hugepages-2048kB/nr_hugepages", node == 0 ? "8" : "0");
    }
    for (int cpu = 0; cpu < 8; cpu++) {
      String folder = "sys/devices/system/cpu/cpu" + cpu;
      write(folder + "/topology/thread_siblings_list", cpu / 2 * 2 + "-" + (cpu / 2 * 2 + 1));
      write(folder + "/topology/physical_package_id", "" + cpu / 4);
    }
  }

  @Test
  void readsTheMachineAndItsKubelet() throws IOException {
    write("var/lib/kubelet/config.yaml", KUBELET);
    Cli cli = Cli.run("topology", "--sysfs", root, "--node", "worker-7");
    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .isEqualTo(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkNodeTopology
            metadata:
              name: worker-7
            spec:
              cpu:
                vendor: GenuineIntel
                family: 6
                model: 62
                smtControl: "on"
              numaNodes:
              - id: 0
                socket: 0
                memory: 8589934592
                hugepages:
                  "2Mi": 8
                distances:
                - 10
                - 21
                cores:
                - 0-1
                - 2-3
              - id: 1
                socket: 1
                memory: 8589934592
                distances:
                - 21
                - 10
                cores:
                - 4-5
                - 6-7
              kubelet:
                cpuManagerPolicy: static
                cpuManagerPolicyOptions:
                  full-pcpus-only: "true"
                topologyManagerPolicy: single-numa-node
                topologyManagerScope: pod
                memoryManagerPolicy: Static
                reservedCpus: 0-1
                reservedMemory:
                  "0": 268435456
                  "1": 163577856
            """);
  }

  @ParameterizedTest
  @CsvSource({"yaml", "json", "YAML"})
  void whatItPrintsIsWhatPlanReads(String format) throws IOException {
    write("etc/kubernetes/kubelet.yaml", KUBELET);
    Cli topology = Cli.run("topology", "--sysfs", root, "--node", "a", "-o", format);
    Path file = write("topology.out.yaml", topology.out());
    Path profile =
        write(
            "profile.yaml",
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkNodeProfile
            metadata: {name: p}
            spec: {nodeSelector: {}, executor: {coresPerExecutor: {min: 1, max: 1}}}
            """);
    Cli plan = Cli.run("plan", "-f", file, "-f", profile);
    assertThat(plan.err()).isEmpty();
    assertThat(plan.exitCode()).isZero();
    assertThat(plan.out()).contains("3 slots").contains("4-5  6-7");
  }

  @Test
  void withoutKubeletConfigurationItWarnsAndGoesOn() {
    Cli cli = Cli.run("topology", "--sysfs", root, "--node", "a");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).contains("kind: SparkNodeTopology").doesNotContain("kubelet");
    assertThat(cli.err())
        .startsWith("numaspark: no kubelet configuration found in var/lib/kubelet/config.yaml")
        .contains("below " + root, "--kubelet-config", "spec.kubelet");
  }

  @Test
  void namedKubeletConfigurationWins() throws IOException {
    write("var/lib/kubelet/config.yaml", KUBELET);
    Path other = write("other.yaml", "kind: KubeletConfiguration\nkubeReserved: {cpu: 1500m}\n");
    Cli cli = Cli.run("topology", "--sysfs", root, "--node", "a", "--kubelet-config", other);
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out()).contains("cpuManagerPolicy: none", "reservedCpuCount: 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kubeReserved: {cpu: 500m}                                  | 1
          kubeReserved: {cpu: 500m}\\nsystemReserved: {cpu: 501m}     | 2
          kubeReserved: {cpu: 1}\\nsystemReserved: {cpu: "1"}         | 2
          systemReserved: {memory: 1Gi}                              | ''
          """)
  void reservedCpusAreCountedAsTheKubeletDoes(String fields, String count) throws IOException {
    Path file = write("k.yaml", "kind: KubeletConfiguration\n" + fields.replace("\\n", "\n"));
    KubeletSpec kubelet = KubeletConfigReader.read(file, Optional.empty());
    assertThat(kubelet.reservedCpuCount())
        .isEqualTo(count.isEmpty() ? null : Integer.valueOf(count));
    assertThat(kubelet.reservedMemory()).isNull();
  }

  @Test
  void reservationsOfOneNumaNodeAreAdded() throws IOException {
    Path file =
        write(
            "k.yaml",
            """
            kind: KubeletConfiguration
            reservedMemory:
            - {numaNode: 0, limits: {memory: 1Gi}}
            - {numaNode: 0, limits: {memory: "1", hugepages-2Mi: 4Mi}}
            """);
    assertThat(KubeletConfigReader.read(file, Optional.empty()).reservedMemory())
        .isEqualTo(Map.of("0", (1L << 30) + 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kind: Pod                                             | is not a KubeletConfiguration; give
          ''                                                    | is not a KubeletConfiguration; give
          kind: [                                               | cannot be read: while parsing
          kind: KubeletConfiguration\\nkubeReserved: {cpu: many} | kubeReserved.cpu: 'many' is not a quantity; correct
          kind: KubeletConfiguration\\nreservedMemory: [{numaNode: 0, limits: {memory: much}}] | reservedMemory: 'much' is not a quantity; correct
          """)
  void badKubeletConfigurationIsNamed(String text, String message) throws IOException {
    Path file = write("k.yaml", text.replace("\\n", "\n"));
    assertRefused(
        Cli.run("topology", "--sysfs", root, "--node", "a", "--kubelet-config", file),
        file + ": " + message);
  }

  @Test
  void dropInsAreMergedAndTold() throws IOException {
    write("var/lib/kubelet/config.yaml", KUBELET);
    String dropIn =
        "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nreservedSystemCPUs: 0-3";
    write("etc/kubernetes/kubelet.conf.d/90.conf", dropIn);
    Cli usual = Cli.run("topology", "--sysfs", root, "--node", "a");
    assertThat(usual.out()).contains("reservedCpus: 0-3");
    assertThat(usual.err())
        .startsWith("numaspark: the drop-ins in " + root.resolve("etc/kubernetes/kubelet.conf.d"));
    write("mine/90.conf", dropIn.replace("0-3", "4-7"));
    Cli named =
        Cli.run(
            "topology",
            "--sysfs",
            root,
            "--node",
            "a",
            "--kubelet-config-dir",
            root.resolve("mine"));
    assertThat(named.out()).contains("reservedCpus: 4-7");
    assertThat(named.err()).isEmpty();
  }

  @Test
  void aMissingFolderOfDropInsIsNamed() throws IOException {
    write("var/lib/kubelet/config.yaml", KUBELET);
    Path folder = root.resolve("missing");
    assertRefused(
        Cli.run("topology", "--sysfs", root, "--node", "a", "--kubelet-config-dir", folder),
        folder + ": there is no such folder; check --kubelet-config-dir");
  }

  @Test
  void offlineCpusAreTold() throws IOException {
    write("var/lib/kubelet/config.yaml", KUBELET);
    write("sys/devices/system/cpu/present", "0-9");
    assertThat(Cli.run("topology", "--sysfs", root, "--node", "a").err())
        .isEqualTo(
            "numaspark: CPUs 8-9 are offline and left out; read the machine again when they are back\n");
  }

  @Test
  void cpusWithoutNumaNodeAreTold() throws IOException {
    write("var/lib/kubelet/config.yaml", KUBELET);
    write("sys/devices/system/node/node1/cpulist", "4-5");
    assertThat(Cli.run("topology", "--sysfs", root, "--node", "a").err())
        .startsWith("numaspark: CPUs 6-7 are in no NUMA node and left out");
  }

  @Test
  void missingKubeletConfigurationIsNamed() {
    Path file = root.resolve("missing.yaml");
    assertRefused(
        Cli.run("topology", "--sysfs", root, "--node", "a", "--kubelet-config", file),
        file + ": there is no such file; check --kubelet-config");
  }

  @ParameterizedTest
  @CsvSource({
    "sys/devices/system/node/node1/meminfo",
    "sys/devices/system/cpu/cpu4/topology/physical_package_id",
    "proc/cpuinfo"
  })
  void missingFileIsNamed(String file) throws IOException {
    Files.delete(root.resolve(file));
    assertRefused(
        Cli.run("topology", "--sysfs", root, "--node", "a"),
        root.resolve(file) + " does not exist; point the reader at");
  }

  @Test
  void garbageIsNamed() throws IOException {
    write("sys/devices/system/cpu/online", "all");
    assertRefused(
        Cli.run("topology", "--sysfs", root, "--node", "a"),
        root.resolve("sys/devices/system/cpu/online") + " should hold a CPU list");
  }

  @Test
  void theNodeIsNamedAfterTheHostOtherwise() {
    Cli cli = Cli.run("topology", "--sysfs", root);
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).containsPattern("metadata:\n  name: \\S+");
  }

  private Path write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text + "\n");
  }
}
