package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.planner.fixture.GoldenFile;
import io.numaspark.render.kubelet.KubeletConfigReader;
import io.numaspark.render.kubelet.KubeletPlatform;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the settings of each platform for a fleet of three kinds of machines to files; {@code
 * -Dgolden.update} writes them anew.
 */
class KubeletConfigGoldenTest {
  private static final Path FOLDER = Path.of("src/test/resources/kubelet-config");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  static Stream<Arguments> platforms() {
    return Arrays.stream(KubeletPlatform.values())
        .map(platform -> Arguments.of(platform.id(), platform.id() + ".yaml"));
  }

  @ParameterizedTest
  @MethodSource("platforms")
  void settingsAsCommitted(String platform, String file) throws IOException {
    Cli cli = fleet(platform);
    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isZero();
    GoldenFile.hold(FOLDER.resolve("expected").resolve(file), cli.out());
  }

  @Test
  void oneDocumentForEachDifferentResultNamesItsNodes() throws IOException {
    Cli cli = fleet("kubelet-drop-in");
    assertThat(documents(cli.out())).hasSize(3);
    assertThat(cli.out())
        .contains("# For nodes: dual-1 dual-2\n", "# For node: epyc-1\n", "# For node: no-smt-1\n");
  }

  @ParameterizedTest
  @CsvSource({
    "kubelet-drop-in, ''",
    "kubeadm, ''",
    "eks, /spec/kubelet/config",
    "talos, /machine/kubelet/extraConfig"
  })
  void reservedMemoryIsTheSumOfItsParts(String platform, String pointer) throws IOException {
    for (JsonNode document : documents(fleet(platform).out())) {
      JsonNode kubelet = document.at(pointer);
      BigDecimal sum = BigDecimal.ZERO;
      for (JsonNode share : kubelet.get("reservedMemory")) {
        sum = sum.add(bytes(share.at("/limits/memory")));
      }
      assertThat(sum)
          .isEqualByComparingTo(
              bytes(kubelet.at("/kubeReserved/memory"))
                  .add(bytes(kubelet.at("/systemReserved/memory")))
                  .add(bytes(kubelet.get("evictionHard").get("memory.available"))));
    }
  }

  /** What it recommends is what doctor finds no fault with. */
  @Test
  void aFleetConfiguredSoHasNoFindings(@TempDir Path folder) throws IOException {
    for (JsonNode topology : documents(Files.readString(FOLDER.resolve("topologies.yaml")))) {
      Path node = folder.resolve("topology.json");
      Files.writeString(node, topology.toString());
      Path settings = folder.resolve("90-numaspark.conf");
      Files.writeString(
          settings, Cli.run("kubelet-config", "-f", node, "--for", "kubelet-drop-in").out());
      ((ObjectNode) topology.get("spec"))
          .set(
              "kubelet",
              new ObjectMapper().valueToTree(KubeletConfigReader.read(settings, Optional.empty())));
      Files.writeString(node, topology.toString());
      assertThat(Cli.run("doctor", "-f", node))
          .isEqualTo(new Cli(0, "No findings: 1 node of 1 kind.\n", ""));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --for kubelet-drop-in --reserve-cores 0                | reserved cores: is 0; a static CPU manager needs at least 1
          --for kubelet-drop-in --reserve-cores 99               | SparkNodeTopology dual-1: reserving 99 of 16 cores leaves none to executors; reserve fewer
          --for kubelet-drop-in --system-reserved-memory much    | --system-reserved-memory: 'much' is not a quantity of bytes; write for example 1Gi
          --for kubelet-drop-in --kube-reserved-memory 1G        | kubeReserved memory: 1000000000 bytes is not a whole number of MiB; write
          --for kubelet-drop-in --eviction-memory 5%             | --eviction-memory: '5%' is not a quantity of bytes; write
          --for kubelet-drop-in --eviction-memory -1Mi           | evictionHard memory.available: -1048576 bytes is not a whole number of MiB
          --for kubelet-drop-in --kube-reserved-memory 1Ti       | SparkNodeTopology dual-1: NUMA node 0 has less than the
          """)
  void badOptionsAreNamed(String options, String message) {
    List<Object> arguments = new ArrayList<>(List.of("kubelet-config", "-f", FOLDER));
    arguments.addAll(List.of((Object[]) options.split(" ")));
    Cli cli = Cli.run(arguments.toArray());
    assertThat(cli.err()).startsWith("numaspark: " + message).doesNotContain("\tat ", "Exception");
    assertThat(cli.out()).isEmpty();
    assertThat(cli.exitCode()).isEqualTo(2);
  }

  @Test
  void anUnknownPlatformIsAnsweredWithThoseThatThereAre() {
    Cli cli = Cli.run("kubelet-config", "-f", FOLDER, "--for", "aks");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .contains("'aks' is not one of kubelet-drop-in, kubeadm, eks, gke, openshift, talos");
  }

  @Test
  void whatHasNoPlaceHereIsNamed() {
    Cli pods =
        Cli.run(
            "kubelet-config",
            "-f",
            FOLDER,
            "-f",
            Path.of("src/test/resources/doctor/pods.yaml"),
            "--for",
            "gke");
    assertThat(pods.exitCode()).isEqualTo(2);
    assertThat(pods.err())
        .startsWith("numaspark: kubelet settings do not depend on Pod plain-exec-1; leave it out");
    Cli twice =
        Cli.run(
            "kubelet-config",
            "-f",
            FOLDER,
            "-f",
            FOLDER.resolve("topologies.yaml"),
            "--for",
            "gke");
    assertThat(twice.exitCode()).isEqualTo(2);
    assertThat(twice.err())
        .startsWith("numaspark: two SparkNodeTopology objects are named dual-1; each is one node");
  }

  @Test
  void aTopologyIsNeeded() {
    Cli cli =
        Cli.run("kubelet-config", "-f", FOLDER.resolve("profile.yaml"), "--for", "kubelet-drop-in");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("numaspark: no SparkNodeTopology in the files; add one");
  }

  private static Cli fleet(String platform) {
    return Cli.run("kubelet-config", "-f", FOLDER, "--for", platform);
  }

  private static List<JsonNode> documents(String text) throws IOException {
    try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(text)) {
      return documents.readAll();
    }
  }

  private static BigDecimal bytes(JsonNode quantity) {
    return Quantity.getAmountInBytes(Quantity.parse(quantity.asText()));
  }
}
