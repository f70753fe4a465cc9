package io.numaspark.render.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.planner.fixture.GoldenFile;
import io.numaspark.render.fixture.Resources;
import io.numaspark.render.fixture.Specs;
import io.numaspark.render.picture.CpuHolder;
import io.numaspark.render.picture.HtmlPage;
import io.numaspark.render.picture.Link;
import io.numaspark.render.picture.NodePicture;
import io.numaspark.render.picture.Note;
import io.numaspark.render.picture.Picture;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FleetPictureGoldenTest {
  private static final Path EXPECTED = Path.of("src/test/resources/picture");
  private static final String PROFILE =
      "{metadata: {name: lab}, spec: {nodeSelector: {}, executor: {coresPerExecutor: {min: 2, max: 2}}}}";

  /** A fleet as a test says it. */
  private record Said(
      Map<String, ProfilePlan> plans,
      List<SparkApplication> running,
      Map<String, List<ExclusiveContainer>> agents)
      implements Fleet {
    @Override
    public Stream<SparkApplication> applications() {
      return running.stream();
    }

    @Override
    public Optional<SparkNodeTopologyStatus> agent(String node) {
      return Optional.ofNullable(agents.get(node))
          .map(
              exclusive ->
                  new SparkNodeTopologyStatus(
                      null, null, null, null, null, exclusive, null, null, null, null, null));
    }

    @Override
    public Optional<SlotUse> slots(String node) {
      return Optional.of(new SlotUse(3, 1, 1, 1));
    }
  }

  private static ProfilePlan plan(MatchedNode... nodes) {
    return ProfilePlanner.plan(Resources.profile(PROFILE).getSpec(), List.of(nodes), false);
  }

  private static MatchedNode node(String name) {
    return new MatchedNode(name, Optional.of(Specs.node(name, 4)));
  }

  private static Said fleet(List<SparkApplication> running, ExclusiveContainer... containers) {
    return new Said(
        Map.of("lab", plan(node("numa-0"), node("numa-1"))),
        running,
        Map.of("numa-0", List.of(containers)));
  }

  private static ExclusiveContainer container(String pod, String cpus, String kernelCpus) {
    return new ExclusiveContainer(
        "default", pod, "main", null, null, cpus, null, kernelCpus, null, null, null, null, null);
  }

  /** An application of which the status says where its executors are. */
  private static SparkApplication etl(String... executors) {
    return Resources.application(
        """
        metadata: {name: etl, namespace: default}
        spec: {type: Scala, mainApplicationFile: 'local:///a.jar', sparkVersion: 4.1.1, image: i}
        status:
          executorShape: {cpus: '4', taskSlots: 4, heap: 3Gi, podMemory: 3456Mi, slots: 1}
          executors: [%s]
        """
            .formatted(String.join(", ", executors)));
  }

  private static String executor(int id, String node, String phase, String rest) {
    return "{id: '%d', pod: etl-exec-%d, node: %s, phase: %s, %s}"
        .formatted(id, id, node, phase, rest);
  }

  private static final String PINNED = "cpus: '2-5', pinned: 'True', reason: Pinned";
  private static final String COUNTED =
      ", counters: {instructionsPerCycle: 0.8, remoteAccessPercent: 35}";
  private static final String SHARED =
      "cpus: '0-1,6-15', pinned: 'False', reason: NotWholeCpus, message: it may run on 12 CPUs";

  @Test
  void aClassIsDrawnOnceWithALinkToEachNode() {
    Picture picture = FleetPicture.of(fleet(List.of()));
    assertThat(picture.nodes()).hasSize(1);
    NodePicture drawn = picture.nodes().get(0);
    assertThat(drawn.name()).isEqualTo("Profile lab: numa-0 and 1 more like it");
    assertThat(drawn.holders())
        .extracting(CpuHolder::kind)
        .containsOnly(CpuHolder.Kind.SLOT)
        .hasSize(3);
    assertThat(drawn.links())
        .containsExactly(
            new Link("numa-0", "nodes/numa-0", "1 of 3 slots used, 1 free, 1 withheld"),
            new Link("numa-1", "nodes/numa-1", "1 of 3 slots used, 1 free, 1 withheld"));
  }

  @Test
  void namesAreEscapedInLinks() {
    assertThat(Link.segment("ip-10.example_com~1")).isEqualTo("ip-10.example_com~1");
    assertThat(Link.segment("../a b?ü")).isEqualTo("..%2Fa%20b%3F%C3%BC");
  }

  @Test
  void aPageDoesNotGrowWithItsNodes() {
    MatchedNode[] many =
        IntStream.range(0, 1000).mapToObj(i -> node("n" + i)).toArray(MatchedNode[]::new);
    MatchedNode[] unknown =
        IntStream.range(0, 1000)
            .mapToObj(i -> new MatchedNode("u" + i, Optional.empty()))
            .toArray(MatchedNode[]::new);
    Map<String, ProfilePlan> plans = new LinkedHashMap<>();
    plans.put("many", plan(many));
    plans.put("unknown", plan(unknown));
    Picture picture = FleetPicture.of(new Said(plans, List.of(), Map.of()));
    assertThat(picture.nodes().get(0).links()).hasSize(FleetPicture.MOST_NODES);
    assertThat(picture.nodes().get(0).description()).endsWith("800 nodes are not listed.");
    assertThat(picture.notes()).hasSizeBetween(1, 20);
    assertThat(picture.lead())
        .anyMatch(line -> line.startsWith("Profile unknown: no executor fits"));
  }

  @Test
  void withoutProfilesThePageSaysWhoKnows() {
    assertThat(FleetPicture.of(new Said(Map.of(), List.of(), Map.of())).lead())
        .singleElement()
        .asString()
        .contains("holds the lease");
  }

  @Test
  void executorsOtherPodsAndFreeSlotsAreDrawnOnTheirNode() {
    Said fleet =
        fleet(
            List.of(
                etl(
                    executor(1, "numa-0", "Running", PINNED + COUNTED),
                    executor(2, "numa-1", "Running", PINNED),
                    executor(3, "numa-0", "Failed", PINNED))),
            container("etl-exec-1", "2-5", "2-5"),
            container("db", "8-9", null),
            container("cache", null, "10-11"));
    NodePicture drawn = node(fleet, "numa-0");
    assertThat(drawn.holders())
        .extracting(CpuHolder::spoken)
        .containsExactly(
            "Executor 1 of default/etl. Pod default/etl-exec-1. CPUs 2-5 (4). Heap 3Gi, pod 3456Mi. Pinned."
                + " Instructions per cycle: 0.8. Accesses to memory of another socket or NUMA node, percent: 35",
            "Pod default/cache. CPUs 10-11 (2)",
            "Pod default/db. CPUs 8-9 (2)",
            "Slot 3. CPUs 12-15 (4). Heap 7075Mi, pod 7782Mi. Pinned as predicted");
  }

  @Test
  void anExecutorInTheSharedPoolHoldsNoCpusAndItsReasonIsANote() {
    NodePicture drawn =
        node(fleet(List.of(etl(executor(1, "numa-0", "Running", SHARED)))), "numa-0");
    assertThat(drawn.holders().get(0).cpus().isEmpty()).isTrue();
    assertThat(drawn.notes())
        .extracting(Note::subject, Note::message)
        .contains(
            tuple(
                "Executor 1 of default/etl is not pinned", "NotWholeCpus, it may run on 12 CPUs"));
  }

  @Test
  void whatCannotBeReadIsNotDrawnAndNotAnError() {
    SparkApplication odd =
        etl(
            executor(1, "numa-0", "Pending", "cpus: nonsense"),
            executor(2, "numa-0", "Running", ""));
    SparkApplication without = etl();
    without.setStatus(null);
    NodePicture drawn = node(fleet(List.of(odd, without), container("x", "8-", null)), "numa-0");
    assertThat(drawn.holders()).filteredOn(b -> b.kind() == CpuHolder.Kind.EXECUTOR).hasSize(2);
    assertThat(drawn.holders()).filteredOn(b -> b.kind() == CpuHolder.Kind.POD).isEmpty();
    assertThat(drawn.holders()).filteredOn(b -> b.kind() == CpuHolder.Kind.SLOT).hasSize(3);
  }

  @Test
  void aNodeThatNoProfileHasIsNotDrawn() {
    assertThat(FleetPicture.ofNode(fleet(List.of()), "other")).isEmpty();
  }

  @Test
  void pagesAreAsCommitted() throws IOException {
    Said fleet =
        fleet(
            List.of(
                etl(
                    executor(1, "numa-0", "Running", PINNED),
                    executor(2, "numa-0", "Running", SHARED))),
            container("db", "8-9", null));
    hold("fleet.html", FleetPicture.of(fleet));
    hold("fleet-node.html", FleetPicture.ofNode(fleet, "numa-0").orElseThrow());
  }

  private static void hold(String file, Picture picture) throws IOException {
    GoldenFile.hold(EXPECTED.resolve(file), HtmlPage.of(picture));
  }

  private static NodePicture node(Fleet fleet, String node) {
    List<NodePicture> nodes =
        new ArrayList<>(FleetPicture.ofNode(fleet, node).orElseThrow().nodes());
    assertThat(nodes).hasSize(1);
    return nodes.get(0);
  }
}
