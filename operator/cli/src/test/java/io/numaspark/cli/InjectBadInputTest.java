package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong ends with 2, what cannot be pinned with 1; both name field and remedy. */
class InjectBadInputTest {
  private static final String KUBEFLOW =
      "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: pi}\nspec: ";
  private static final String APACHE =
      "apiVersion: spark.apache.org/v1\nkind: SparkApplication\nmetadata: {name: pi}\nspec: ";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {executor: {cores: two}}                                  | spec.executor.cores: 'two' is not a whole number; write
          {executor: {cores: 1.5}}                                  | spec.executor.cores: '1.5' is not a whole number; write
          {executor: {cores: '4'}}                                  | spec.executor.cores: '4' is not a whole number; write
          {executor: {cores: 0}}                                    | spec.executor.cores: Invalid value: 0: spec.executor.cores in body should be greater than or equal to 1
          {executor: {cores: 99999999999999999999}}                 | spec.executor.cores: '99999999999999999999' is not a whole number
          {executor: {instances: -1}}                               | spec.executor.instances: Invalid value: -1: spec.executor.instances in body should be greater than or equal to 1
          {executor: {instances: [1]}}                              | spec.executor.instances: it is not a whole number
          {executor: {memory: 8 gigs}}                              | spec.executor.memory: Invalid value: "8 gigs": spec.executor.memory in body
          {executor: {memory: 8}}                                   | spec.executor.memory: '8' is not text; put it in quotes
          {executor: {memory: 0m}}                                  | spec.executor.memory: Invalid value: "0m": spec.executor.memory in body
          {executor: {memoryOverhead: lots}}                        | spec.executor.memoryOverhead: Invalid value: "lots": spec.executor.memoryOverhead in body
          {executor: {coreLimit: few}}                              | spec.executor.coreLimit: Invalid value: "few": spec.executor.coreLimit in body
          {executor: {coreLimit: '0'}}                              | spec.executor.coreLimit: Invalid value: "0": spec.executor.coreLimit in body
          {executor: {template: {spec: {tolerations: {}}}}}         | spec.executor.template.spec.tolerations: it is not a list; write
          {executor: {nodeSelector: [a]}}                           | spec.executor.nodeSelector: it is not a mapping; write
          {executor: {template: x}}                                 | spec.executor.template: it is not a mapping; write
          {executor: {sidecars: [{name: a, resources: {limits: {cpu: 1..2}}}]}} | spec.executor.sidecars[0] (a).resources.limits.cpu: '1..2' is not a quantity; write
          {executor: 4}                                             | spec.executor: it is not a mapping; write
          {}                                                        | spec.executor: is missing; give it its fields
          4                                                         | spec: it is not a mapping; write
          ~                                                         | spec: is missing; give it its fields
          {executor: {cores: 4, cores: 8}}                          | line 4: the key cores is there twice; remove one
          {driver: &d {cores: 1}, executor: {<<: *d}}               | line 4: a merge key (<<) brings fields that are not written here; write the fields out
          {driver: &d {cores: 1}, executor: *d}                     | spec.executor: is shared through an anchor (&) and an alias (*); write it out
          {executor: {[a]: b}}                                      | line 4: a key is a mapping or a list; write a text
          {executor: &e {cores: 1, x: *e}}                          | line 4: the aliases grow without end; write the values out
          {executor: {}, sparkConf: {spark.task.cpus: many}}        | spec.sparkConf["spark.task.cpus"]: Invalid value: "string": spec.executor.cores in body must be of type integer: "string"; write for example 4, without quotes
          {executor: {}, dynamicAllocation: {enabled: yes please}}  | spec.dynamicAllocation.enabled: 'yes please' is neither true nor false; write
          {executor: {}, dynamicAllocation: {maxExecutors: 2147483647}} | spec.dynamicAllocation.maxExecutors: Invalid value: 2147483647: spec.dynamicAllocation.maxExecutors in body should be less than or equal to 100000
          {executor: {                                              | line 5, column 1: expected
          """)
  void kubeflow(String spec, String message) throws IOException {
    assertWrong(write("app.yaml", KUBEFLOW + spec + "\n"), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {sparkConf: {spark.executor.cores: 4}}                  | spec.sparkConf["spark.executor.cores"]: '4' is not text; put it in quotes
          {sparkConf: [a]}                                        | spec.sparkConf: it is not a mapping; write
          {sparkConf: {spark.executor.memory: 8 gigs}}            | spec.sparkConf["spark.executor.memory"]: Invalid value: "8 gigs": spec.executor.memory in body
          {applicationTolerations: {instanceConfig: {initExecutors: x}}} | spec.applicationTolerations.instanceConfig.initExecutors: 'x' is not a whole number
          {executorSpec: {podTemplateSpec: 4}}                    | spec.executorSpec.podTemplateSpec: it is not a mapping
          """)
  void apache(String spec, String message) throws IOException {
    assertWrong(write("app.yaml", APACHE + spec + "\n"), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          app.yaml        | apiVersion: sparkoperator.k8s.io/v1alpha1\\nkind: SparkApplication | apiVersion: SparkApplication of sparkoperator.k8s.io/v1alpha1 cannot be injected; convert
          app.yaml        | apiVersion: spark.apache.org/v1beta1\\nkind: SparkApplication      | apiVersion: SparkApplication of spark.apache.org/v1beta1 cannot be injected; convert
          app.yaml        | apiVersion: apps/v1\\nkind: Deployment                             | Deployment of apps/v1 is not one of SparkApplication
          app.yaml        | not: [yaml                                                         | line 1, column
          app.yaml        | a: b: c                                                            | line 1, column 5: mapping values are not allowed here
          app.yaml        | {{ .Values.spark }}                                                | Expected a field name
          app.yaml        | %YAML 99999999999.1\\n--- a                                        | line 1, column 18: found a number which
          app.yaml        | a: \\u0001b                                                        | this is not YAML: special characters are not allowed
          app.yaml        | \\ta: b                                                            | line 1, column 1: found character
          app.properties  | a=1\\na=2                                                          | line 2: a is there twice; remove one
          app.properties  | a=\\\\uXYZ                                                         | line 1: Malformed
          app.properties  | spark.executor.cores two                                           | spark.executor.cores: Invalid value: "string": spec.executor.cores in body must be of type integer: "string"; write for example 4, without quotes
          app.properties  | spark.executor.memory = 8 gigs                                     | spark.executor.memory: Invalid value: "8 gigs": spec.executor.memory in body
          """)
  void files(String name, String text, String message) throws IOException {
    String unescaped =
        text.replace("\\u0001", "\u0001")
            .replace("\\\\u", "\0")
            .replace("\\n", "\n")
            .replace("\\t", "\t")
            .replace("\0", "\\u");
    assertWrong(write(name, unescaped), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {executor: {memoryLimit: 20g}}                                    | spec.executor.memoryLimit: makes the pod's memory limit differ
          {executor: {javaOptions: -Xmx8g -Da=b}}                           | spec.executor.javaOptions: -Xmx8g sets the heap
          {executor: {sidecars: [{name: a}]}}                               | spec.executor.sidecars[0] (a): has no cpu limit that equals its request
          {executor: {sidecars: [{name: a, resources: {limits: {cpu: 100m}}}]}} | spec.executor.sidecars[0] (a): has no memory limit that equals
          {executor: {sidecars: [{name: a, resources: {limits: {cpu: 0.1, memory: 1Gi}, requests: {cpu: 50m}}}]}} | spec.executor.sidecars[0] (a): has no cpu limit that equals
          {executor: {sidecars: [{name: a, resources: {limits: {cpu: 1000m, memory: 1Gi}}}]}} | spec.executor.sidecars[0] (a).resources.limits.cpu: is a whole number
          {executor: {initContainers: [{name: a}]}}                         | spec.executor.initContainers[0] (a): has no cpu limit
          {executor: {template: {spec: {containers: [{name: a}]}}}}         | spec.executor.template.spec.containers[0] (a): has no cpu limit
          {executor: {template: {spec: {resources: {}}}}}                   | spec.executor.template.spec.resources: pod-level resources
          {executor: {nodeSelector: {node.example.com/pool: gpu}}}          | spec.executor.nodeSelector["node.example.com/pool"]: is gpu, but the profile's nodes have spark
          {executor: {template: {spec: {nodeSelector: {node.example.com/pool: gpu}}}}} | spec.executor.template.spec.nodeSelector["node.example.com/pool"]: is gpu, but
          {executor: {}, sparkConf: {spark.kubernetes.node.selector.node.example.com/pool: gpu}} | spec.sparkConf["spark.kubernetes.node.selector.node.example.com/pool"]: is gpu, but
          {executor: {}, nodeSelector: {node.example.com/pool: gpu}}        | spec.nodeSelector["node.example.com/pool"]: is gpu, but the profile's nodes have spark
          {executor: {}, sparkVersion: 2.4.8}                               | spec.sparkVersion: this Spark has neither pod templates
          {executor: {memory: 4g}, sparkConf: {spark.executor.memory: 8g}}  | spec.executor.memory: is 4g, but spec.sparkConf["spark.executor.memory"] is 8g; remove one
          {executor: {}, sparkConf: {spark.executor.pyspark.memory: 2g}}    | spec.sparkConf["spark.executor.pyspark.memory"]: it would make the pod larger
          {executor: {}, sparkConf: {spark.memory.offHeap.enabled: "true", spark.memory.offHeap.size: 2g}} | spec.sparkConf["spark.memory.offHeap.size"]: is more than the profile's executors have (0m)
          {executor: {}, sparkConf: {spark.kubernetes.allocation.pods.allocator: statefulset}} | spec.sparkConf["spark.kubernetes.allocation.pods.allocator"]: only Spark's own way
          {executor: {}, sparkConf: {spark.task.cpus: "7"}}                 | spec.sparkConf["spark.task.cpus"]: a task needs 7 cores, but an executor of the profile has 6
          {executor: {}, sparkConf: {spark.plugins: org.apache.spark.scheduler.cluster.k8s.ExecutorResizePlugin}} | spec.sparkConf["spark.plugins"]: the kubelet does not resize
          """)
  void refused(String spec, String message) throws IOException {
    Path file = write("app.yaml", KUBEFLOW + spec + "\n");
    Cli cli = Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", file, "--in-place");
    assertThat(cli.exitCode()).as(cli.err()).isEqualTo(1);
    assertThat(cli.err()).contains("numaspark: " + file + ": SparkApplication pi: " + message);
    assertThat(file).as("nothing is written").hasContent(KUBEFLOW + spec);
  }

  @Test
  void everyReasonIsGivenAtOnce() throws IOException {
    Path file =
        write("app.yaml", KUBEFLOW + "{executor: {memoryLimit: 20g, sidecars: [{name: a}]}}\n");
    Cli cli = Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", file);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err().lines()).hasSize(2);
  }

  @Test
  void anEditAfterTheInjectionIsNotOverwritten() throws IOException {
    Cli first =
        Cli.run(
            "inject",
            "-f",
            InjectGoldenTest.NODES,
            "-f",
            write("app.yaml", KUBEFLOW + "{executor: {cores: 4}}\n"));
    Path edited = write("app.yaml", first.out().replace("cores: 6", "cores: 8"));
    Cli cli = Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", edited);
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err())
        .contains("/spec/executor/cores was edited after the injection", "remove metadata");
  }

  @Test
  void fewExecutorsFitNowhere() throws IOException {
    Path nodes = write("nodes.yaml", Files.readString(InjectGoldenTest.NODES));
    Files.writeString(
        nodes, Files.readString(nodes).replace("{preferred: 3}", "{min: 40, max: 40}"));
    Cli cli =
        Cli.run("inject", "-f", nodes, "-f", write("app.yaml", KUBEFLOW + "{executor: {}}\n"));
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err()).contains("SparkNodeProfile dual-socket: ");
  }

  @Test
  void oneRefusalKeepsEveryFile() throws IOException {
    Path good = write("good.yaml", KUBEFLOW + "{executor: {cores: 4}}\n");
    Path bad = write("bad.yaml", KUBEFLOW + "{executor: {memoryLimit: 4g}}\n");
    Cli cli = Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", good, "-f", bad, "--in-place");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(good).hasContent(KUBEFLOW + "{executor: {cores: 4}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -f NODES                            | no manifest in the files; add one
          -f NODES -f APP -f OTHER            | more than one file with manifests
          -f APP                              | no SparkNodeProfile in the files; add one with -f
          -f NODES -f missing.yaml            | missing.yaml: there is no such file; check the path
          -f NODES -f APP -o none/such/file   | none/such/file: cannot be written
          -f NODES -f APP -o x --in-place     | mutually exclusive
          """)
  void commandLine(String line, String message) throws IOException {
    Path app = write("app.yaml", KUBEFLOW + "{executor: {}}\n");
    Path other = write("other.conf", "spark.executor.cores 4\n");
    String[] arguments =
        ("inject " + line)
            .replace("NODES", InjectGoldenTest.NODES.toString())
            .replace("APP", app.toString())
            .replace("OTHER", other.toString())
            .split(" ");
    Cli cli = Cli.run((Object[]) arguments);
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains(message).doesNotContain("\tat ");
  }

  @Test
  void notUtf8() throws IOException {
    Path file = folder.resolve("app.yaml");
    Files.write(file, "a: größer".getBytes(StandardCharsets.ISO_8859_1));
    assertWrong(file, "is not in UTF-8; convert it");
  }

  @Test
  void aliasesOfAliases() throws IOException {
    StringBuilder text = new StringBuilder(KUBEFLOW + "\n  executor: {}\n  a0: &a0 [x, x]\n");
    for (int i = 1; i < 24; i++) {
      text.append("  a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }
    assertWrong(write("app.yaml", text.toString()), "the aliases grow without end");
  }

  private void assertWrong(Path file, String message) {
    Cli cli = Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", file);
    assertThat(cli.err()).startsWith("numaspark: " + file + ": ").contains(message);
    assertThat(cli.err().lines()).hasSize(1);
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
