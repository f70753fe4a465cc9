package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pods were created at 11:00. */
class ForeignAnnouncementTest {
  private static final Instant CREATED = Instant.parse("2026-01-01T11:00:00Z");
  private static final Instant OPTED_IN = CREATED.minusSeconds(60);

  @Test
  void whatWasLeftSaysWhy() {
    Optional<ForeignAnnouncement> news =
        of(pod("a: 1", "numaspark.io/not-injected: 'spark.executor.memory: set 2g'"));
    assertThat(news)
        .contains(
            new ForeignAnnouncement(
                "team/spark-1",
                new Announcement(true, "NotInjected", "spark.executor.memory: set 2g")));
  }

  @Test
  void whatNobodyReviewedSaysThatTheWebhookDidNotAnswer() {
    assertThat(of(pod("a: 1", "")))
        .hasValueSatisfying(
            news -> {
              assertThat(news.announcement().reason()).isEqualTo("NotReviewed");
              assertThat(news.announcement().isWarning()).isTrue();
              assertThat(news.announcement().note())
                  .contains(
                      "the webhook did not answer", "profile dual", "delete the executor's pod");
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          with a slot, as a pod template gives it | slots.numaspark.io/dual: 1 | 'x: y'
          with a slot that the webhook gave       | slots.numaspark.io/dual: 1 | 'numaspark.io/injection: done'
          reviewed, and its slot was taken out    | a: 1                       | 'numaspark.io/injection: done'
          """)
  void whatWasInjectedIsNoNews(String what, String resource, String annotations) {
    assertThat(of(pod(resource, annotations))).isEmpty();
  }

  @Test
  void whatWasOptedOutIsNoNews() {
    Pod pod = pod("a: 1", "");
    pod.getMetadata().setLabels(Map.of("numaspark.io/inject", "false"));
    assertThat(of(pod)).isEmpty();
  }

  @Test
  void theLabelOfThePodGoesBeforeThatOfItsNamespace() {
    Pod pod = pod("a: 1", "");
    assertThat(ForeignAnnouncement.of(pod, "", OPTED_IN, CREATED)).isEmpty();
    pod.getMetadata().setLabels(Map.of("numaspark.io/inject", "other"));
    assertThat(ForeignAnnouncement.of(pod, "", OPTED_IN, CREATED))
        .map(news -> news.announcement().note())
        .hasValueSatisfying(note -> assertThat(note).contains("profile other"));
  }

  /** Nobody asked the webhook about a pod that is older than the label of its namespace. */
  @Test
  void whatIsOlderThanTheLabelIsNoNews() {
    Pod pod = pod("a: 1", "");
    assertThat(ForeignAnnouncement.of(pod, "dual", CREATED.minusSeconds(4), CREATED)).isEmpty();
    assertThat(ForeignAnnouncement.of(pod, "dual", CREATED.minusSeconds(5), CREATED)).isPresent();
  }

  @Test
  void anOperatorThatStartsLaterDoesNotRepeatIt() {
    Pod left = pod("a: 1", "numaspark.io/not-injected: why");
    assertThat(ForeignAnnouncement.of(left, "dual", OPTED_IN, CREATED.plusSeconds(600)))
        .isPresent();
    assertThat(ForeignAnnouncement.of(left, "dual", OPTED_IN, CREATED.plusSeconds(601))).isEmpty();
    left.getMetadata().setCreationTimestamp("soon");
    assertThat(of(left)).isEmpty();
  }

  private static Optional<ForeignAnnouncement> of(Pod pod) {
    return ForeignAnnouncement.of(pod, "dual", OPTED_IN, CREATED.plusSeconds(1));
  }

  private static Pod pod(String resource, String annotations) {
    return ForeignExecutorsTest.pod("e", resource, annotations, "Pending", "[]");
  }
}
