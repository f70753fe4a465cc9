package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.Policies.exactly;
import static io.numaspark.planner.plan.Finding.Severity.ERROR;
import static io.numaspark.planner.plan.FindingCases.healthy;
import static io.numaspark.planner.plan.FindingCases.oneNumaNode;
import static io.numaspark.planner.plan.FindingCases.withId;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FindingsTest {

  @ParameterizedTest(name = "{0}")
  @MethodSource({
    "io.numaspark.planner.plan.SettingCases#ofSettings",
    "io.numaspark.planner.plan.FindingCases#ofReservationsAndHardware"
  })
  void findsIt(
      String state,
      Machine machine,
      List<Severity> severities,
      String reason,
      String message,
      String remedy) {
    List<Finding> findings = Findings.of(machine);
    assertThat(findings).extracting(Finding::severity).containsExactlyElementsOf(severities);
    assertThat(findings)
        .filteredOn(finding -> finding.reason().displayName().equals(reason))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.message()).contains(message);
              assertThat(finding.remedy()).contains(remedy);
            });
  }

  static Stream<Arguments> healthyMachines() {
    return Stream.of(
        Arguments.of("two sockets", healthy().build()),
        Arguments.of(
            "sparse NUMA ids",
            machine(withId(Topologies.dualSocketHt(), 1, 8)).reserving("0,16").build()),
        Arguments.of(
            "a core reserved on each NUMA node",
            machine(Topologies.dualSocketHt()).reserving("0,8,16,24").build()),
        Arguments.of(
            "split caches that are aligned",
            machine(Topologies.epycNps4())
                .reserving("0,192")
                .with("prefer-align-cpus-by-uncorecache")
                .build()),
        Arguments.of(
            "16 NUMA nodes that are allowed",
            machine(TopologyBuilder.sockets(2).numaNodesPerSocket(8).cores(4).build())
                .reserving("0")
                .withTopologyOption("max-allowable-numa-nodes", "16")
                .build()),
        Arguments.of(
            "one NUMA node, where topology and memory manager have nothing to decide",
            oneNumaNode()
                .with(TopologyManagerPolicy.NONE)
                .with(TopologyManagerScope.CONTAINER)
                .with(MemoryManagerPolicy.NONE)
                .build()),
        Arguments.of(
            "no SMT and no full-pcpus-only",
            machine(Topologies.singleSocketNoSmt())
                .reserving("0")
                .without(KubeletSettings.FULL_PCPUS_ONLY)
                .build()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("healthyMachines")
  void findsNothing(String state, Machine machine) {
    assertThat(Findings.of(machine, exactly(2))).isEmpty();
  }

  @Test
  void smtWhereTheProfileExpectsNoneIsAnError() {
    assertThat(Findings.of(healthy().build(), exactly(2, SmtMode.DISABLED)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(ERROR);
              assertThat(finding.reason()).isEqualTo(Reason.SMT_NOT_DISABLED);
              assertThat(finding.message())
                  .isEqualTo("the profile says spec.smt.mode: Disabled, but cores have 2 threads");
              assertThat(finding.remedy())
                  .containsSubsequence(
                      "numaspark smt NODE --to off",
                      "drains",
                      "reservedSystemCPUs",
                      "Isolated or Shared");
            });
  }

  @Test
  void eachLoneThreadIsNamed() {
    Machine machine = machine(Topologies.dualSocketHt()).reserving("0-2,16").build();
    assertThat(Findings.of(machine, exactly(2)))
        .extracting(Finding::remedy)
        .containsExactly(
            "reserve all threads of a core: 1,17, or none",
            "reserve all threads of a core: 2,18, or none");
  }

  @Test
  void optionsOfATopologyManagerThatIsOffAreNotJudged() {
    Machine machine =
        oneNumaNode()
            .with(TopologyManagerPolicy.NONE)
            .withTopologyOption("no-such-option", "true")
            .build();
    assertThat(Findings.of(machine)).isEmpty();
  }

  @Test
  void namesForPeopleAreCamelCase() {
    assertThat(Arrays.stream(Severity.values()).map(Severity::displayName))
        .containsExactly("Error", "Warning", "Info");
    assertThat(Arrays.stream(Reason.values()).map(Reason::displayName))
        .allMatch(name -> name.matches("([A-Z][a-z]+)+"))
        .doesNotHaveDuplicates();
  }

  @Test
  void everyReasonIsDocumentedOnce() throws IOException {
    List<String> documented =
        Files.readAllLines(Path.of("../../docs/findings.md")).stream()
            .filter(
                line ->
                    line.matches("[|] [A-Z]\\w+ [|] .*(Error|Warning|Info).* [|] .+ [|] .+ [|]"))
            .map(line -> line.split(" ")[1])
            .toList();
    assertThat(documented)
        .doesNotHaveDuplicates()
        .containsAll(Arrays.stream(Reason.values()).map(Reason::displayName).toList());
  }
}
