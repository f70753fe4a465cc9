package io.numaspark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an application may be reconciled again. */
class ReconcilePaceTest {
  private long now = Long.MAX_VALUE - 5; // a nanoTime may overflow
  private final ReconcilePace pace = new ReconcilePace(3, Duration.ofNanos(100), () -> now);
  private final ReconcilePace.Bucket application = pace.initState();

  @Test
  void theFirstOnesDoNotWait() {
    assertThat(wait(application)).isEmpty();
    assertThat(wait(application)).isEmpty();
    assertThat(wait(application)).isEmpty();
    assertThat(wait(application)).contains(Duration.ofNanos(100));
  }

  @Test
  void anotherApplicationDoesNotWait() {
    exhaust();
    assertThat(wait(pace.initState())).isEmpty();
  }

  @Test
  void theWaitIsWhatIsLeftOfThePeriod() {
    exhaust();
    now += 30;
    assertThat(wait(application)).contains(Duration.ofNanos(70));
    now += 69;
    assertThat(wait(application)).contains(Duration.ofNanos(1));
    now += 1;
    assertThat(wait(application)).isEmpty();
    assertThat(wait(application)).contains(Duration.ofNanos(100));
  }

  @Test
  void aPartOfAPeriodIsNotLost() {
    exhaust();
    now += 150;
    assertThat(wait(application)).isEmpty();
    assertThat(wait(application)).contains(Duration.ofNanos(50));
  }

  @Test
  void aLongPauseAllowsNoMoreThanTheBurst() {
    exhaust();
    now += 1_000_000;
    exhaust();
    assertThat(wait(application)).contains(Duration.ofNanos(100));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "-1, 1", "1, 0", "1, -1"})
  void refusesWhatWouldNeverLetAnythingPass(int burst, long nanoseconds) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReconcilePace(burst, Duration.ofNanos(nanoseconds), () -> 0))
        .withMessageContaining("burst must be at least 1 and period more than 0");
  }

  private void exhaust() {
    for (int i = 0; i < 3; i++) {
      assertThat(wait(application)).isEmpty();
    }
  }

  private Optional<Duration> wait(ReconcilePace.Bucket bucket) {
    return pace.isLimited(bucket);
  }
}
