package io.numaspark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApplicationsDocumentTest {
  private static final Instant NOW = Instant.parse("2026-01-01T10:12:30Z");
  private static final String COUNTS =
      "executorCounts: {wanted: 4, pending: 0, running: %d, failed: 0, rejected: 0, pinned: %d, notPinned: %d, unknown: %d}";

  @Test
  void aTableAnswersWhatPeopleAskFirst() {
    String table =
        ApplicationsDocument.of(
                List.of(
                    Seen.application(
                        "etl",
                        "nodeProfile: dual",
                        "applicationState: {state: RUNNING}, " + COUNTS.formatted(4, 4, 0, 0)),
                    Seen.application(
                        "far",
                        "nodeProfile: dual",
                        "applicationState: {state: RUNNING}, "
                            + COUNTS.formatted(4, 3, 1, 0)
                            + ", conditions: [{type: Pinned, status: \"False\", reason: SharedCpus, message: one shares}]"),
                    Seen.application(
                        "new",
                        "nodeProfile: dual",
                        "applicationState: {state: SUBMITTED, waitingSince: now, errorMessage: waits for 4 slots}"),
                    Seen.application("plain", "", "applicationState: {state: COMPLETED}")))
            .table(NOW);
    assertThat(table)
        .isEqualTo(
            """
            NAMESPACE  NAME   STATE      PROFILE  EXECUTORS  PINNED  AGE  MESSAGE
            team       etl    RUNNING    dual     4/4        True    12m  -
            team       far    RUNNING    dual     4/4        False   12m  SharedCpus: one shares
            team       new    SUBMITTED  dual     0/0        -       12m  waits for 4 slots
            team       plain  COMPLETED  -        0/0        -       12m  -
            """);
  }

  /** A failed driver's last words are in its application's message. */
  @Test
  void aMessageIsOneLineWhateverADriverHasLogged() {
    String table =
        ApplicationsDocument.of(
                List.of(
                    Seen.application(
                        "etl",
                        "",
                        "applicationState: {state: FAILED,"
                            + " errorMessage: \"bad\\nteam  forged  COMPLETED \\e[2J\"}")))
            .table(NOW);
    assertThat(table.lines()).hasSize(2);
    assertThat(table).doesNotContain("\u001b").contains("bad team  forged  COMPLETED \ufffd[2J");
  }

  @Test
  void anApplicationThatNobodyHasLookedAtIsNew() {
    ApplicationsDocument document =
        ApplicationsDocument.of(List.of(Seen.application("new", "", "")));
    assertThat(document.applications()).extracting("state").containsExactly("NEW");
  }

  @Test
  void executorsThatAreNotKnownYetAreNotCalledPinned() {
    ApplicationsDocument document =
        ApplicationsDocument.of(
            List.of(
                Seen.application(
                    "etl",
                    "nodeProfile: dual",
                    "applicationState: {state: RUNNING}, " + COUNTS.formatted(2, 1, 0, 1)),
                Seen.application(
                    "idle",
                    "nodeProfile: dual",
                    "applicationState: {state: RUNNING}, " + COUNTS.formatted(0, 0, 0, 0))));
    assertThat(document.applications()).extracting("pinned").containsExactly("Unknown", "Unknown");
  }

  @Test
  void whatWasPinnedIsToldWhenItHasEnded() {
    ApplicationsDocument document =
        ApplicationsDocument.of(
            List.of(
                Seen.application(
                    "etl",
                    "nodeProfile: dual",
                    "applicationState: {state: COMPLETED}, " + COUNTS.formatted(0, 4, 0, 0))));
    assertThat(document.applications()).extracting("pinned").containsExactly("True");
  }

  @Test
  void nothingIsSaidInWords() {
    assertThat(new ApplicationsDocument(List.of()).table(NOW)).isEqualTo("No applications.\n");
  }

  @Test
  void agesAreThoseOfKubectl() {
    assertThat(Age.of("2026-01-01T10:12:00Z", NOW)).isEqualTo("30s");
    assertThat(Age.of("2026-01-01T10:11:00Z", NOW)).isEqualTo("90s");
    assertThat(Age.of("2026-01-01T08:12:30Z", NOW)).isEqualTo("2h");
    assertThat(Age.of("2025-12-25T10:12:30Z", NOW)).isEqualTo("7d");
    assertThat(Age.of("2026-01-01T10:13:00Z", NOW)).as("another clock").isEqualTo("0s");
    assertThat(Age.of(null, NOW)).isEmpty();
  }
}
