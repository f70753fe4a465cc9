package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.fixture.Samples;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Pinned applications in a namespace with a ResourceQuota over slots.
 *
 * <p>No controller manager counts here: the test writes what the quota's status says.
 */
class QuotaIT extends OperatorAgainstApiServer {
  private static final String SPEC = "nodeProfile: dual\nexecutor: {instances: %d}";

  @BeforeEach
  void aNodeWithThreeSlots() {
    node("quota-1", "a");
    create(Samples.dualSocket("quota-1"));
    create(Samples.profile("dual", "a"));
    client
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: v1
                kind: ResourceQuota
                metadata: {name: team, namespace: %s}
                spec: {hard: {requests.slots.numaspark.io/dual: "2"}}
                """
                    .formatted(namespace),
                ResourceQuota.class))
        .create();
    use(2);
    start();
    eventually(() -> assertThat(slots("quota-1", "dual")).isEqualTo("3"));
  }

  @Test
  void whatTheQuotaRefusesWaitsUntilItIsFree() {
    create(application("waits", SPEC.formatted(1)));
    eventually(() -> assertWaits("waits", "WaitingForQuota"));
    assertThat(condition(status("waits").conditions(), "Ready").getMessage())
        .contains("2 of the 2 are in use that ResourceQuota team allows");
    use(1);
    eventually(Duration.ofSeconds(60), () -> assertThat(state("waits")).isEqualTo(State.SUBMITTED));
    eventually(
        Duration.ofSeconds(60),
        () -> assertThat(status("waits").applicationState().waitingSince()).isNull());
  }

  @Test
  void whatTheQuotaNeverAllowsSaysSo() {
    create(application("huge", SPEC.formatted(3)));
    eventually(() -> assertWaits("huge", "QuotaTooSmall"));
  }

  @Test
  void ofTwoThatComeAtOnceOneWaits() {
    use(0);
    create(application("one", SPEC.formatted(2)));
    create(application("other", SPEC.formatted(2)));
    eventually(
        () ->
            assertThat(List.of(waits("one"), waits("other")))
                .containsExactlyInAnyOrder(true, false));
    stays(
        () ->
            assertThat(List.of(waits("one"), waits("other")))
                .containsExactlyInAnyOrder(true, false));
  }

  private boolean waits(String name) {
    return status(name).applicationState().waitingSince() != null;
  }

  private void use(int slots) {
    client
        .resourceQuotas()
        .inNamespace(namespace)
        .withName("team")
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            """
            {"status": {"hard": {"requests.slots.numaspark.io/dual": "2"},
             "used": {"requests.slots.numaspark.io/dual": "%d"}}}
            """
                .formatted(slots));
  }
}
