package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the result goes, and what becomes of single settings. */
class InjectCommandTest {
  private static final String KUBEFLOW =
      "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: pi}\nspec: ";

  @TempDir private Path folder;

  /** The profile's executors have 6 task slots and 22109 MiB of heap. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          instances: 6, cores: 1                  | instances: 1, cores: 6
          instances: 7, cores: 1                  | instances: 2, cores: 6
          instances: 1, cores: 96                 | instances: 16, cores: 6
          instances: 2, cores: 1, memory: 21004m  | instances: 2, cores: 6
          instances: 2, cores: 1, memory: 21005m  | instances: 3, cores: 6
          cores: 6                                | instances: 1
          instances: 0                            | instances: 0
          cores: 1, coreLimit: 1200m              | coreLimit: "6"
          cores: 1, coreRequest: "0.5"            | coreRequest: "6"
          cores: 1, memoryOverhead: 9g            | memoryOverhead: 2100m
          cores: 1, nodeSelector: {disk: nvme}    | nodeSelector: {disk: nvme}
          cores: 1, template: {spec: {nodeSelector: {disk: nvme}}} | nodeSelector: {disk: nvme, node.example.com/pool: spark}
          javaOptions: -Da=b                      | javaOptions: -Da=b
          javaOptions: -XX:+UseG1GC               | spark.executor.defaultJavaOptions: "-XX:+AlwaysPreTouch"
          """)
  void settings(String executor, String expected) throws IOException {
    Cli cli = inject(KUBEFLOW + "{executor: {" + executor + "}}\n");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          sparkConf: {spark.executor.defaultJavaOptions: -Da=b} | spark.executor.defaultJavaOptions: -Da=b, | is kept, so the profile's JVM options are not used
          sparkConf: {spark.executor.maxNumFailures: "3"}       | spark.executor.maxNumFailures: "3",       | is kept; a pod that a kubelet rejects counts
          sparkConf: {spark.task.cpus: "4"}                     | spark.task.cpus: "4",                     | 2 of the 6 cores of every executor stay idle
          sparkConf: {spark.executor.memoryOverheadFactor: "1"} | spark.executor.memoryOverheadFactor: "1", | has no effect any more
          sparkConf: {spark.executor.resource.gpu.amount: "1"}  | spark.executor.resource.gpu.amount: "1",  | the profile knows nothing of devices
          """)
  void whatTheUserDecidedStaysWithAWarning(String field, String kept, String warning)
      throws IOException {
    Cli cli = inject(KUBEFLOW + "{executor: {}, " + field + "}\n");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains(kept);
    assertThat(cli.err()).contains("numaspark: warning: ", warning);
  }

  @Test
  void dynamicAllocationWithoutMaximumKeepsSparksOwnPatience() throws IOException {
    Cli cli =
        inject(
            KUBEFLOW
                + "{executor: {instances: 1, cores: 12}, dynamicAllocation: {enabled: true, minExecutors: 0, initialExecutors: 2}}\n");
    assertThat(cli.out())
        .contains("instances: 2", "minExecutors: 0", "initialExecutors: 4")
        .doesNotContain("spark.executor.maxNumFailures");
  }

  @Test
  void withoutSlotsTheTemplateHasNoContainer() throws IOException {
    Path file = write("app.yaml", KUBEFLOW + "{executor: {}}\n");
    Cli cli = Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", file, "--no-slots");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).contains("template").doesNotContain("slots.numaspark.io", "containers");
  }

  @Test
  void whatTheUserAddedSinceStays() throws IOException {
    Cli first = inject(KUBEFLOW + "\n  executor:\n    cores: 4\n");
    Cli again =
        inject(
            first
                .out()
                .replace("  sparkConf:\n", "  sparkConf:\n    spark.ui.enabled: \"false\"\n"));
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.out()).contains("spark.ui.enabled: \"false\"");
  }

  @Test
  void inPlace() throws IOException {
    Path jobs = Files.createDirectory(folder.resolve("jobs"));
    Path one = Files.writeString(jobs.resolve("one.yaml"), KUBEFLOW + "{executor: {}}\n");
    Path two = Files.writeString(jobs.resolve("two.yml"), KUBEFLOW + "{executor: {cores: 3}}\n");
    Cli cli = Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", jobs, "--in-place");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).isEmpty();
    assertThat(one).content().contains("numaspark.io/injected");
    assertThat(two).content().contains("numaspark.io/injected");
  }

  @Test
  void outputFileAndAnyNameForProperties() throws IOException {
    Path from = write("job.txt", "spark.executor.cores 4\n");
    Path to = folder.resolve("pinned.txt");
    Cli cli = Cli.run("inject", "-f", InjectGoldenTest.NODES, "--properties", from, "--output", to);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).isEmpty();
    assertThat(to).content().startsWith("spark.executor.cores 6\n");
    assertThat(folder.resolve("pinned-executor.yaml")).exists();
    assertThat(from).hasContent("spark.executor.cores 4");
  }

  @Test
  void standardInput() {
    InputStream before = System.in;
    try {
      String text = KUBEFLOW + "{executor: {}}\n";
      System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
      Cli cli = Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", "-");
      assertThat(cli.exitCode()).as(cli.err()).isZero();
      assertThat(cli.out()).startsWith(KUBEFLOW.substring(0, 40)).contains("numaspark.io/injected");
    } finally {
      System.setIn(before);
    }
  }

  private Cli inject(String text) throws IOException {
    return Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", write("app.yaml", text));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
