package numaspark.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import numaspark.adaptive.Messages.StageKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SlotLedgerTest {
  private static final StageKey FIRST = new StageKey(1, 0);
  private static final StageKey SECOND = new StageKey(2, 0);

  private final SlotLedger ledger = new SlotLedger();

  @BeforeEach
  void twoExecutorsOfSixteen() {
    ledger.executorComes("0", 16);
    ledger.executorComes("1", 16);
    ledger.stageStarts(FIRST);
  }

  @Test
  void withholdsWhatTheOnlyStageCannotUseAndGivesItBackAtItsEnd() {
    ledger.limit(FIRST, "0", 4, 1);
    assertThat(ledger.changes()).containsOnly(java.util.Map.entry("0", -12));
    assertThat(ledger.changes()).isEmpty();
    assertThat(ledger.withheld()).isEqualTo(12);

    ledger.stageEnds(FIRST);
    assertThat(ledger.changes()).containsOnly(java.util.Map.entry("0", 12));
    assertThat(ledger.withheld()).isZero();
  }

  @Test
  void aStageWithoutANumberGetsEverything() {
    ledger.limit(FIRST, "0", 4, 1);
    ledger.changes();

    ledger.stageStarts(SECOND);
    assertThat(ledger.changes()).containsOnly(java.util.Map.entry("0", 12));

    ledger.limit(SECOND, "0", 8, 1);
    assertThat(ledger.changes()).containsOnly(java.util.Map.entry("0", -4));
  }

  @Test
  void stagesThatTogetherFillTheExecutorLeaveNothingToWithhold() {
    ledger.stageStarts(SECOND);
    ledger.limit(FIRST, "0", 8, 1);
    ledger.limit(SECOND, "0", 16, 1);
    assertThat(ledger.changes()).isEmpty();
  }

  @Test
  void countsTheCoresOfATask() {
    ledger.limit(FIRST, "0", 4, 2);
    assertThat(ledger.changes()).containsOnly(java.util.Map.entry("0", -8));
  }

  @Test
  void aStageLookedAtAnewGetsEverything() {
    ledger.limit(FIRST, "0", 4, 1);
    ledger.changes();
    ledger.unlimit(FIRST, "0");
    assertThat(ledger.changes()).containsOnly(java.util.Map.entry("0", 12));
  }

  @Test
  void aLostExecutorIsForgotten() {
    ledger.limit(FIRST, "0", 4, 1);
    ledger.changes();
    ledger.executorGoes("0");
    ledger.stageEnds(FIRST);
    assertThat(ledger.changes()).isEmpty();
    assertThat(ledger.withheld()).isZero();
  }

  @Test
  void aDecisionThatComesAfterTheEndChangesNothing() {
    ledger.stageEnds(FIRST);
    ledger.limit(FIRST, "0", 4, 1);
    ledger.stageStarts(SECOND);
    assertThat(ledger.changes()).isEmpty();
  }
}
