package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.ScheduledSparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.UnusableNode;
import io.numaspark.render.proof.Diagnosis;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionAnnouncementsTest {
  private static final String READY = "Ready True SlotsPublished";

  @Test
  void aProfileThatIsPlannedTellsItsShapeAndItsSlots() {
    assertThat(ofProfile(null, profile(READY, "Planned True ShapeFound")))
        .containsExactly("Normal SlotsPublished", "Normal ShapeFound");
  }

  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({
    "Ready True SlotsPublished, Ready False NoMatchingNode, Warning NoMatchingNode",
    "Ready False NoTopology, Ready True SlotsPublished, Normal SlotsPublished",
    "SlotsWithheld False NoRejection, SlotsWithheld True ExecutorsRejected, ''",
    "SlotsWithheld True ExecutorsRejected, SlotsWithheld False NoRejection, Normal NoRejection",
    "AgentsReporting True AllReporting, AgentsReporting False AgentSilent, Warning AgentSilent",
    "AgentsReporting False AgentSilent, AgentsReporting True AllReporting, Normal AllReporting",
    "KnobsApplied True Applied, KnobsApplied Unknown Applying, ''",
    "KnobsApplied Unknown Applying, KnobsApplied True Applied, Normal Applied",
    "KnobsApplied True Applied, KnobsApplied False Drifted, Warning Drifted",
    "KnobsApplied False Drifted, KnobsApplied False Failed, Warning Failed",
  })
  void changesOfAProfileAreTold(String before, String after, String told) {
    assertThat(ofProfile(profile(before), profile(after)))
        .containsExactly(told.isEmpty() ? new String[0] : new String[] {told});
    assertThat(ofProfile(profile(after), profile(after))).isEmpty();
  }

  @Test
  void whatIsUsualAtFirstIsNotTold() {
    assertThat(
            ofProfile(
                null,
                profile("SlotsWithheld False NoRejection", "AgentsReporting True AllReporting")))
        .isEmpty();
  }

  @Test
  void numbersThatMoveAreNotTold() {
    Instant now = Instant.EPOCH;
    SparkNodeProfileStatus one =
        profile(List.of(), new Conditions(null, 1L, now).add("Ready", "True", diagnosis("1 slot")));
    SparkNodeProfileStatus other =
        profile(
            List.of(), new Conditions(null, 1L, now).add("Ready", "True", diagnosis("2 slots")));
    assertThat(ofProfile(one, other)).isEmpty();
  }

  private static Diagnosis diagnosis(String message) {
    return new Diagnosis(ProfileReason.SLOTS_PUBLISHED, message);
  }

  @Test
  void theFirstUnusableNodeOfEachReasonIsToldUnlessTheProfileSaysIt() {
    List<UnusableNode> nodes =
        List.of(
            new UnusableNode("a", "NodeHasAnotherProfile", "why"),
            new UnusableNode("b", "NodeHasAnotherProfile", "why"),
            new UnusableNode("c", "NoTopology", "why"));
    SparkNodeProfileStatus after = profile(nodes, conditions(READY));
    assertThat(ConditionAnnouncements.ofProfile(profile(READY), after))
        .extracting(Announcement::note)
        .containsExactly("node a: why", "node c: why");
    assertThat(ofProfile(after, after)).isEmpty();
    assertThat(ofProfile(null, profile(nodes.subList(2, 3), conditions("Ready False NoTopology"))))
        .containsExactly("Warning NoTopology");
  }

  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({
    ", Scheduled, ''",
    ", InvalidSchedule, Warning InvalidSchedule",
    "Scheduled, RunStarted, Normal RunStarted",
    "RunStarted, RunStarted, Normal RunStarted",
    "RunLeftOut, RunLeftOut, Warning RunLeftOut",
    "RunRefused, RunRefused, Warning RunRefused",
    "Scheduled, Scheduled, ''",
    "Suspended, Suspended, ''",
    "RunStarted, RunLeftOut, Warning RunLeftOut",
    "RunStarted, RunRefused, Warning RunRefused",
    "RunStarted, Suspended, Normal Suspended",
    "Suspended, Scheduled, Normal Scheduled",
    "RunStarted, ClockSkew, Warning ClockSkew",
  })
  void changesOfAScheduleAreTold(String before, String after, String told) {
    ScheduledSparkApplicationStatus old =
        before == null ? null : schedule(before, "2026-11-21T08:00:00Z");
    ScheduledSparkApplicationStatus now = schedule(after, "2026-11-21T09:00:00Z");
    assertThat(texts(ConditionAnnouncements.ofSchedule(old, now)))
        .containsExactly(told.isEmpty() ? new String[0] : new String[] {told});
    assertThat(ConditionAnnouncements.ofSchedule(now, now)).isEmpty();
  }

  private static List<String> ofProfile(
      SparkNodeProfileStatus before, SparkNodeProfileStatus after) {
    return texts(ConditionAnnouncements.ofProfile(before, after));
  }

  private static List<String> texts(List<Announcement> announcements) {
    return announcements.stream()
        .map(told -> (told.isWarning() ? "Warning " : "Normal ") + told.reason())
        .toList();
  }

  private static SparkNodeProfileStatus profile(String... conditions) {
    return profile(List.of(), conditions(conditions));
  }

  private static SparkNodeProfileStatus profile(
      List<UnusableNode> unusable, Conditions conditions) {
    return new SparkNodeProfileStatus(
        1L, null, null, null, null, null, unusable, null, null, null, conditions.build());
  }

  /** Its last run was at this time, which is its next one too. */
  private static ScheduledSparkApplicationStatus schedule(String reason, String time) {
    return new ScheduledSparkApplicationStatus(
        1L,
        null,
        null,
        time,
        null,
        time,
        null,
        null,
        null,
        new Conditions(null, 1L, Instant.EPOCH)
            .add("Ready", "True", new Diagnosis(reason, "why"))
            .build());
  }

  /** Each is type, status and reason. */
  private static Conditions conditions(String... texts) {
    Conditions conditions = new Conditions(null, 1L, Instant.EPOCH);
    Arrays.stream(texts)
        .map(text -> text.split(" "))
        .forEach(words -> conditions.add(words[0], words[1], new Diagnosis(words[2], "why")));
    return conditions;
  }
}
