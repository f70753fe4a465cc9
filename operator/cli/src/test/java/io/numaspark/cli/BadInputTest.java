package io.numaspark.cli;

import static io.numaspark.cli.Cli.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wrong file ends with exit code 2 and one line: file, field and remedy, never a stack trace. */
class BadInputTest {
  private static final Path PLAN = Path.of("src/test/resources/plan");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          executor: {cores: 1.5}                   | spec.executor.cores: '1.5' is no whole number; write
          executor: {cores: two}                   | spec.executor.cores: 'two' is no whole number; write
          executor: {cores: '4'}                   | spec.executor.cores: '4' is no whole number; write
          executor: {cores: -4}                    | SparkApplication pi: spec.executor.cores: -4 is out of range; give 1 to 1024
          executor: {instances: -1}                | SparkApplication pi: spec.executor.instances: -1 is out of range; give 1 to 100000
          executor: {instances: 99999999999}       | spec.executor.instances: Numeric value (99999999999) out of range of int
          executor: {nodes: 0}                     | SparkApplication pi: spec.executor.nodes: 0 is out of range; give 1 to 10000
          executor: {memory: 4}                    | spec.executor.memory: '4' is no text; put it in quotes
          executor: {memory: -4g}                  | SparkApplication pi: spec.executor.memory: '-4g' is no memory size: write
          driver: {coreLimit: 500m}                | SparkApplication pi: spec.driver.coreLimit: 500m is less than the request of 1; give
          executor: {affinity: {nodeAffinity: 7}}  | SparkApplication pi: spec.executor.affinity.nodeAffinity: is 7; give an object
          executor: {sidecars: [{name: a}]}        | SparkApplication pi: spec.executor.sidecars: take pinned executors out of their slot; move
          executor: {labels: [a]}                  | spec.executor.labels: it is no mapping; write
          executor: {env: {a: b}}                  | spec.executor.env: it is no list; write
          executor: {env: [~]}                     | spec.executor.env[0]: is empty; give a value or remove it
          executor: 4                              | spec.executor: '4' is no mapping; write
          driver: {cores: 0}                       | SparkApplication pi: spec.driver.cores: 0 is out of range; give
          driver: {colour: red}                    | spec.driver.colour: there is no such field; there are affinity, annotations, configMaps
          workload: Shuffling                      | spec.workload: 'Shuffling' is none of General, ShuffleHeavy
          mode: client                             | spec.mode: 'client' is none of cluster
          mainClass: ~                             | SparkApplication pi: spec.mainClass: is missing; a Java or Scala
          image: ~                                 | SparkApplication pi: spec.image: is missing; give
          arguments: 10                            | spec.arguments: '10' is no list; write
          sparkConf: {spark.ui.enabled: false}     | spec.sparkConf.spark.ui.enabled: 'false' is no text; put it in quotes
          """)
  void application(String field, String message) throws IOException {
    String name = field.substring(0, field.indexOf(':'));
    StringBuilder text = new StringBuilder();
    String whole = Files.readString(PLAN.resolve("application.yaml"));
    // The field replaces the one of the same name with everything below it.
    boolean below = false;
    for (String line : whole.lines().toList()) {
      below = line.startsWith("  " + name + ":") || (below && line.startsWith("   "));
      text.append(below ? "" : line + "\n");
    }
    Path file = write("application.yaml", text + "  " + field + "\n");
    assertRefused(
        Cli.run("plan", "-f", PLAN.resolve("topology.yaml"), "-f", profile(), "-f", file),
        file + ": " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          executor: {coresPerExecutor: {min: -1}}   | SparkNodeProfile p: spec.executor.coresPerExecutor.min: -1 is out of range; give 1 to 256
          executor: {coresPerExecutor: {max: 2.5}}  | spec.executor.coresPerExecutor.max: '2.5' is no whole number; write
          executor: {maxHeap: 64Gi}                 | SparkNodeProfile p: spec.executor.maxHeap: above the compressed-oops limit
          executor: {offHeap: -1Gi}                 | SparkNodeProfile p: spec.executor.offHeap: '-1Gi' is no quantity of bytes; write
          executor: {memoryOverhead: {factor: '2'}} | SparkNodeProfile p: spec.executor.memoryOverhead.factor: '2' is no number from 0 to 1
          smt: {tasksPerCore: 100}                  | SparkNodeProfile p: spec.smt.tasksPerCore: 100 is out of range; give 1 to 8
          smt: {mode: Off}                          | spec.smt.mode: 'false' is none of Shared, Isolated, Disabled
          jvm: {preTouch: maybe}                    | spec.jvm.preTouch: 'maybe' is neither true nor false; write
          jvm: {extraOptions: [~]}                  | spec.jvm.extraOptions[0]: is empty; give a value or remove it
          topology: {sockets: 0}                    | SparkNodeProfile p: spec.topology.sockets: 0 is out of range; give 1 to 64
          topologie: {}                             | spec.topologie: there is no such field; there are executor, jvm, memory, nodeSelector
          """)
  void profile(String field, String message) throws IOException {
    Path file =
        write(
            "profile.yaml",
            "apiVersion: numaspark.io/v1alpha1\nkind: SparkNodeProfile\nmetadata: {name: p}\n"
                + "spec:\n  nodeSelector: {}\n  "
                + field
                + "\n");
    assertRefused(
        Cli.run("plan", "-f", PLAN.resolve("topology.yaml"), "-f", file), file + ": " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          numaNodes: []                                                   | SparkNodeTopology n: spec.numaNodes: at least one NUMA node is needed
          numaNodes: [~]                                                  | spec.numaNodes[0]: is empty; give a value or remove it
          numaNodes: [{id: 0, socket: 0, memory: -1, cores: ['0']}]       | SparkNodeTopology n: spec.numaNodes[id=0].memory: -1 is negative; give 0 or more
          numaNodes: [{id: -1, socket: 0, memory: 1, cores: ['0']}]       | SparkNodeTopology n: spec.numaNodes[id=-1].id: -1 is out of range; give 0 to 1023
          numaNodes: [{id: 0, socket: 0, memory: 16Gi, cores: ['0']}]     | spec.numaNodes[0].memory: '16Gi' is no whole number; write
          numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['5-3']}]      | SparkNodeTopology n: spec.numaNodes[id=0].cores: '5-3' in '5-3' runs backwards: write
          numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0']}], kubelet: {reservedCpuCount: -2}        | SparkNodeTopology n: spec.kubelet.reservedCpuCount: -2 is out of range; give 0 to 1024
          numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0']}], kubelet: {reservedMemory: {'0': -2}}   | SparkNodeTopology n: spec.kubelet.reservedMemory[0]: -2 is negative; give 0 or more
          numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0']}], kubelet: {cpuManagerPolicy: dynamic}   | SparkNodeTopology n: spec.kubelet.cpuManagerPolicy 'dynamic' is none of none, static
          """)
  void topology(String fields, String message) throws IOException {
    Path file =
        write(
            "topology.yaml",
            "{apiVersion: numaspark.io/v1alpha1, kind: SparkNodeTopology, metadata: {name: n}, spec: {"
                + fields
                + "}}");
    assertRefused(Cli.run("plan", "-f", file, "-f", profile()), file + ": " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          kind: Job\\napiVersion: batch/v1                                   | Job of batch/v1 is none of SparkApplication, SparkNodeProfile, SparkNodeTopology
          kind: SparkNodeProfile\\napiVersion: numaspark.io/v1               | SparkNodeProfile of numaspark.io/v1 is none of
          spec: {}                                                          | a document without kind is none of
          just text                                                         | a document without kind is none of
          - a\\n- list                                                       | a document without kind is none of
          kind: SparkNodeProfile\\napiVersion: numaspark.io/v1alpha1         | SparkNodeProfile has no spec; give it one
          kind: SparkNodeProfile\\napiVersion: numaspark.io/v1alpha1\\nspec: {} | SparkNodeProfile has no metadata.name; give it one
          kind: SparkNodeProfile\\napiVersion: numaspark.io/v1alpha1\\nmetadata: {name: ''}\\nspec: {} | SparkNodeProfile has no metadata.name; give it one
          kind: [\\nspec: }                                                  | while parsing
          kind: SparkNodeProfile\\nkind: SparkNodeProfile                    | Duplicate field 'kind'
          \\ttabs: 1                                                         | while scanning
          """)
  void document(String text, String message) throws IOException {
    Path file = write("document.yaml", text.replace("\\n", "\n").replace("\\t", "\t"));
    assertRefused(Cli.run("plan", "-f", file), file + ": " + message);
  }

  @Test
  void missingFile() {
    Path file = folder.resolve("missing.yaml");
    assertRefused(Cli.run("plan", "-f", file), file + ": there is no such file; check the path");
  }

  @Test
  void brokenFileInAFolderIsNamed() throws IOException {
    Files.copy(profile(), folder.resolve("a.yaml"));
    Path broken = write("b.yaml", "a: [");
    assertRefused(Cli.run("plan", "-f", folder), broken + ": while parsing");
  }

  @Test
  void noProfile() {
    assertRefused(
        Cli.run("plan", "-f", PLAN.resolve("topology.yaml")),
        "no SparkNodeProfile in the files; add one with -f");
  }

  @Test
  void twoProfiles() {
    assertRefused(
        Cli.run("plan", "-f", profile(), "-f", PLAN.resolve("large-profile.yaml")),
        "more than one SparkNodeProfile in the files: lab, lab; give one");
  }

  @Test
  void twoApplications() {
    Path application = PLAN.resolve("application.yaml");
    assertRefused(
        Cli.run("plan", "-f", profile(), "-f", application, "-f", application),
        "more than one SparkApplication in the files; give one");
  }

  @Test
  void oneNodeTwice() {
    Path topology = PLAN.resolve("topology.yaml");
    assertRefused(
        Cli.run("plan", "-f", topology, "-f", topology, "-f", profile()),
        "two SparkNodeTopology objects have the same metadata.name");
  }

  @Test
  void anotherProfileThanTheApplicationNames() throws IOException {
    Path application =
        write(
            "application.yaml",
            Files.readString(PLAN.resolve("application.yaml"))
                .replace("nodeProfile: lab", "nodeProfile: metal"));
    assertRefused(
        Cli.run("plan", "-f", profile(), "-f", application),
        "SparkApplication pi: spec.nodeProfile: is metal, but the profile in the files is lab");
  }

  @Test
  void aFolderIsReadWithoutOtherFiles() throws IOException {
    Files.copy(profile(), folder.resolve("profile.yml"));
    Files.copy(PLAN.resolve("topology.yaml"), folder.resolve("topology.yaml"));
    write("notes.txt", "not YAML: [");
    Cli cli = Cli.run("plan", "-f", folder);
    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isZero();
  }

  @Test
  void noTopologyIsNoPlan() {
    Cli cli = Cli.run("plan", "-f", profile());
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out()).contains("apply a SparkNodeTopology for each node");
  }

  private static Path profile() {
    return PLAN.resolve("profile.yaml");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
