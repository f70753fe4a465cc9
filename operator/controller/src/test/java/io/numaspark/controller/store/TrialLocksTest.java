package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.PinningSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.store.TrialLocks.Holder;
import io.numaspark.render.sparktrial.TrialPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrialLocksTest {
  private static final Instant NOW = Instant.parse("2026-11-25T08:00:00Z");

  private final List<SparkTrial> trials = new ArrayList<>();
  private final TrialLocks locks = new TrialLocks(trials::stream, () -> true);
  private final List<String> changes = new ArrayList<>();
  private final SparkNodeProfile profile = Samples.profile("dual", "a");

  private static SparkTrial trial(String name, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkTrial
        metadata: {name: %1$s, namespace: default, uid: uid-%1$s}
        spec:
          study: Pinning
          rounds: 7
          minimumEffectPercent: 3
          delayPercent: 0
          budgetMinutes: 240
          writes: Nothing
          template: {type: Scala, image: i, mainClass: m, mainApplicationFile: f, nodeProfile: dual}
        """
                .formatted(name)
            + status,
        SparkTrial.class);
  }

  private PinningSpec.Mode mode() {
    PinningSpec pinning = locks.planned(profile).pinning();
    return pinning == null ? null : pinning.mode();
  }

  @Test
  void theFirstHasTheNodesUntilItReleasesThem() {
    locks.changes().listen(changes::add);
    Holder first = Holder.of(trial("first", ""));
    Holder second = Holder.of(trial("second", ""));
    assertThat(locks.acquire("dual", first, NOW)).contains(NOW);
    assertThat(locks.acquire("dual", first, NOW.plusSeconds(9))).contains(NOW);
    assertThat(locks.acquire("dual", second, NOW)).isEmpty();
    assertThat(locks.acquire("other", second, NOW)).isPresent();
    locks.release(second);
    assertThat(locks.holder("dual")).contains(first);
    locks.release(first);
    assertThat(locks.holder("dual")).isEmpty();
    assertThat(changes)
        .as("each that was taken or released")
        .containsExactly("dual", "other", "other", "dual");
  }

  @Test
  void aProfileIsPlannedOtherwiseOnlyWhileItsTrialHasTheNodes() {
    locks.changes().listen(changes::add);
    SparkTrial trial = trial("pay", "");
    TrialPlan plan = TrialPlan.of(trial, 480);
    Holder holder = Holder.of(trial);
    locks.plan("dual", holder, plan.arm("free").variant());
    assertThat(mode()).isNull();
    locks.acquire("dual", holder, NOW);
    locks.plan("dual", holder, plan.arm("free").variant());
    locks.plan("dual", holder, plan.arm("same").variant());
    assertThat(mode()).isEqualTo(PinningSpec.Mode.Observe);
    assertThat(locks.effective(profile).getMetadata()).isSameAs(profile.getMetadata());
    assertThat(changes)
        .as("taken, and equal variants are one plan")
        .containsExactly("dual", "dual");
    locks.plan("dual", holder, plan.arm("pinned").variant());
    assertThat(mode()).isEqualTo(PinningSpec.Mode.Enforce);
    locks.release(holder);
    assertThat(locks.effective(profile)).isSameAs(profile);
  }

  @Test
  void anOperatorThatStartsReadsTheStatuses() {
    trials.add(trial("waits", "status: {phase: Waiting}\n"));
    trials.add(
        trial(
            "runs",
            "status: {phase: Confirming, lockedSince: '2026-11-25T07:00:00Z', run: {name: r, arm: free, phase: CONFIRMATION, round: 1}}\n"));
    trials.add(trial("forged", "status: {phase: Confirming, lockedSince: yesterday}\n"));
    assertThat(mode()).isEqualTo(PinningSpec.Mode.Observe);
    assertThat(locks.holder("dual")).contains(Holder.of(trials.get(1)));
    assertThat(locks.acquire("dual", Holder.of(trials.get(0)), NOW)).isEmpty();
    assertThat(locks.since("dual", Holder.of(trials.get(1))))
        .contains(Instant.parse("2026-11-25T07:00:00Z"));
  }

  /** The status is written after the nodes are released, and read from a cache that lags behind. */
  @Test
  void whatWasReleasedIsNotReadFromAnOldStatusAgain() {
    trials.add(trial("ends", "status: {phase: Confirming, lockedSince: '2026-11-25T07:00:00Z'}\n"));
    Holder holder = Holder.of(trials.get(0));
    assertThat(locks.holder("dual")).contains(holder);
    locks.release(holder);
    assertThat(locks.holder("dual")).isEmpty();
    assertThat(locks.acquire("dual", Holder.of(trial("next", "")), NOW)).contains(NOW);
  }

  @Test
  void aTrialThatNamesAnotherProfileGivesTheFirstBack() {
    Holder trial = Holder.of(trial("moves", ""));
    locks.acquire("dual", trial, NOW);
    locks.changes().listen(changes::add);
    assertThat(locks.acquire("other", trial, NOW.plusSeconds(1))).contains(NOW.plusSeconds(1));
    assertThat(locks.holder("dual")).isEmpty();
    assertThat(changes).containsExactly("dual", "other");
  }
}
