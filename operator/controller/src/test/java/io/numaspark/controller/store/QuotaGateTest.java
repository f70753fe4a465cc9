package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.controller.fixture.FakeClock;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.slots.StartDecision.Waiting;
import io.numaspark.render.application.ApplicationIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who starts in a namespace whose ResourceQuota allows so many slots of profile dual. */
class QuotaGateTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  private final List<ResourceQuota> quotas = new ArrayList<>();
  private final List<SparkApplication> applications = new ArrayList<>();
  private final FakeClock clock = new FakeClock(NOW);
  private final QuotaGate gate = new QuotaGate(namespace -> quotas, applications::stream, clock);

  @Test
  void withoutAQuotaOverTheProfilesSlotsEverybodyStarts() {
    quotas.add(quota("pods", "hard: {pods: \"1\", requests.slots.numaspark.io/other: \"1\"}", ""));
    assertThat(claim("a", 9)).isEmpty();
  }

  @Test
  void whatTheQuotaWouldNeverAllowIsSaidWithItsName() {
    allow(4, 0);
    assertThat(claim("a", 5))
        .contains(
            new Waiting(
                "QuotaTooSmall",
                "needs 5 slots, but ResourceQuota team allows 4 of requests.slots.numaspark.io/dual in the namespace; request"
                    + " fewer executors, or have it raised"));
    assertThat(claim("b", 4)).isEmpty();
  }

  @Test
  void whoeverFindsItUsedUpWaits() {
    allow(4, 3);
    assertThat(claim("a", 2))
        .contains(
            new Waiting(
                "WaitingForQuota",
                "needs 2 slots, but 3 of the 4 are in use that ResourceQuota team allows of"
                    + " requests.slots.numaspark.io/dual in the namespace; it starts when enough are free"));
    allow(4, 2);
    assertThat(claim("a", 2)).isEmpty();
  }

  @Test
  void twoThatStartAtOnceDoNotShareTheLastSlots() {
    allow(4, 0);
    assertThat(claim("a", 3)).isEmpty();
    assertThat(claim("a", 3)).as("asked again").isEmpty();
    assertThat(claim("b", 2)).isPresent();
    // Its status is seen before its executors are.
    applications.add(running("a", 3, NOW));
    clock.advance(Duration.ofMinutes(5));
    assertThat(claim("b", 2)).isPresent();
    clock.advance(Duration.ofMinutes(11));
    assertThat(claim("b", 2)).as("the API server would count them by now").isEmpty();
  }

  @Test
  void whoeverWasLetThroughAndNeverStartedIsForgotten() {
    allow(4, 0);
    claim("a", 3);
    clock.advance(Duration.ofMinutes(2));
    assertThat(claim("b", 2)).isEmpty();
  }

  @Test
  void oneThatHasEndedGivesItsClaimBackAtOnce() {
    allow(4, 0);
    claim("a", 3);
    SparkApplication ended = running("a", 3, NOW);
    ended.setStatus(
        Serialization.unmarshal(
            "sparkApplicationId: %s\napplicationState: {state: COMPLETED}\n"
                .formatted(ended.getStatus().sparkApplicationId()),
            SparkApplicationStatus.class));
    applications.add(ended);
    assertThat(claim("b", 2)).isEmpty();
  }

  @Test
  void onlyAskingClaimsNothing() {
    allow(4, 0);
    assertThat(gate.refusal(application("a"), 1, 4)).isEmpty();
    assertThat(claim("b", 4)).isEmpty();
  }

  @Test
  void quotasOfPodsThatExecutorsAreNotDoNotCount() {
    String hard = "hard: {requests.slots.numaspark.io/dual: \"1\"}";
    quotas.add(quota("terminating", hard + ", scopes: [Terminating]", ""));
    quotas.add(
        quota(
            "class",
            hard
                + ", scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: Exists}]}",
            ""));
    assertThat(claim("a", 2)).isEmpty();
    quotas.add(quota("lasting", hard + ", scopes: [NotTerminating]", ""));
    assertThat(claim("a", 2)).isPresent();
  }

  @Test
  void unpinnedApplicationsAreNotHeld() {
    allow(0, 0);
    assertThat(gate.claim(Samples.application("a", ""), 1, 0)).isEmpty();
    assertThat(claim("none", 0)).isEmpty();
  }

  private Optional<Waiting> claim(String name, int executors) {
    return gate.claim(application(name), 1, executors);
  }

  private void allow(int hard, int used) {
    quotas.clear();
    quotas.add(
        quota(
            "team",
            "hard: {requests.slots.numaspark.io/dual: \"%d\"}".formatted(hard),
            "used: {requests.slots.numaspark.io/dual: \"%d\"}".formatted(used)));
  }

  private static ResourceQuota quota(String name, String spec, String status) {
    return Serialization.unmarshal(
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: %s}\nspec: {%s}\nstatus: {%s}\n"
            .formatted(name, spec, status),
        ResourceQuota.class);
  }

  private static SparkApplication application(String name) {
    return Samples.application(name, "nodeProfile: dual\n");
  }

  private static SparkApplication running(String name, int executors, Instant since) {
    SparkApplication application = application(name);
    application.setStatus(
        Serialization.unmarshal(
            """
            sparkApplicationId: %s
            lastSubmissionAttemptTime: "%s"
            applicationState: {state: RUNNING}
            executorCounts: {wanted: %d}
            executorShape: {slots: 1}
            """
                .formatted(
                    ApplicationIdentity.of(application, 1).names().sparkAppId(), since, executors),
            SparkApplicationStatus.class));
    return application;
  }
}
