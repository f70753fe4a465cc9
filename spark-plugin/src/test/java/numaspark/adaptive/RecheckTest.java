package numaspark.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecheckTest {
  private final Recheck recheck = new Recheck(SettingsOf.dynamic(), 4, 100e6, false);

  @Test
  void aStageThatMovesWhatWasMeasuredIsLeftAlone() {
    for (int i = 0; i < 10; i++) {
      assertThat(recheck.after(moving(4, i % 2 == 0 ? 60 : 90))).isEqualTo(new ClimbMove.Try(4));
    }
  }

  @Test
  void halvesAsLongAsFewerMoveMore() {
    fallBehind(4);
    assertThat(recheck.after(moving(2, 45))).isEqualTo(new ClimbMove.Try(1));
    assertThat(recheck.after(moving(1, 44))).isEqualTo(new ClimbMove.Settle(2, Outcome.EXPLORED));
    assertThat(recheck.after(moving(2, 30))).isEqualTo(new ClimbMove.Try(2));
    assertThat(recheck.after(moving(2, 30))).isEqualTo(new ClimbMove.Try(1));
    assertThat(recheck.after(moving(1, 31))).isEqualTo(new ClimbMove.Settle(1, Outcome.EXPLORED));
    assertThat(recheck.goesOn()).isFalse();
  }

  @Test
  void goesBackWhereFewerMoveLessAndGivesUpAfterTwoTrials() {
    fallBehind(4);
    assertThat(recheck.after(moving(2, 20))).isEqualTo(new ClimbMove.Settle(4, Outcome.EXPLORED));
    assertThat(recheck.after(moving(4, 40))).as("the new measure").isEqualTo(new ClimbMove.Try(4));
    fallBehind(4, 20);
    assertThat(recheck.after(moving(2, 10))).isEqualTo(new ClimbMove.Settle(4, Outcome.EXPLORED));
    assertThat(recheck.goesOn()).isFalse();
  }

  @Test
  void halfOfWhatWasClimbedToIsTriedAtOnceAndThenOnlyForAReason() {
    Recheck climbed = new Recheck(SettingsOf.dynamic(), 4, 100e6, true);
    assertThat(climbed.after(moving(4, 100))).isEqualTo(new ClimbMove.Try(2));
    assertThat(climbed.after(moving(2, 90))).isEqualTo(new ClimbMove.Try(4));
    for (int i = 0; i < 10; i++) {
      assertThat(climbed.after(moving(4, 90))).isEqualTo(new ClimbMove.Try(4));
    }
    assertThat(climbed.goesOn()).isTrue();
  }

  private void fallBehind(int threads) {
    fallBehind(threads, 40);
  }

  private void fallBehind(int threads, double megabytes) {
    assertThat(recheck.after(moving(threads, megabytes))).isEqualTo(new ClimbMove.Try(threads));
    assertThat(recheck.after(moving(threads, megabytes))).isEqualTo(new ClimbMove.Try(threads / 2));
  }

  /** One second of all threads. */
  private static IntervalMeasurement moving(int threads, double megabytes) {
    return new IntervalMeasurement(threads, threads, (long) (megabytes * 1e6), threads, threads);
  }
}
