package io.numaspark.controller.slots;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WithheldTest {
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");

  @Test
  void eachFurtherRejectionWithholdsTwiceAsLongUpToTenMinutes() {
    List<Long> seconds = new ArrayList<>();
    Optional<Withheld> withheld = Optional.empty();
    Instant at = START;
    for (int i = 0; i < 7; i++) {
      withheld = Optional.of(Withheld.after(withheld, "TopologyAffinityError", at));
      seconds.add(Duration.between(at, withheld.get().until()).toSeconds());
      at = withheld.get().until().plusSeconds(1);
    }
    assertThat(seconds).containsExactly(30L, 60L, 120L, 240L, 480L, 600L, 600L);
    assertThat(withheld.get().rejections()).isEqualTo(7);
  }

  @Test
  void rejectionsWhileSlotsAreWithheldAreCountedAndDoNotProlong() {
    Withheld first = Withheld.after(Optional.empty(), "TopologyAffinityError", START);
    Withheld second = Withheld.after(Optional.of(first), "OutOfcpu", START.plusSeconds(29));
    assertThat(second.until()).isEqualTo(first.until());
    assertThat(second.rejections()).isEqualTo(2);
    assertThat(second.reason()).isEqualTo("OutOfcpu");
    assertThat(second.last()).isEqualTo(START.plusSeconds(29));
  }

  @Test
  void anOlderRejectionThatComesLateDoesNotTurnTimeBack() {
    Withheld first = Withheld.after(Optional.empty(), "OutOfcpu", START);
    Withheld second = Withheld.after(Optional.of(first), "OutOfcpu", START.minusSeconds(5));
    assertThat(second.last()).isEqualTo(START);
    assertThat(second.isWithinBounds()).isTrue();
  }

  @Test
  void aQuietNodeStartsAnew() {
    Withheld first = Withheld.after(Optional.empty(), "OutOfcpu", START);
    Instant quiet = first.until().plus(Withheld.QUIET);
    assertThat(Withheld.after(Optional.of(first), "OutOfcpu", quiet.minusSeconds(1)).rejections())
        .isEqualTo(2);
    Withheld anew = Withheld.after(Optional.of(first), "OutOfcpu", quiet);
    assertThat(anew.rejections()).isEqualTo(1);
    assertThat(anew.until()).isEqualTo(quiet.plus(Withheld.SHORTEST));
  }

  @Test
  void itEndsAtItsEnd() {
    Withheld withheld = Withheld.after(Optional.empty(), "OutOfcpu", START);
    assertThat(withheld.isActive(withheld.until().minusMillis(1))).isTrue();
    assertThat(withheld.isActive(withheld.until())).isFalse();
  }
}
