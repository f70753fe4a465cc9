package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.render.proof.Diagnosis;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {
  private static final Instant FIRST = Instant.parse("2026-11-21T08:00:00.123456Z");
  private static final Instant LATER = Instant.parse("2026-11-21T09:00:00Z");

  private final List<Condition> before =
      new Conditions(null, 1L, FIRST)
          .add("Ready", "False", new Diagnosis("Waiting", "it waits"))
          .build();

  @Test
  void aNewConditionHasTheTimeInWholeSeconds() {
    Condition condition = before.get(0);
    assertThat(condition.getLastTransitionTime()).isEqualTo("2026-11-21T08:00:00Z");
    assertThat(condition.getObservedGeneration()).isEqualTo(1);
  }

  @Test
  void theTimeIsCarriedOverWhileTheStatusStays() {
    assertThat(
            new Conditions(before, 2L, LATER)
                .add("Ready", "False", new Diagnosis("Other", "m"))
                .build())
        .singleElement()
        .satisfies(
            condition -> {
              assertThat(condition.getLastTransitionTime()).isEqualTo("2026-11-21T08:00:00Z");
              assertThat(condition.getReason()).isEqualTo("Other");
              assertThat(condition.getObservedGeneration()).isEqualTo(2);
            });
  }

  @Test
  void theTimeIsNewWhenTheStatusChangesOrTheTypeIsAnother() {
    assertThat(
            new Conditions(before, 1L, LATER)
                .add("Ready", "True", new Diagnosis("R", "m"))
                .add("Planned", "False", new Diagnosis("R", "m"))
                .build())
        .extracting(Condition::getLastTransitionTime)
        .containsOnly("2026-11-21T09:00:00Z");
  }

  @Test
  void whatKstatusReadsHasTheWordsOfReadyAndIsAbsentOtherwise() {
    assertThat(with("False", Progress.CONTINUES))
        .extracting(Condition::getType, Condition::getStatus, Condition::getReason)
        .containsExactly(tuple("Ready", "False", "R"), tuple("Reconciling", "True", "R"));
    assertThat(with("Unknown", Progress.STUCK))
        .extracting(Condition::getType, Condition::getMessage)
        .containsExactly(tuple("Ready", "m"), tuple("Stalled", "m"));
    assertThat(with("False", Progress.SETTLED)).hasSize(1);
    assertThat(with("True", Progress.STUCK)).hasSize(1);
  }

  private static List<Condition> with(String ready, Progress progress) {
    return new Conditions(null, 1L, FIRST)
        .add("Ready", ready, new Diagnosis("R", "m"))
        .addProgress(progress)
        .build();
  }

  @Test
  void aMessageIsOneLineOfBoundedLength() {
    assertThat(
            new Conditions(null, 1L, FIRST)
                .add("Ready", "True", new Diagnosis("R", "a\nb" + "x".repeat(40_000)))
                .build()
                .get(0)
                .getMessage())
        .startsWith("a bx")
        .hasSize(4096);
  }
}
