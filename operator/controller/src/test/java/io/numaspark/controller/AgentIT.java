package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.ExecutorInfo.Reporter;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.AgentCounts;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.KnobSummary;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.controller.fixture.Samples;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes get their agents and agents their wishes; the tests play the agents. */
class AgentIT extends OperatorAgainstApiServer {
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  @Test
  void aSelectedNodeIsObservedUntilItLeaves() {
    start();
    node("seen", "k1");
    create(Samples.profile("watcher", "k1"));
    eventually(() -> assertThat(agent("seen")).isEqualTo("observe"));
    label("seen", "elsewhere");
    eventually(() -> assertThat(agent("seen")).isNull());
  }

  /** Installed without agents, the operator may change no node and no topology. */
  @Test
  void withoutAgentsNothingIsOrdered() {
    start(Map.of("NUMASPARK_AGENTS", "false"));
    node("alone", "k10");
    create(Samples.dualSocket("alone"));
    create(enforcing("unheard", "k10"));
    eventually(() -> assertReady(profileStatus("unheard").conditions(), "True", "SlotsPublished"));
    stays(
        () -> {
          assertThat(agent("alone")).isNull();
          assertThat(knobs("alone")).isNull();
        });
  }

  @Test
  void wishesReachTheTopologyAndLeaveItAgain() {
    start();
    node("wished", "k2");
    create(Samples.dualSocket("wished"));
    create(Samples.profile("wisher", "k2"));
    spec("wisher", "\"prefetch\": {\"l1NextLine\": \"Disabled\", \"l2Stream\": \"Disabled\"}");
    eventually(
        () -> {
          WantedKnobs knobs = knobs("wished");
          assertThat(knobs).isNotNull();
          assertThat(knobs.profile()).isEqualTo("wisher");
          assertThat(knobs.settings())
              .isEqualTo(
                  Map.of("prefetch.l1NextLine", "Disabled", "prefetch.l2Stream", "Disabled"));
          assertThat(knobs.enforced()).isNullOrEmpty();
          assertThat(agent("wished")).isEqualTo("observe");
        });
    spec("wisher", "\"prefetch\": {\"l2Stream\": \"Unmanaged\", \"mode\": \"Enforce\"}");
    eventually(
        () -> {
          assertThat(settings("wished")).containsOnlyKeys("prefetch.l1NextLine");
          assertThat(knobs("wished").enforced()).containsExactly("prefetch.l1NextLine");
          assertThat(agent("wished")).isEqualTo("enforce");
        });
    assertThat(topology("wished").getSpec().numaNodes()).as("the agent's own").hasSize(2);

    String version = topology("wished").getMetadata().getResourceVersion();
    client
        .nodes()
        .withName("wished")
        .patch(MERGE, "{\"metadata\": {\"labels\": {\"other\": \"x\"}}}");
    stays(
        () -> assertThat(topology("wished").getMetadata().getResourceVersion()).isEqualTo(version));
    client.resources(SparkNodeProfile.class).withName("wisher").delete();
    eventually(
        () -> {
          assertThat(knobs("wished")).isNull();
          assertThat(agent("wished")).isNull();
        });
  }

  @Test
  void aTopologyThatComesLaterGetsItsWishes() {
    start();
    node("late", "k3");
    create(enforcing("early", "k3"));
    eventually(() -> assertThat(agent("late")).isEqualTo("enforce"));
    create(Samples.dualSocket("late"));
    eventually(() -> assertThat(settings("late")).containsEntry("memory.swappiness", "1"));
  }

  @Test
  void theWriterStaysUntilItHasPutEverythingBack() {
    start();
    node("changed", "k4");
    create(Samples.dualSocket("changed"));
    create(enforcing("changer", "k4"));
    eventually(() -> assertThat(agent("changed")).isEqualTo("enforce"));
    agentSays("changed", Instant.now(), "Applied");
    client.resources(SparkNodeProfile.class).withName("changer").delete();
    eventually(() -> assertThat(knobs("changed")).isNull());
    stays(() -> assertThat(agent("changed")).isEqualTo("enforce"));
    agentSays("changed", Instant.now(), "Restored");
    eventually(() -> assertThat(agent("changed")).isNull());
    assertThat(warnings("changed")).isEmpty();
  }

  @Test
  void anOperatorThatStartsLaterWaitsForTheWriterToo() {
    node("restart", "k5");
    create(Samples.dualSocket("restart"));
    agentSays("restart", Instant.now(), "Applied");
    client
        .nodes()
        .withName("restart")
        .patch(MERGE, "{\"metadata\": {\"labels\": {\"numaspark.io/agent\": \"enforce\"}}}");
    start();
    stays(() -> assertThat(agent("restart")).isEqualTo("enforce"));
    agentSays("restart", Instant.now(), "Restored");
    eventually(() -> assertThat(agent("restart")).isNull());
  }

  @Test
  void aSilentAgentIsGivenUpWithAnEvent() {
    MovingClock clock = new MovingClock();
    start(Map.of(), clock);
    node("silent", "k6");
    create(Samples.dualSocket("silent"));
    create(enforcing("leaving", "k6"));
    eventually(() -> assertThat(agent("silent")).isEqualTo("enforce"));
    agentSays("silent", clock.instant(), "Applied");
    client.resources(SparkNodeProfile.class).withName("leaving").delete();
    eventually(() -> assertThat(knobs("silent")).isNull());
    assertThat(agent("silent")).isEqualTo("enforce");

    clock.advance(Duration.ofMinutes(11));
    // The operator would look by itself, in eleven minutes of the real clock.
    label("silent", "elsewhere");
    eventually(() -> assertThat(agent("silent")).isNull());
    eventually(
        () ->
            assertThat(warnings("silent"))
                .singleElement()
                .satisfies(
                    event ->
                        assertThat(event.getNote())
                            .contains("node silent may still have changed knobs")
                            .contains("memory.swappiness")
                            .contains("kubectl label node silent numaspark.io/agent=enforce")));
  }

  @Test
  void theOlderOfTwoProfilesHasTheKnobs() throws Exception {
    start();
    node("shared", "k7");
    create(Samples.dualSocket("shared"));
    create(enforcing("first", "k7"));
    Thread.sleep(1_100); // Creation times have a resolution of one second.
    create(Samples.profile("a-second", "k7"));
    spec("a-second", "\"memory\": {\"swappiness\": 60}");
    stays(() -> assertThat(agent("shared")).isEqualTo("enforce"));
    assertThat(knobs("shared").profile()).isEqualTo("first");
    client.resources(SparkNodeProfile.class).withName("first").delete();
    eventually(
        () -> {
          assertThat(knobs("shared").profile()).isEqualTo("a-second");
          assertThat(settings("shared")).containsEntry("memory.swappiness", "60");
          assertThat(agent("shared")).isEqualTo("observe");
        });
  }

  @Test
  void aProfileSaysWhatBecameOfItsKnobs() {
    start();
    node("told", "k8");
    create(enforcing("teller", "k8"));
    eventually(() -> assertKnobs("teller", "Unknown", "Applying"));
    create(Samples.dualSocket("told"));
    agentSays("told", Instant.now(), "Applied");
    eventually(() -> assertKnobs("teller", "True", "Applied"));
    assertThat(profileStatus("teller").agents()).isEqualTo(new AgentCounts(1, 0, 0));
    assertThat(profileStatus("teller").knobs())
        .containsExactly(new KnobSummary("memory.swappiness", "1", true, Map.of("Applied", 1)));
    agentSays("told", Instant.now(), "Drifted");
    eventually(() -> assertKnobs("teller", "False", "Drifted"));
    agentSays("told", Instant.now(), "Applied");
    eventually(() -> assertKnobs("teller", "True", "Applied"));
    assertReady(profileStatus("teller").conditions(), "True", "SlotsPublished");
  }

  /** Its driver has no address here, so that nobody but the agent can tell. */
  @Test
  void anExecutorIsProvenByTheAgentOfItsNode() {
    start();
    node("numa", "k9");
    create(Samples.dualSocket("numa"));
    create(Samples.profile("prover", "k9"));
    eventually(() -> assertThat(slots("numa", "prover")).isEqualTo("3"));
    create(application("proven", "nodeProfile: prover"));
    eventually(() -> assertThat(status("proven").sparkApplicationId()).isNotNull());
    executor("proven", "1");
    runs("proven-exec-1");
    eventually(
        () ->
            assertThat(status("proven").executors())
                .singleElement()
                .extracting(ExecutorInfo::reason)
                .isEqualTo("DriverNotAnswering"));
    agentTells("numa", "proven-exec-1", "1-2,9-10", "1-2,9-10");
    eventually(
        () ->
            assertThat(status("proven").executors())
                .singleElement()
                .satisfies(
                    info -> {
                      assertThat(info.pinned()).as(info.message()).isEqualTo(Pinned.True);
                      assertThat(info.toldBy()).isEqualTo(Reporter.Agent);
                      assertThat(info.cpus()).isEqualTo("1-2,9-10");
                      assertThat(info.numaNode()).isZero();
                    }));
    agentTells("numa", "proven-exec-1", "1-2,9-10", "0-15");
    eventually(
        () ->
            assertThat(status("proven").executors())
                .singleElement()
                .extracting(ExecutorInfo::reason)
                .isEqualTo("KernelDisagrees"));
  }

  private void runs(String pod) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(pod)
        .subresource("status")
        .patch(
            MERGE,
            """
            {"status": {"containerStatuses": [{
              "name": "c", "image": "i", "imageID": "", "ready": true, "restartCount": 0, "containerID": "containerd://x",
              "state": {"running": {"startedAt": "%s"}}}]}}
            """
                .formatted(Instant.now().minusSeconds(60).truncatedTo(ChronoUnit.SECONDS)));
  }

  private void agentTells(String node, String pod, String cpus, String kernelCpus) {
    client
        .resources(SparkNodeTopology.class)
        .withName(node)
        .subresource("status")
        .patch(
            MERGE,
            """
            {"status": {"heartbeat": "%s", "exclusive": [{
              "namespace": "%s", "pod": "%s", "container": "c", "containerId": "x",
              "cpus": "%s", "memoryNodes": "0", "kernelCpus": "%s", "kernelMemoryNodes": "0"}]}}
            """
                .formatted(Instant.now(), namespace, pod, cpus, kernelCpus));
  }

  private void assertKnobs(String profile, String status, String reason) {
    Condition applied = condition(profileStatus(profile).conditions(), "KnobsApplied");
    assertThat(applied.getReason()).as(applied.getMessage()).isEqualTo(reason);
    assertThat(applied.getStatus()).isEqualTo(status);
  }

  private static SparkNodeProfile enforcing(String name, String pool) {
    SparkNodeProfile profile = Samples.profile(name, pool);
    profile.setSpec(
        Serialization.unmarshal(
            """
            nodeSelector: {matchLabels: {pool: %s}}
            memory: {mode: Enforce, swappiness: 1}
            """
                .formatted(pool),
            SparkNodeProfileSpec.class));
    return profile;
  }

  private void spec(String profile, String fields) {
    client
        .resources(SparkNodeProfile.class)
        .withName(profile)
        .patch(MERGE, "{\"spec\": {%s}}".formatted(fields));
  }

  private void agentSays(String node, Instant heartbeat, String state) {
    client
        .resources(SparkNodeTopology.class)
        .withName(node)
        .subresource("status")
        .patch(
            MERGE,
            """
            {"status": {"heartbeat": "%s", "knobs": [{"name": "memory.swappiness", "wanted": "1", "state": "%s"}]}}
            """
                .formatted(heartbeat, state));
  }

  private String agent(String node) {
    return client.nodes().withName(node).get().getMetadata().getLabels().get("numaspark.io/agent");
  }

  private SparkNodeTopology topology(String node) {
    return client.resources(SparkNodeTopology.class).withName(node).get();
  }

  private Map<String, String> settings(String node) {
    WantedKnobs knobs = knobs(node);
    return knobs == null ? Map.of() : knobs.settings();
  }

  private WantedKnobs knobs(String node) {
    return topology(node).getSpec().knobs();
  }

  private List<Event> warnings(String node) {
    return client.events().v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> "KnobsNotRestored".equals(event.getReason()))
        .filter(event -> node.equals(event.getRegarding().getName()))
        .toList();
  }

  /** The operator's clock, so that nobody has to wait for ten minutes. */
  private static final class MovingClock extends Clock {
    private volatile Duration ahead = Duration.ZERO;

    void advance(Duration by) {
      ahead = ahead.plus(by);
    }

    @Override
    public Instant instant() {
      return Instant.now().plus(ahead);
    }

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
