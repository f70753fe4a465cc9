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
          executor: {cores: 1.5}                   | SparkApplication pi: spec.executor.cores: Invalid value: "number": spec.executor.cores in body must be of type integer: "number"; write for example 4, without quotes
          executor: {cores: two}                   | SparkApplication pi: spec.executor.cores: Invalid value: "string": spec.executor.cores in body must be of type integer: "string"; write for example 4, without quotes
          executor: {cores: '4'}                   | SparkApplication pi: spec.executor.cores: Invalid value: "string": spec.executor.cores in body must be of type integer: "string"; write for example 4, without quotes
          executor: {cores: -4}                    | SparkApplication pi: spec.executor.cores: Invalid value: -4: spec.executor.cores in body should be greater than or equal to 1
          executor: {instances: -1}                | SparkApplication pi: spec.executor.instances: Invalid value: -1: spec.executor.instances in body should be greater than or equal to 1
          executor: {instances: 99999999999}       | SparkApplication pi: spec.executor.instances: Invalid value: 99999999999: spec.executor.instances in body should be less than or equal to 100000
          executor: {nodes: 0}                     | SparkApplication pi: spec.executor.nodes: Invalid value: 0: spec.executor.nodes in body should be greater than or equal to 1
          executor: {memory: 4}                    | SparkApplication pi: spec.executor.memory: Invalid value: "integer": spec.executor.memory in body must be of type string: "integer"; put it in quotes
          executor: {memory: -4g}                  | SparkApplication pi: spec.executor.memory: Invalid value: "-4g": spec.executor.memory in body
          driver: {coreLimit: 500m}                | SparkApplication pi: spec.driver.coreLimit: 500m is less than the request of 1; give
          executor: {affinity: {nodeAffinity: 7}}  | SparkApplication pi: spec.executor.affinity.nodeAffinity: is 7; give an object
          executor: {sidecars: [{name: a}]}        | SparkApplication pi: spec.executor.sidecars: take pinned executors out of their slot; move
          executor: {labels: [a]}                  | SparkApplication pi: spec.executor.labels: Invalid value: "array": spec.executor.labels in body must be of type object: "array"; write its fields below it, as name: value
          executor: {env: {a: b}}                  | SparkApplication pi: spec.executor.env: Invalid value: "object": spec.executor.env in body must be of type array: "object"; write its items below it, each after a dash
          executor: {env: [~]}                     | SparkApplication pi: spec.executor.env[0]: Invalid value: "null": spec.executor.env[0] in body must be of type object: "null"; write its fields below it, as name: value
          executor: 4                              | SparkApplication pi: spec.executor: Invalid value: "integer": spec.executor in body must be of type object: "integer"; write its fields below it, as name: value
          driver: {cores: 0}                       | SparkApplication pi: spec.driver.cores: Invalid value: 0: spec.driver.cores in body should be greater than or equal to 1
          driver: {colour: red}                    | SparkApplication pi: spec.driver.colour: there is no such field; there are affinity, annotations, configMaps
          workload: Shuffling                      | SparkApplication pi: spec.workload: Unsupported value: "Shuffling": supported values: "General", "Iterative", "Scan", "ShuffleHeavy", "Streaming"
          mode: client                             | SparkApplication pi: spec.mode: Unsupported value: "client": supported values: "cluster"
          mainClass: ~                             | SparkApplication pi: spec.mainClass: a Java or Scala application needs the class whose main method is run
          image: ~                                 | SparkApplication pi: spec.image: is missing; give
          arguments: 10                            | SparkApplication pi: spec.arguments: Invalid value: "integer": spec.arguments in body must be of type array: "integer"; write its items below it, each after a dash
          sparkConf: {spark.ui.enabled: false}     | SparkApplication pi: spec.sparkConf.spark.ui.enabled: Invalid value: "boolean": spec.sparkConf.spark.ui.enabled in body must be of type string: "boolean"; put it in quotes
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
          executor: {coresPerExecutor: {min: -1}}   | SparkNodeProfile p: spec.executor.coresPerExecutor.min: Invalid value: -1: spec.executor.coresPerExecutor.min in body should be greater than or equal to 1
          executor: {coresPerExecutor: {max: 2.5}}  | SparkNodeProfile p: spec.executor.coresPerExecutor.max: Invalid value: "number": spec.executor.coresPerExecutor.max in body must be of type integer: "number"; write for example 4, without quotes
          executor: {maxHeap: 64Gi}                 | SparkNodeProfile p: spec.executor.maxHeap: above the compressed-oops limit
          executor: {offHeap: -1Gi}                 | SparkNodeProfile p: spec.executor.offHeap: Invalid value: "-1Gi": spec.executor.offHeap in body
          executor: {memoryOverhead: {factor: '2'}} | SparkNodeProfile p: spec.executor.memoryOverhead.factor: Invalid value: "2": spec.executor.memoryOverhead.factor in body
          smt: {tasksPerCore: 100}                  | SparkNodeProfile p: spec.smt.tasksPerCore: Invalid value: 100: spec.smt.tasksPerCore in body should be less than or equal to 8
          smt: {mode: Off}                          | SparkNodeProfile p: spec.smt.mode: Invalid value: "boolean": spec.smt.mode in body must be of type string: "boolean"; put it in quotes
          jvm: {preTouch: maybe}                    | SparkNodeProfile p: spec.jvm.preTouch: Invalid value: "string": spec.jvm.preTouch in body must be of type boolean: "string"; write true or false, without quotes
          jvm: {extraOptions: [~]}                  | SparkNodeProfile p: spec.jvm.extraOptions[0]: Invalid value: "null": spec.jvm.extraOptions[0] in body must be of type string: "null"; put it in quotes
          topology: {sockets: 0}                    | SparkNodeProfile p: spec.topology.sockets: Invalid value: 0: spec.topology.sockets in body should be greater than or equal to 1
          topologie: {}                             | SparkNodeProfile p: spec.topologie: there is no such field; there are executor, jvm, memory, nodeSelector, nodeTemplates, pinning, prefetch, smt, tolerations, topology
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
          numaNodes: []                                                   | SparkNodeTopology n: spec.numaNodes: Invalid value: 0: spec.numaNodes in body should have at least 1 items
          numaNodes: [~]                                                  | SparkNodeTopology n: spec.numaNodes[0]: Invalid value: "null": spec.numaNodes[0] in body must be of type object: "null"; write its fields below it, as name: value
          numaNodes: [{id: 0, socket: 0, memory: -1, cores: ['0']}]       | SparkNodeTopology n: spec.numaNodes[0].memory: Invalid value: -1: spec.numaNodes[0].memory in body should be greater than or equal to 0
          numaNodes: [{id: -1, socket: 0, memory: 1, cores: ['0']}]       | SparkNodeTopology n: spec.numaNodes[0].id: Invalid value: -1: spec.numaNodes[0].id in body should be greater than or equal to 0
          numaNodes: [{id: 0, socket: 0, memory: 16Gi, cores: ['0']}]     | SparkNodeTopology n: spec.numaNodes[0].memory: Invalid value: "string": spec.numaNodes[0].memory in body must be of type integer: "string"; write for example 4, without quotes
          numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['5-3']}]      | SparkNodeTopology n: spec.numaNodes[id=0].cores: '5-3' in '5-3' runs backwards: write
          numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0']}], kubelet: {reservedCpuCount: -2}        | SparkNodeTopology n: spec.kubelet.reservedCpuCount: Invalid value: -2: spec.kubelet.reservedCpuCount in body should be greater than or equal to 0
          numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0']}], kubelet: {reservedMemory: {'0': -2}}   | SparkNodeTopology n: spec.kubelet.reservedMemory[0]: -2 is negative; give 0 or more
          numaNodes: [{id: 0, socket: 0, memory: 1, cores: ['0']}], kubelet: {cpuManagerPolicy: dynamic}   | SparkNodeTopology n: spec.kubelet.cpuManagerPolicy: Invalid value: "dynamic": spec.kubelet.cpuManagerPolicy in body
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
          kind: Job\\napiVersion: batch/v1                                   | Job of batch/v1 is not one of SparkApplication, SparkNodeProfile, SparkNodeTopology
          kind: SparkNodeProfile\\napiVersion: numaspark.io/v1               | SparkNodeProfile of numaspark.io/v1 is not one of
          spec: {}                                                          | a document without kind is not one of
          just text                                                         | a document without kind is not one of
          - a\\n- list                                                       | a document without kind is not one of
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
  void noProfileForAnApplicationThatNamesOne() {
    assertRefused(
        Cli.run(
            "plan", "-f", PLAN.resolve("topology.yaml"), "-f", PLAN.resolve("application.yaml")),
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
