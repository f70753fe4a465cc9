package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.fixture.Samples;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Applications that start with all their executors or not at all, on a node with three slots. */
class AllOrNothingIT extends OperatorAgainstApiServer {
  private static final String NODE = "gang-1";
  private static final String SPEC =
      "nodeProfile: dual\nstart: AllOrNothing\nexecutor: {instances: %d}";

  @BeforeEach
  void aNodeWithThreeSlots() {
    node(NODE, "a");
    create(Samples.dualSocket(NODE));
    create(Samples.profile("dual", "a"));
  }

  @Test
  void theSecondStartsWhenTheFirstIsGone() {
    start();
    eventually(() -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
    create(application("first", SPEC.formatted(2)));
    eventually(() -> assertThat(state("first")).isEqualTo(State.SUBMITTED));
    create(application("second", SPEC.formatted(2)));
    eventually(() -> assertWaits("second", "WaitingForSlots"));
    assertThat(condition(status("second").conditions(), "Ready").getMessage())
        .contains("needs 2 slots, 3 free of which 2 are promised to others");

    // The promise outlives the operator that gave it.
    stop();
    start();
    stays(() -> assertWaits("second", "WaitingForSlots"));

    delete("first");
    eventually(
        Duration.ofSeconds(60), () -> assertThat(state("second")).isEqualTo(State.SUBMITTED));
  }

  /** No kubelet starts its driver here, so that no executor comes for the slots. */
  @Test
  void aDriverThatNeverStartsLosesItsPromise() {
    MovableClock clock = new MovableClock();
    start(Map.of(), clock);
    eventually(() -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
    create(application("stuck", SPEC.formatted(3)));
    eventually(() -> assertThat(state("stuck")).isEqualTo(State.SUBMITTED));
    create(application("second", SPEC.formatted(2)));
    eventually(() -> assertWaits("second", "WaitingForSlots"));
    clock.ahead = Duration.ofMinutes(16);
    eventually(
        Duration.ofSeconds(60), () -> assertThat(state("second")).isEqualTo(State.SUBMITTED));
    eventually(
        () ->
            assertThat(client.v1().events().inNamespace(namespace).list().getItems())
                .filteredOn(event -> event.getReason().equals("PromiseEnded"))
                .extracting(event -> event.getInvolvedObject().getName())
                .containsExactly("stuck"));
  }

  private static final class MovableClock extends Clock {
    private volatile Duration ahead = Duration.ZERO;

    @Override
    public Instant instant() {
      return Instant.now().plus(ahead);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("only instants are asked for");
    }
  }

  @Test
  void oneThatIsTooLargeIsToldTheNumbersAndBlocksNobody() {
    start();
    eventually(() -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
    create(application("huge", SPEC.formatted(4)));
    eventually(() -> assertWaits("huge", "NotEnoughSlots"));
    assertThat(condition(status("huge").conditions(), "Ready").getMessage())
        .contains("needs 4 slots, but profile dual has 3 on 1 nodes now");
    create(application("small", SPEC.formatted(3)));
    eventually(() -> assertThat(state("small")).isEqualTo(State.SUBMITTED));

    node("gang-2", "a");
    create(Samples.dualSocket("gang-2"));
    eventually(
        Duration.ofSeconds(60),
        () ->
            assertThat(condition(status("huge").conditions(), "Ready").getReason())
                .isEqualTo("WaitingForSlots"));
  }
}
