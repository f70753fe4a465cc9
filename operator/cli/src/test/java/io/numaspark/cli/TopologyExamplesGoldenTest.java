package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.numaspark.api.v1alpha1.CpuModel;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.planner.fixture.CommonMachines;
import io.numaspark.planner.fixture.GoldenFile;
import io.numaspark.planner.fixture.NamedMachines;
import io.numaspark.planner.fixture.NamedMachines.NamedMachine;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.render.profile.TopologyTranslator;
import io.numaspark.render.topology.TopologyDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes named and common machines as the topologies in docs/examples, and holds them to it. */
class TopologyExamplesGoldenTest {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("repository.root"), "docs/examples");

  static Stream<Arguments> machines() {
    return Stream.concat(
        NamedMachines.all().stream().map(named -> Arguments.of("topologies", named)),
        CommonMachines.all().stream().map(named -> Arguments.of("machines", named)));
  }

  @ParameterizedTest
  @MethodSource("machines")
  void exampleIsTheNamedMachine(String folder, NamedMachine named) throws IOException {
    assertThat(TopologyTranslator.machine(topology(named).getSpec())).isEqualTo(named.machine());
    String text = "# " + named.source() + "\n" + OutputFormat.YAML.print(topology(named));
    GoldenFile.hold(EXAMPLES.resolve(folder).resolve(named.name() + ".yaml"), text);
  }

  @Test
  void thereIsNoOtherExample() throws IOException {
    for (String folder : List.of("topologies", "machines")) {
      try (var files = Files.list(EXAMPLES.resolve(folder))) {
        assertThat(files.map(file -> folder + "/" + file.getFileName()))
            .containsExactlyInAnyOrderElementsOf(
                machines()
                    .filter(named -> named.get()[0].equals(folder))
                    .map(named -> folder + "/" + named.get()[1] + ".yaml")
                    .toList());
      }
    }
  }

  private static SparkNodeTopology topology(NamedMachine named) {
    SparkNodeTopology topology = new SparkNodeTopology();
    topology.setMetadata(new ObjectMetaBuilder().withName(named.name()).build());
    topology.setSpec(
        new SparkNodeTopologySpec(
            new CpuModel(
                named.vendor(),
                named.family() == 0 ? null : named.family(),
                named.model() == 0 ? null : named.model(),
                null,
                null),
            named.machine().topology().numaNodes().stream()
                .map(TopologyDocument::numaNode)
                .toList(),
            kubelet(named.machine().kubelet())));
    return topology;
  }

  private static KubeletSpec kubelet(KubeletSettings kubelet) {
    Map<String, Long> reservedMemory = new TreeMap<>();
    kubelet.reservedMemoryBytes().forEach((id, bytes) -> reservedMemory.put("" + id, bytes));
    return new KubeletSpec(
        kubelet.cpuManagerPolicy().kubeletName(),
        kubelet.cpuManager().options(),
        kubelet.topologyManagerPolicy().kubeletName(),
        kubelet.topologyManagerScope().kubeletName(),
        null,
        kubelet.memoryManagerPolicy().kubeletName(),
        kubelet.reservedCpus().cpus().toString(),
        null,
        reservedMemory,
        null,
        null,
        null,
        null);
  }
}
