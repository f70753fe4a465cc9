package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Phase;
import io.numaspark.api.v1alpha1.TrialPermission;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.render.text.Labels;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Trials under the whole operator, against a real API server; the tests play kubelet. */
class TrialIT extends OperatorAgainstApiServer {
  private static final String NODE = "trial-1";
  private static final String TWO_EXECUTORS =
      "baseline: {application: {executor: {instances: 1}}}\n"
          + "arms: [{name: two, application: {executor: {instances: 2}}}]\n";

  @BeforeEach
  void aNodeWithThreeSlots() {
    node(NODE, "a");
    create(Samples.dualSocket(NODE));
    create(profile(List.of("*")));
  }

  @AfterEach
  void noTrialIsLeft() {
    client.resources(SparkTrial.class).inNamespace(namespace).delete();
  }

  private static SparkNodeProfile profile(List<String> namespaces) {
    SparkNodeProfile profile = Samples.profile("dual", "a");
    SparkNodeProfileSpec given = profile.getSpec();
    profile.setSpec(
        new SparkNodeProfileSpec(
            given.nodeSelector(),
            null,
            null,
            given.executor(),
            null,
            null,
            null,
            null,
            null,
            new TrialPermission(namespaces, null, null),
            null));
    return profile;
  }

  private void trial(String name, String spec) {
    SparkTrial trial =
        Serialization.unmarshal(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkTrial
            metadata: {name: %s, labels: {team: data}}
            spec:
              rounds: 5
              delayPercent: 0
              writes: Nothing
              template:
                type: Scala
                image: registry.example.com/spark:4
                mainClass: org.example.Main
                mainApplicationFile: local:///opt/app.jar
                arguments: ["{{arm}}/{{run}}"]
                nodeProfile: dual
            """
                    .formatted(name)
                + spec.indent(2),
            SparkTrial.class);
    client.resource(trial).inNamespace(namespace).create();
  }

  private SparkTrialStatus trialStatus(String name) {
    return Objects.requireNonNullElseGet(
        client.resources(SparkTrial.class).inNamespace(namespace).withName(name).get().getStatus(),
        () -> Serialization.unmarshal("{}", SparkTrialStatus.class));
  }

  private void edit(String name, String patch) {
    client
        .resources(SparkTrial.class)
        .inNamespace(namespace)
        .withName(name)
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private List<SparkApplication> runs() {
    return client
        .resources(SparkApplication.class)
        .inNamespace(namespace)
        .withLabel(Labels.TRIAL)
        .list()
        .getItems();
  }

  /** The kubelet's part: the driver has run for so many seconds. */
  private void driverEnds(String run, int seconds, int exitCode) {
    eventually(() -> assertThat(state(run)).isEqualTo(State.SUBMITTED));
    eventually(
        () ->
            assertThat(client.pods().inNamespace(namespace).withName(run + "-driver").get())
                .isNotNull());
    Instant start = Instant.now();
    patchDriver(
        run,
        driver -> {
          driver.getStatus().setPhase(exitCode == 0 ? "Succeeded" : "Failed");
          driver
              .getStatus()
              .setContainerStatuses(
                  List.of(
                      new ContainerStatusBuilder()
                          .withName(Labels.DRIVER_CONTAINER)
                          .withImage("i")
                          .withImageID("i")
                          .withReady(false)
                          .withRestartCount(0)
                          .withNewState()
                          .withNewTerminated()
                          .withExitCode(exitCode)
                          .withStartedAt(start.toString())
                          .withFinishedAt(start.plusSeconds(seconds).toString())
                          .endTerminated()
                          .endState()
                          .build()));
        });
  }

  @Test
  void anotherApplicationWaitsWhileATrialHasTheNodes() {
    start();
    eventually(() -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
    trial("pay", TWO_EXECUTORS);
    eventually(() -> assertThat(trialStatus("pay").phase()).isEqualTo(Phase.Calibrating));
    eventually(() -> assertThat(runs()).hasSize(1));
    SparkApplication run = runs().get(0);
    assertThat(run.getMetadata().getName()).isEqualTo("pay-ca0-baseline-1");
    assertThat(run.getSpec().executor().instances()).isEqualTo(1);
    assertThat(run.getSpec().arguments()).containsExactly("baseline/pay-ca0-baseline-1");
    assertThat(run.getMetadata().getLabels()).containsEntry("team", "data");
    assertThat(run.getMetadata().getOwnerReferences()).hasSize(1);
    eventually(() -> assertThat(reportsLoad()).isTrue());

    create(application("other", "nodeProfile: dual"));
    eventually(() -> assertWaits("other", "TrialHoldsNodes"));
    assertThat(condition(status("other").conditions(), "Ready").getMessage())
        .contains("SparkTrial " + namespace + "/pay");
    stop();
    start();
    stays(() -> assertWaits("other", "TrialHoldsNodes"));

    edit("pay", "{\"spec\":{\"suspend\":true}}");
    eventually(() -> assertThat(trialStatus("pay").phase()).isEqualTo(Phase.Suspended));
    eventually(() -> assertThat(runs()).isEmpty());
    eventually(Duration.ofSeconds(60), () -> assertThat(state("other")).isEqualTo(State.SUBMITTED));
    assertThat(trialStatus("pay").session()).isEqualTo(2);
    eventually(() -> assertThat(reportsLoad()).isNull());
  }

  /** Whether the agent of the node is to report how busy it is. */
  private Boolean reportsLoad() {
    return client.resources(SparkNodeTopology.class).withName(NODE).get().getSpec().reportLoad();
  }

  /** Its line needs the pods of its executors, and the prices are needed for the metric. */
  @Test
  void aTrialOfCostKeepsThePodsOfExecutors() {
    start();
    eventually(() -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
    assertThatThrownBy(() -> trial("pay", TWO_EXECUTORS + "metric: Cost\n"))
        .hasMessageContaining("spec.prices: metric Cost needs the prices");
    assertThatThrownBy(
            () ->
                trial(
                    "pay",
                    TWO_EXECUTORS
                        + "metric: Cost\nprices: {cpuHour: \"0.0\", gibibyteHour: \"0\"}\n"))
        .hasMessageContaining("nothing has a price");
    trial(
        "pay",
        TWO_EXECUTORS + "metric: Cost\nprices: {cpuHour: \"0.04\", gibibyteHour: \"0.005\"}\n");
    eventually(() -> assertThat(runs()).hasSize(1));
    assertThat(runs().get(0).getSpec().executor().deleteOnTermination()).isFalse();
  }

  @Test
  void runsFollowEachOtherAndAFailureOfTheBaselineEndsIt() {
    start();
    eventually(() -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
    trial("pay", TWO_EXECUTORS);
    try (Phases phases = new Phases()) {
      eventually(() -> assertThat(runs()).hasSize(1));
      driverEnds("pay-ca0-baseline-1", 60, 1);
      eventually(
          Duration.ofSeconds(60), () -> assertThat(phases.seen()).endsWith(Phase.Completed));
      stays(
          () ->
              assertThat(phases.seen())
                  .containsExactly(Phase.Waiting, Phase.Calibrating, Phase.Completed));
    }
    SparkTrialStatus status = trialStatus("pay");
    assertThat(status.ending()).isEqualTo("BASELINE_FAILED");
    assertThat(status.runs()).hasSize(1);
    assertThat(status.runs().get(0).outcome()).isEqualTo("FAILED");
    assertThat(status.runs().get(0).seconds()).isEqualTo(60);
    assertThat(condition(status.conditions(), "Trustworthy").getStatus()).isEqualTo("False");
    assertThat(status.summary()).contains("The application fails by itself.");
    // It stays, for whoever wants to know why.
    assertThat(runs())
        .extracting(run -> run.getMetadata().getName())
        .containsExactly("pay-ca0-baseline-1");
    assertThat(status.lockedSince()).isNull();
  }

  /** The phases of the trials in the order in which the API server had them. */
  private final class Phases implements AutoCloseable {
    private final List<Phase> seen = new CopyOnWriteArrayList<>();
    private final SharedIndexInformer<SparkTrial> informer =
        client
            .resources(SparkTrial.class)
            .inNamespace(namespace)
            .inform(
                new ResourceEventHandler<>() {
                  @Override
                  public void onAdd(SparkTrial trial) {
                    add(trial);
                  }

                  @Override
                  public void onUpdate(SparkTrial before, SparkTrial trial) {
                    add(trial);
                  }

                  @Override
                  public void onDelete(SparkTrial trial, boolean unknown) {}
                });

    private void add(SparkTrial trial) {
      Phase phase = trial.getStatus() == null ? null : trial.getStatus().phase();
      if (phase != null && (seen.isEmpty() || seen.get(seen.size() - 1) != phase)) {
        seen.add(phase);
      }
    }

    List<Phase> seen() {
      return seen;
    }

    @Override
    public void close() {
      informer.close();
    }
  }

  /** Nobody tells of executors here, so that a run is not what it says: that is seen, too. */
  @Test
  void aRunWithoutProofDoesNotCount() {
    start();
    eventually(() -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
    trial("pay", TWO_EXECUTORS);
    eventually(() -> assertThat(runs()).hasSize(1));
    driverEnds("pay-ca0-baseline-1", 60, 0);
    eventually(Duration.ofSeconds(60), () -> assertThat(trialStatus("pay").runs()).isNotEmpty());
    assertThat(trialStatus("pay").runs().get(0).outcome()).isEqualTo("INVALID");
    assertThat(trialStatus("pay").runs().get(0).remark()).contains("which CPUs its executors had");
  }

  @Test
  void theProfileIsPlannedAsTheRunNeedsItAndPutBack() {
    start();
    eventually(() -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
    trial(
        "shape",
        "baseline: {profile: {executor: {coresPerExecutor: {min: 1, max: 1, preferred: 1}}}}\n"
            + "arms: [{name: plain, profile: {executor: {maxHeap: 20Gi}}}]\n");
    eventually(
        Duration.ofSeconds(60),
        () -> assertThat(Integer.parseInt(slots(NODE, "dual"))).isGreaterThan(3));
    eventually(() -> assertThat(runs()).hasSize(1));
    assertThat(
            client
                .resources(SparkNodeProfile.class)
                .withName("dual")
                .get()
                .getSpec()
                .executor()
                .coresPerExecutor()
                .max())
        .isEqualTo(2);
    client.resources(SparkTrial.class).inNamespace(namespace).withName("shape").delete();
    eventually(Duration.ofSeconds(60), () -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
  }

  @Test
  void onlyOneTrialHasTheNodes() {
    start();
    eventually(() -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
    trial("first", TWO_EXECUTORS);
    eventually(() -> assertThat(trialStatus("first").phase()).isEqualTo(Phase.Calibrating));
    trial("second", TWO_EXECUTORS);
    eventually(
        () ->
            assertThat(condition(trialStatus("second").conditions(), "Locked").getReason())
                .isEqualTo("NodesLocked"));
    assertThat(trialStatus("second").phase()).isEqualTo(Phase.Waiting);
    client.resources(SparkTrial.class).inNamespace(namespace).withName("first").delete();
    eventually(
        Duration.ofSeconds(60),
        () -> assertThat(trialStatus("second").phase()).isEqualTo(Phase.Calibrating));
  }

  @Test
  void aProfileDecidesWhoMayLockIt() {
    create(profileNamed("closed", List.of("elsewhere")));
    start();
    trial("pay", "study: Pinning\n");
    edit("pay", "{\"spec\":{\"template\":{\"nodeProfile\":\"closed\"}}}");
    eventually(() -> assertPending("pay", "TrialsNotAllowed", "spec.trials.namespaces"));
    edit("pay", "{\"spec\":{\"template\":{\"nodeProfile\":\"none\"}}}");
    eventually(() -> assertPending("pay", "TrialProfileNotFound", "there is no SparkNodeProfile"));
    edit("pay", "{\"spec\":{\"template\":{\"nodeProfile\":\"dual\"},\"delayPercent\":20}}");
    eventually(() -> assertPending("pay", "InvalidTrial", "spec.delayPercent"));
    edit(
        "pay",
        "{\"spec\":{\"delayPercent\":0,\"study\":null,\"arms\":[{\"name\":\"x\",\"application\":{\"colour\":1}}]}}");
    eventually(() -> assertPending("pay", "InvalidTrial", "colour"));
    edit(
        "pay",
        "{\"spec\":{\"arms\":[{\"name\":\"x\",\"profile\":{\"nodeSelector\":{\"matchLabels\":{\"pool\":\"b\"}}}}]}}");
    eventually(() -> assertPending("pay", "InvalidTrial", "profile.nodeSelector"));
    edit(
        "pay",
        "{\"spec\":{\"arms\":[{\"name\":\"x\",\"profile\":{\"prefetch\":{\"mode\":\"Enforce\"}}}]}}");
    eventually(() -> assertPending("pay", "InvalidTrial", "mayChange"));
    edit("pay", "{\"spec\":{\"writes\":\"Elsewhere\",\"template\":{\"arguments\":null}}}");
    eventually(() -> assertPending("pay", "InvalidTrial", "{{run}}"));
    assertThat(runs()).isEmpty();
    assertThat(trialStatus("pay").lockedSince()).isNull();
  }

  private static SparkNodeProfile profileNamed(String name, List<String> namespaces) {
    SparkNodeProfile profile = profile(namespaces);
    profile.getMetadata().setName(name);
    return profile;
  }

  private void assertPending(String name, String reason, String message) {
    SparkTrialStatus status = trialStatus(name);
    assertThat(status.phase()).isEqualTo(Phase.Pending);
    assertThat(condition(status.conditions(), "Ready").getReason()).isEqualTo(reason);
    assertThat(condition(status.conditions(), "Ready").getMessage()).contains(message);
  }

  /** The plan is the same with other knobs, so nothing else would tell the agents. */
  @Test
  void agentsGetTheKnobsOfTheArmThatRuns() {
    SparkNodeProfile profile = client.resources(SparkNodeProfile.class).withName("dual").get();
    client
        .resources(SparkNodeProfile.class)
        .withName(profile.getMetadata().getName())
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\":{\"trials\":{\"mayChange\":[\"prefetch\"]}}}");
    start();
    eventually(() -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
    trial("knobs", "study: Prefetch\n");
    eventually(
        () ->
            assertThat(
                    client
                        .resources(SparkNodeTopology.class)
                        .withName(NODE)
                        .get()
                        .getSpec()
                        .knobs())
                .isNotNull()
                .extracting(knobs -> String.join(" ", knobs.enforced()))
                .asString()
                .contains("prefetch.l1NextLine"));
    assertThat(runs()).isEmpty();
  }
}
