package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.UnusableNode;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Profiles and their slots against a real API server. */
class ProfileIT extends OperatorAgainstApiServer {
  @Test
  void aProfileWithoutNodesSaysSo() {
    start();
    create(Samples.profile("lonely", "none"));
    eventually(
        () -> {
          SparkNodeProfileStatus status = profileStatus("lonely");
          assertThat(status.observedGeneration()).isEqualTo(1);
          assertThat(status.nodes().matched()).isZero();
          assertReady(status.conditions(), "False", "NoMatchingNode");
        });
  }

  @Test
  void aProfilePublishesItsSlots() {
    start();
    node("a-1", "a");
    node("a-2", "a");
    node("other", "b");
    create(Samples.profile("dual", "a"));
    eventually(() -> assertReady(profileStatus("dual").conditions(), "False", "NoTopology"));

    create(Samples.dualSocket("a-1"));
    eventually(
        () -> {
          SparkNodeProfileStatus status = profileStatus("dual");
          assertReady(status.conditions(), "True", "SlotsPublished");
          assertThat(status.slots().total()).isEqualTo(3);
          assertThat(status.slots().resource()).isEqualTo("slots.numaspark.io/dual");
          assertThat(status.nodes().matched()).isEqualTo(2);
          assertThat(status.nodes().usable()).isEqualTo(1);
          assertThat(status.unusableNodes())
              .singleElement()
              .satisfies(
                  unusable -> {
                    assertThat(unusable.name()).isEqualTo("a-2");
                    assertThat(unusable.reason()).isEqualTo("NoTopology");
                    assertThat(unusable.message()).contains("numaspark topology");
                  });
        });
    eventually(() -> assertThat(slots("a-1", "dual")).isEqualTo("3"));
    eventually(
        () ->
            assertThat(ApiServer.events(client, "default", "dual"))
                .contains("NoTopology", "ShapeFound", "SlotsPublished"));
    assertThat(slots("a-2", "dual")).isNull();
    assertThat(slots("other", "dual")).isNull();

    create(Samples.dualSocket("a-2"));
    eventually(() -> assertThat(slots("a-2", "dual")).isEqualTo("3"));
    eventually(
        () -> {
          SparkNodeProfileStatus status = profileStatus("dual");
          assertThat(status.slots().total()).isEqualTo(6);
          assertThat(status.nodeClasses())
              .singleElement()
              .satisfies(
                  nodes -> {
                    assertThat(nodes.nodes()).isEqualTo(2);
                    assertThat(nodes.slotsPerNode()).isEqualTo(3);
                  });
        });
  }

  /** Reconciliations follow each other faster than the cache sees our own writes. */
  @Test
  void aBurstOfEventsLeavesTheStatusWhole() {
    start();
    create(Samples.profile("dual", "a"));
    List<String> nodes = IntStream.range(10, 20).mapToObj(i -> "burst-" + i).toList();
    nodes.forEach(name -> node(name, "a"));
    List<SparkNodeTopology> topologies =
        nodes.stream().map(Samples::dualSocket).map(this::create).toList();
    eventually(
        () -> {
          assertThat(profileStatus("dual").slots().total()).isEqualTo(30);
          assertThat(profileStatus("dual").unusableNodes()).isEmpty();
        });
    topologies.subList(0, 5).forEach(topology -> client.resource(topology).delete());
    eventually(
        () -> {
          assertThat(profileStatus("dual").slots().total()).isEqualTo(15);
          assertThat(profileStatus("dual").unusableNodes())
              .extracting(UnusableNode::name)
              .isEqualTo(nodes.subList(0, 5));
        });
  }

  /** An old status that equals the new one is not a reason not to write. */
  @Test
  void aNodeThatComesAndGoesLeavesTheStatusTrue() {
    start();
    node("restless", "a");
    create(Samples.dualSocket("restless"));
    create(Samples.profile("dual", "a"));
    eventually(() -> assertReady(profileStatus("dual").conditions(), "True", "SlotsPublished"));
    for (int i = 0; i < 15; i++) {
      label("restless", "elsewhere");
      label("restless", "a");
    }
    eventually(
        () -> {
          assertThat(slots("restless", "dual")).isEqualTo("3");
          assertReady(profileStatus("dual").conditions(), "True", "SlotsPublished");
        });
  }

  @Test
  void slotsLeaveANodeThatLeavesTheProfile() {
    start();
    node("leaver", "a");
    create(Samples.dualSocket("leaver"));
    create(Samples.profile("dual", "a"));
    eventually(() -> assertThat(slots("leaver", "dual")).isEqualTo("3"));
    label("leaver", "elsewhere");
    eventually(() -> assertThat(slots("leaver", "dual")).isNull());
  }

  @Test
  void aNodeThatDiffersIsReportedAndNotUsed() {
    start();
    node("differs", "a");
    create(Samples.singleSocket("differs"));
    SparkNodeProfile profile = Samples.profile("dual", "a");
    profile.setSpec(
        Serialization.unmarshal(
            """
            nodeSelector: {matchLabels: {pool: a}}
            topology: {sockets: 2, threadsPerCore: 2}
            """,
            SparkNodeProfileSpec.class));
    create(profile);
    eventually(
        () -> {
          Condition ready =
              assertReady(profileStatus("dual").conditions(), "False", "TopologyDiffers");
          assertThat(ready.getMessage())
              .contains("node differs")
              .contains("spec.topology.sockets is 2, the node has 1")
              .contains("spec.topology.threadsPerCore is 2, the node has 1");
        });
    assertThat(slots("differs", "dual")).isNull();
  }

  @Test
  void anUnsuitableKubeletIsReported() {
    start();
    node("default-kubelet", "a");
    create(Samples.dualSocketWithDefaultKubelet("default-kubelet"));
    create(Samples.profile("dual", "a"));
    eventually(
        () -> assertReady(profileStatus("dual").conditions(), "False", "CpuManagerNotStatic"));
    assertThat(slots("default-kubelet", "dual")).isNull();
  }

  @Test
  void theOlderOfTwoProfilesHasTheNode() throws Exception {
    start();
    node("contested", "a");
    create(Samples.dualSocket("contested"));
    create(Samples.profile("older", "a"));
    Thread.sleep(1_100); // Creation times have a resolution of one second.
    create(Samples.profile("a-younger", "a"));
    eventually(
        () -> {
          Condition ready =
              assertReady(
                  profileStatus("a-younger").conditions(), "False", "NodeHasAnotherProfile");
          assertThat(ready.getMessage()).contains("the older profile older selects this node too");
        });
    // Slots are published after the profile's status.
    eventually(() -> assertThat(slots("contested", "older")).isEqualTo("3"));
    assertThat(slots("contested", "a-younger")).isNull();

    client.resources(SparkNodeProfile.class).withName("older").delete();
    eventually(
        () -> {
          assertThat(slots("contested", "older")).isNull();
          assertThat(slots("contested", "a-younger")).isEqualTo("3");
        });
  }

  @Test
  void slotsGoWithTheProfile() {
    start();
    node("used", "a");
    create(Samples.dualSocket("used"));
    create(Samples.profile("dual", "a"));
    eventually(() -> assertThat(slots("used", "dual")).isEqualTo("3"));
    client.resources(SparkNodeProfile.class).withName("dual").delete();
    eventually(
        () -> {
          assertThat(client.resources(SparkNodeProfile.class).withName("dual").get()).isNull();
          assertThat(slots("used", "dual")).isNull();
        });
    assertThat(client.nodes().withName("used").get().getStatus().getCapacity())
        .as("the node's other resources")
        .containsKey("cpu");
  }

  @Test
  void staleSlotsAreSweptAtStart() {
    node("stale", "a");
    client
        .nodes()
        .withName("stale")
        .editStatus(
            node -> {
              node.getStatus().getCapacity().put("slots.numaspark.io/gone", new Quantity("7"));
              node.getStatus().getAllocatable().put("slots.numaspark.io/gone", new Quantity("7"));
              return node;
            });
    assertThat(slots("stale", "gone")).isEqualTo("7");
    start();
    eventually(() -> assertThat(slots("stale", "gone")).isNull());
  }
}
