package io.numaspark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {

  /** A message has words of the kubelet and of files; a status that is too large is refused. */
  @Test
  void messagesAreOneLineOfBoundedLength() {
    Conditions conditions = new Conditions(List.of(), Instant.EPOCH);
    conditions.put(
        Conditions.PINNING_READ, Conditions.FALSE, "Why", "said\n\u001b[2J" + "x".repeat(1 << 20));
    assertThat(conditions.all().get(0).message())
        .startsWith("said\\u000a\\u001b[2Jxx")
        .hasSizeLessThan(4200);
  }
}
