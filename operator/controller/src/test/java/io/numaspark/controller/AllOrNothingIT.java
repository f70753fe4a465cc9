package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.fixture.Samples;
import java.time.Duration;
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
    eventually(() -> assertState("second", State.PENDING, "WaitingForSlots"));
    assertThat(condition(status("second").conditions(), "Ready").getMessage())
        .contains("needs 2 slots, 3 free of which 2 are promised to others");

    // The promise outlives the operator that gave it.
    stop();
    start();
    stays(() -> assertState("second", State.PENDING, "WaitingForSlots"));

    delete("first");
    eventually(
        Duration.ofSeconds(60), () -> assertThat(state("second")).isEqualTo(State.SUBMITTED));
  }

  @Test
  void oneThatIsTooLargeIsToldTheNumbersAndBlocksNobody() {
    start();
    eventually(() -> assertThat(slots(NODE, "dual")).isEqualTo("3"));
    create(application("huge", SPEC.formatted(4)));
    eventually(() -> assertState("huge", State.PENDING, "NotEnoughSlots"));
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
