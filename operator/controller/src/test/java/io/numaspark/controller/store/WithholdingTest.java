package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.slots.Rejection;
import io.numaspark.controller.slots.Withheld;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WithholdingTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  private final Withholding withholding = new Withholding();

  @Test
  void aPodIsCountedOnce() {
    assertThat(withholding.record(rejection("uid-1", NOW), NOW)).isPresent();
    assertThat(withholding.record(rejection("uid-1", NOW), NOW)).isEmpty();
    withholding.prune("node-1", NOW.plusSeconds(60));
    assertThat(withholding.record(rejection("uid-1", NOW), NOW.plusSeconds(60))).isEmpty();
    assertThat(withholding.of("node-1", NOW).map(Withheld::rejections)).contains(1);
  }

  @Test
  void nodesAreIndependent() {
    withholding.record(rejection("uid-1", NOW), NOW);
    assertThat(withholding.of("node-2", NOW)).isEmpty();
  }

  @Test
  void whatIsPastDoesNotCount() {
    Instant longAgo = NOW.minus(Withheld.QUIET).minusSeconds(1);
    assertThat(withholding.record(rejection("uid-1", longAgo), NOW)).isEmpty();
    assertThat(withholding.of("node-1", NOW)).isEmpty();
  }

  @Test
  void aRestartedOperatorGoesOnWhereTheFormerOneWas() {
    Withheld told = new Withheld("OutOfcpu", 4, NOW, NOW.plusSeconds(2), NOW.plusSeconds(240));
    withholding.restore("node-1", told);
    assertThat(withholding.of("node-1", NOW.plusSeconds(10))).contains(told);
    assertThat(withholding.record(rejection("told", NOW.plusSeconds(2)), NOW.plusSeconds(10)))
        .as("a pod that the status tells of")
        .isEmpty();
    assertThat(withholding.record(rejection("new", NOW.plusSeconds(5)), NOW.plusSeconds(10)))
        .hasValueSatisfying(withheld -> assertThat(withheld.rejections()).isEqualTo(5));
  }

  @Test
  void aStatusDoesNotWinOverWhatWasSeenSince() {
    withholding.record(rejection("uid-1", NOW), NOW);
    Optional<Withheld> seen = withholding.of("node-1", NOW);
    withholding.restore(
        "node-1",
        new Withheld("OutOfcpu", 9, NOW.minusSeconds(9), NOW.minusSeconds(9), NOW.plusSeconds(21)));
    assertThat(withholding.of("node-1", NOW)).isEqualTo(seen);
  }

  @Test
  void aForgottenSeriesStartsAnewAfterPruning() {
    withholding.record(rejection("uid-1", NOW), NOW);
    Instant later = NOW.plus(Withheld.SHORTEST).plus(Withheld.QUIET).plusSeconds(1);
    withholding.prune("node-1", later);
    assertThat(withholding.record(rejection("uid-2", later), later))
        .hasValueSatisfying(withheld -> assertThat(withheld.rejections()).isEqualTo(1));
  }

  private static Rejection rejection(String uid, Instant at) {
    return new Rejection(
        uid, "default", "app", "node-1", "dual", "TopologyAffinityError", "refused", at);
  }
}
