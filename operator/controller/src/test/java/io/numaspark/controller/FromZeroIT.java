package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.NodeCounts;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import org.junit.jupiter.api.Test;

/** A profile of a cluster that has no node of it until an autoscaler adds one. */
class FromZeroIT extends OperatorAgainstApiServer {
  private static final String PROFILE = "dual";
  private static final String TEMPLATE = "kind-of-node";
  private static final String NODE = "zero-1";

  @Test
  void driversStartBeforeTheFirstNodeAndSlotsComeWithIt() {
    start();
    create(Samples.dualSocket(TEMPLATE));
    String template = copiedFromANode();
    create(profile());
    create(application("first", "nodeProfile: " + PROFILE));
    create(application("gang", "nodeProfile: " + PROFILE + "\nstart: AllOrNothing"));
    eventually(() -> assertThat(state("first")).isEqualTo(State.SUBMITTED));
    eventually(
        () ->
            assertThat(client.pods().inNamespace(namespace).withName("first-driver").get())
                .isNotNull());
    assertThat(client.configMaps().inNamespace(namespace).list().getItems())
        .flatExtracting(map -> map.getData().values())
        .anySatisfy(
            file -> assertThat(file).contains("slots.numaspark.io/" + PROFILE).contains("limits"));
    eventually(() -> assertWaits("gang", "NotEnoughSlots"));
    SparkNodeProfileStatus status = profileStatus(PROFILE);
    assertReady(status.conditions(), "False", "NoNodeYet");
    assertThat(condition(status.conditions(), "Planned"))
        .satisfies(
            planned -> {
              assertThat(planned.getStatus()).isEqualTo("True");
              assertThat(planned.getReason()).isEqualTo("PlannedOnTemplates");
              assertThat(planned.getMessage()).contains(TEMPLATE + " (3 slots)");
            });
    assertThat(status.nodes()).isEqualTo(new NodeCounts(0, 0, 0));
    assertThat(status.slots().total()).isZero();
    assertThat(status.executor().cores()).isEqualTo(2);

    node(NODE, "zero");
    create(Samples.dualSocket(NODE));
    eventually(
        () -> {
          assertReady(profileStatus(PROFILE).conditions(), "True", "SlotsPublished");
          assertThat(condition(profileStatus(PROFILE).conditions(), "Planned").getReason())
              .isEqualTo("ShapeFound");
          assertThat(profileStatus(PROFILE).slots().total()).isEqualTo(3);
          assertThat(slots(NODE, PROFILE)).isEqualTo("3");
          assertThat(state("gang")).isEqualTo(State.SUBMITTED);
        });
    assertThat(profileStatus(PROFILE).executor().cpus()).isEqualTo(status.executor().cpus());
    stays(() -> assertThat(templateVersion()).as("nobody writes a template").isEqualTo(template));
  }

  @Test
  void aTemplateMayComeLate() {
    start();
    create(profile());
    create(application("early", "nodeProfile: " + PROFILE));
    eventually(() -> assertWaits("early", "ProfileNotReady"));
    assertThat(
            assertReady(profileStatus(PROFILE).conditions(), "False", "TemplateUnusable")
                .getMessage())
        .contains("spec.nodeTemplates: " + TEMPLATE + ": there is no SparkNodeTopology");
    create(Samples.dualSocket(TEMPLATE));
    eventually(() -> assertThat(state("early")).isEqualTo(State.SUBMITTED));
  }

  /** With an order to the agent of the node from which it was copied; its new version. */
  private String copiedFromANode() {
    return client
        .resources(SparkNodeTopology.class)
        .withName(TEMPLATE)
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"reportLoad\": true}}")
        .getMetadata()
        .getResourceVersion();
  }

  private String templateVersion() {
    return client
        .resources(SparkNodeTopology.class)
        .withName(TEMPLATE)
        .get()
        .getMetadata()
        .getResourceVersion();
  }

  private static SparkNodeProfile profile() {
    SparkNodeProfile profile = Samples.profile(PROFILE, "zero");
    profile.setSpec(
        Serialization.unmarshal(
            """
            nodeSelector: {matchLabels: {pool: zero}}
            executor: {coresPerExecutor: {min: 2, max: 2}}
            nodeTemplates: [%s]
            """
                .formatted(TEMPLATE),
            SparkNodeProfileSpec.class));
    return profile;
  }
}
