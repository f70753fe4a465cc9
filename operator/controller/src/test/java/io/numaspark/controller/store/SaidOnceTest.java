package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.status.Announcement;
import io.numaspark.controller.status.EventReason;
import io.numaspark.controller.status.ForeignAnnouncement;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SaidOnceTest {
  private final SaidOnce said = new SaidOnce();

  @Test
  void eachApplicationAndTextIsSaidOnce() {
    assertThat(said.isNew(news("ns/a", "memory"))).isTrue();
    assertThat(said.isNew(news("ns/a", "memory"))).isFalse();
    assertThat(said.isNew(news("ns/a", "cores"))).isTrue();
    assertThat(said.isNew(news("ns/b", "memory"))).isTrue();
    assertThat(said.isNew(news("ns/a", "memory"))).isFalse();
  }

  @Test
  void whatIsRememberedIsBounded() {
    for (int i = 0; i <= SaidOnce.REMEMBERED; i++) {
      // What is still seen is not forgotten.
      said.isNew(news("ns/old", "memory"));
      assertThat(said.isNew(news("ns/" + i, "memory"))).isTrue();
    }
    assertThat(said.isNew(news("ns/old", "memory"))).isFalse();
    assertThat(said.isNew(news("ns/0", "memory"))).as("the eldest was forgotten").isTrue();
  }

  @Test
  void aNamespaceIsOptedInFromTheFirstTimeThatItIsSeen() {
    Instant first = Instant.parse("2026-01-01T12:00:00Z");
    assertThat(said.optedIn("ns", first)).isEqualTo(first);
    assertThat(said.optedIn("ns", first.plusSeconds(60))).isEqualTo(first);
    said.forget("ns");
    assertThat(said.optedIn("ns", first.plusSeconds(90))).isEqualTo(first.plusSeconds(90));
  }

  private static ForeignAnnouncement news(String application, String text) {
    return new ForeignAnnouncement(
        application, Announcement.warning(EventReason.NOT_INJECTED, text));
  }
}
