package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConvertCommandTest {
  private static final String PI =
      """
      apiVersion: sparkoperator.k8s.io/v1beta2
      kind: SparkApplication
      metadata: {name: pi}
      spec:
        type: Scala
        image: apache/spark:4.1.0
        mainClass: A
        mainApplicationFile: local:///a.jar
        driver: {cores: 1}
        executor: {instances: 1}
      """;

  @TempDir private Path folder;

  @ParameterizedTest(name = "{0} of {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SparkCluster     | spark.apache.org/v1           | kind: a standalone cluster
          SparkConnect     | sparkoperator.k8s.io/v1alpha1 | kind: a Connect server
          SparkApplication | sparkoperator.k8s.io/v1alpha1 | spec: is missing
          SparkApplication | spark.apache.org/v9           | apiVersion: spark.apache.org/v9 is not known
          SparkApplication | sparkoperator.k8s.io/v2       | apiVersion: sparkoperator.k8s.io/v2 is not known
          SparkApplication | spark.apache.org/v1           | spec: is missing
          SparkApplication | sparkoperator.k8s.io/v1beta2  | spec: is missing
          """)
  void whatCannotBeConvertedIsRefusedWithTheReason(String kind, String api, String message)
      throws IOException {
    Cli cli =
        Cli.run(
            "convert",
            "-f",
            write("apiVersion: %s\nkind: %s\nmetadata: {name: x}\n".formatted(api, kind)));
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err()).contains(kind + " x: " + message);
  }

  @Test
  void oneRefusalKeepsAllBack() throws IOException {
    Cli cli =
        Cli.run(
            "convert",
            "-f",
            write(PI + "---\napiVersion: spark.apache.org/v1\nkind: SparkCluster\n"));
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out()).isEmpty();
  }

  @Test
  void aListIsRefused() throws IOException {
    Cli cli =
        Cli.run(
            "convert",
            "-f",
            write("kind: List\napiVersion: v1\nitems:\n- apiVersion: spark.apache.org/v1\n"));
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("write each item as a document of its own");
  }

  @Test
  void fieldsThatWeDoNotHaveAreLeftOutWithAWarning() throws IOException {
    Cli cli = Cli.run("convert", "-f", write(PI.replace("{cores: 1}", "{cores: 1, colour: red}")));
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.err()).contains("SparkApplication pi: spec.driver.colour: is left out");
    assertThat(cli.out()).contains("driver: {cores: 1}");
  }

  @Test
  void valuesOfAWrongTypeAreRefused() throws IOException {
    Cli cli = Cli.run("convert", "-f", write(PI.replace("instances: 1", "instances: many")));
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("spec.executor.instances: the value is not of the type");
  }

  @Test
  void whatNumasparkWouldRefuseIsSaid() throws IOException {
    Cli cli = Cli.run("convert", "-f", write(PI.replace("  image: apache/spark:4.1.0\n", "")));
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.err()).contains("numaspark will refuse the result: spec.image: is missing");
  }

  @Test
  void fieldsWithoutEffectAreSaidAsTheDocumentNamesThem() throws IOException {
    String field = "  batchSchedulerOptions: {queue: q}\n";
    Cli cli = Cli.run("convert", "-f", write(PI + field));
    assertThat(cli.err())
        .contains("SparkApplication pi: spec.batchSchedulerOptions: has no effect");
    String scheduled =
        PI.replace("kind: Spark", "kind: ScheduledSpark")
            .replaceFirst("spec:\n", "spec:\n  schedule: '@daily'\n  template:\n")
            .replaceAll("(?m)^  (type|image|main|driver|executor)", "    $1");
    cli = Cli.run("convert", "-f", write(scheduled + "  " + field));
    assertThat(cli.err()).contains(" spec.template.batchSchedulerOptions: has no effect");
  }

  @Test
  void propertiesThatNumasparkWouldRefuseAreSaid() throws IOException {
    String conf = "  sparkConf: {spark.driver.host: a}\n";
    Cli cli = Cli.run("convert", "-f", write(PI + conf));
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.err())
        .contains("numaspark will refuse the result: spec.sparkConf[\"spark.driver.host\"]");
  }

  /** What names the run is numaspark's; where it runs must be Kubernetes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spark.master                              | k8s://https://10.0.0.1 | 0 | is left out: executors run in the cluster
          spark.master                              | spark://master:7077    | 1 | is spark://master:7077, but numaspark's executors are pods
          spark.kubernetes.executor.podNamePrefix   | pi                     | 0 | is left out: executors are named after
          spark.kubernetes.driver.pod.name          | pi                     | 0 | is left out: the driver's name is spec.driver.podName
          spark.submit.deployMode                   | client                 | 0 | is left out: the driver always runs as a pod
          """)
  void propertiesOfTheRunAreLeftOut(String property, String value, int exitCode, String message)
      throws IOException {
    Cli cli =
        Cli.run("convert", "-f", write(PI + "  sparkConf: {" + property + ": '" + value + "'}\n"));
    assertThat(cli.exitCode()).as(cli.err()).isEqualTo(exitCode);
    assertThat(cli.err()).contains("spec.sparkConf." + property + ": " + message);
    assertThat(cli.out()).doesNotContain("sparkConf");
  }

  @Test
  void anObjectThatLosesItsLastFieldGoesToo() throws IOException {
    Cli cli =
        Cli.run("convert", "-f", write(PI + "  # stays\n  sparkUIOptions:\n    colour: red\n"));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.err()).contains("spec.sparkUIOptions.colour: is left out");
    assertThat(cli.out()).contains("# stays").doesNotContain("sparkUIOptions");
  }

  @Test
  void fractionsOfCoresBecomeRequests() throws IOException {
    Cli cli = Cli.run("convert", "-f", write(PI.replace("{cores: 1}", "{cores: 0.5}")));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("cores: 1, coreRequest: \"0.5\"");
  }

  @Test
  void theRestartPolicyOfTheOldestManifestsIsItsType() throws IOException {
    String old = PI.replace("v1beta2", "v1alpha1") + "  restartPolicy: Never   # once\n";
    Cli cli = Cli.run("convert", "-f", write(old));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).containsPattern("restartPolicy:\\s+type: Never");
  }

  @Test
  void filesAreJoinedAsDocuments() throws IOException {
    Path other = Files.writeString(folder.resolve("b.yaml"), PI.replace("name: pi", "name: b"));
    Cli cli = Cli.run("convert", "-f", write(PI), "-f", other);
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out().split("(?m)^---\n")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"A b", "''", "-x", "a/b", "a.b"})
  void aProfileMustBeAName(String name) throws IOException {
    Cli.assertRefused(
        Cli.run("convert", "--profile=" + name, "-f", write(PI)), "--profile: '" + name + "'");
  }

  @Test
  void aMissingFileIsNamed() {
    Cli.assertRefused(
        Cli.run("convert", "-f", folder.resolve("none.yaml")), folder.resolve("none.yaml") + ":");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("a.yaml"), text);
  }
}
