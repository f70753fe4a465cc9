package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers of {@code numaspark simulate} and what it says of wrong files. */
class SimulateCommandTest {
  private static final Path EXAMPLE =
      Path.of(System.getProperty("repository.root")).resolve("docs/examples/simulate");
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: a}
      spec: {containers: [{name: main, resources: {limits: {cpu: 4, memory: 1Gi}}}]}
      """;

  @TempDir private Path folder;

  @Test
  void jsonIsAsDocumented() throws IOException {
    Cli cli = Cli.run("simulate", "-f", EXAMPLE, "-o", "json");
    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isZero();
    JsonNode answer = new ObjectMapper().readTree(cli.out());
    assertThat(answer.at("/results/0").toString())
        .isEqualTo(
            "{\"pod\":\"exec-1\",\"admitted\":true,\"numaNodes\":[0],\"containers\":{\"executor\":\"1-4,17-20\"}}");
    assertThat(answer.at("/results/2").toString())
        .isEqualTo(
            "{\"pod\":\"exec-3\",\"admitted\":false,\"reason\":\"TopologyAffinityError\",\"message\":\"Pod was rejected: "
                + "Resources cannot be allocated with Topology locality\"}");
    assertThat(answer.at("/results/3").toString())
        .isEqualTo("{\"pod\":\"agent\",\"admitted\":true,\"numaNodes\":[],\"containers\":{}}");
    assertThat(answer.at("/results/4").toString())
        .isEqualTo("{\"pod\":\"exec-1\",\"removed\":true}");
    assertThat(answer.at("/free/1").toString())
        .isEqualTo("{\"numaNode\":1,\"cpus\":\"15,31\",\"memoryBytes\":114890375168}");
    assertThat(answer.has("notStarted")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          reservedCpuCount: 2         | reservedCpuCount: 0         | spec.kubelet.reservedCpus        | needs a CPU reservation
          single-numa-node            | sideways                    | spec.kubelet.topologyManagerPolicy | spec.kubelet.topologyManagerPolicy: Invalid value: "sideways": spec.kubelet.topologyManagerPolicy in body
          full-pcpus-only             | full-cores                  | spec.kubelet.cpuManagerPolicyOptions.full-cores | the kubelet knows no such option
          full-pcpus-only             | align-by-socket             | spec.kubelet.cpuManagerPolicyOptions.align-by-socket | needs the feature gate CPUManagerPolicyAlphaOptions
          '"true"'                    | '"maybe"'                   | spec.kubelet.cpuManagerPolicyOptions.full-pcpus-only | neither true nor false
          '"1": 1073741824'           | '"7": 1073741824'           | spec.kubelet.reservedMemory[7]   | there is no NUMA node 7
          cpuManagerPolicy: static    | cpuManagerPolicy: none      | spec.kubelet.cpuManagerPolicyOptions | takes no options
          """)
  void aKubeletThatDoesNotStartIsSaidWithFieldAndRemedy(
      String original, String changed, String field, String message) throws IOException {
    String topology =
        Files.readString(EXAMPLE.resolve("topology.yaml")).replace(plain(original), plain(changed));
    Cli cli = Cli.run("simulate", "-f", write(topology), "-f", write(POD), "-o", "json");
    assertThat(cli.out() + cli.err()).contains(field).contains(message);
    assertThat(cli.exitCode()).isIn(1, 2);
    assertThat(cli.exitCode() == 1).isEqualTo(cli.out().contains("\"notStarted\""));
  }

  private static String plain(String quoted) {
    return quoted.startsWith("'") ? quoted.substring(1, quoted.length() - 1) : quoted;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          cpu: 4, memory: 1Gi         | cpu: lots, memory: 1Gi      | spec.containers[0].resources.limits.cpu: 'lots' is not a quantity
          cpu: 4, memory: 1Gi         | cpu: -4, memory: 1Gi        | spec.containers[0].resources.limits.cpu: -4 is negative
          cpu: 4, memory: 1Gi         | cpu: 4, memory: 1Gigabyte   | spec.containers[0].resources.limits.memory: '1Gigabyte' is not a quantity
          limits                      | limit                       | spec.containers[0].resources.limit: a Pod has no such field
          "limits: {cpu: 4"           | "requests: {cpu: 5}, limits: {cpu: 4" | spec.containers[0].resources.requests.cpu: 5 is more than the limit 4
          "name: main,"               | ""                          | spec.containers[0].name: is missing
          name: a                     | labels: {}                  | Pod has no metadata.name
          containers                  | container                   | spec.containers: is empty
          v1                          | v2                          | Pod of v2 is not one of
          """)
  void aWrongPodIsRefusedWithItsField(String original, String changed, String message)
      throws IOException {
    Cli cli =
        Cli.run(
            "simulate",
            "-f",
            EXAMPLE.resolve("topology.yaml"),
            "-f",
            write(POD.replaceFirst(original.replace("{", "[{]"), changed)));
    assertThat(cli.err()).contains(message).doesNotContain("Exception");
    assertThat(cli.exitCode()).isEqualTo(2);
  }

  @Test
  void whatCannotBeASequenceIsRefused() throws IOException {
    Path topology = EXAMPLE.resolve("topology.yaml");
    assertThat(Cli.run("simulate", "-f", topology, "-f", write(POD + "---\n" + POD)).err())
        .contains("pod a comes twice");
    String departure =
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {numaspark.io/removed: \"true\"}}\n";
    assertThat(Cli.run("simulate", "-f", topology, "-f", write(departure)).err())
        .contains("pod a leaves before it came");
    assertThat(Cli.run("simulate", "-f", write(POD)).err())
        .contains("0 SparkNodeTopologies in the files; give exactly one");
  }

  @ParameterizedTest
  @CsvSource({
    "1e999999999, TopologyAffinityError",
    "1e99999999, TopologyAffinityError",
    "9999999999999999999999999999Ei, TopologyAffinityError",
    "1e-999999999, shared pool",
    "0.0000000001, shared pool"
  })
  void absurdQuantitiesAreTakenAsKubernetesTakesThem(String cpu, String outcome)
      throws IOException {
    Cli cli =
        Cli.run(
            "simulate",
            "-f",
            EXAMPLE.resolve("topology.yaml"),
            "-f",
            write(POD.replace("cpu: 4", "cpu: \"" + cpu + "\"")));
    assertThat(cli.out()).contains(outcome);
    assertThat(cli.exitCode()).isZero();
  }

  @Test
  void whereTheKubeletCrashesNothingIsPredicted() throws IOException {
    Path topology =
        write(
            Files.readString(EXAMPLE.resolve("topology.yaml"))
                .replace("id: 1\n", "id: 255\n")
                .replace("\"1\": 1073741824", "\"255\": 1073741824"));
    Cli cli = Cli.run("simulate", "-f", topology, "-f", write(POD));
    assertThat(cli.out())
        .contains("UndefinedByKubelet")
        .contains("a: the kubelet crashes: NUMA node id 255 does not fit");
    assertThat(cli.exitCode()).isZero();
  }

  @Test
  void featureGatesOpenAlphaOptions() throws IOException {
    Path topology =
        write(
            Files.readString(EXAMPLE.resolve("topology.yaml"))
                .replace("full-pcpus-only", "distribute-cpus-across-cores"));
    assertThat(Cli.run("simulate", "-f", topology, "-f", write(POD)).exitCode()).isEqualTo(1);
    assertThat(
            Cli.run(
                    "simulate",
                    "-f",
                    topology,
                    "-f",
                    write(POD),
                    "--feature-gates",
                    "CPUManagerPolicyAlphaOptions=true")
                .out())
        .contains("main 2-5");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "file", ".yaml"), text);
  }
}
