package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.controller.status.ScheduleDecision.Start;
import io.numaspark.controller.status.ScheduledRun.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleLifecycleTest {
  private static final String CREATED = "2026-01-01T00:00:30Z";
  private static final long MIDNIGHT = Instant.parse("2026-01-01T00:00:00Z").getEpochSecond() / 60;

  /**
   * Times are minutes and seconds after 2026-01-01T00:00Z; the schedule is every tenth minute
   * unless said.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # case                              | spec                          | nextRun | lastRun | now   | starts | next
          new, nothing due                    |                               | new     | -       | 05:00 | -      | 10:00
          new, operator came late             |                               | new     | -       | 25:00 | 20:00  | 30:00
          before its time                     |                               | 10:00   | -       | 09:59 | -      | 10:00
          at its time                         |                               | 10:00   | -       | 10:00 | 10:00  | 20:00
          several missed, latest alone        |                               | 10:00   | 00:00   | 45:00 | 40:00  | 50:00
          missed, within the deadline         | startingDeadlineSeconds: 300  | 10:00   | -       | 25:00 | 20:00  | 30:00
          missed, after the deadline          | startingDeadlineSeconds: 299  | 10:00   | -       | 25:00 | -      | 30:00
          suspended                           | suspend: true                 | 10:00   | -       | 25:00 | -      | -
          resumed, makes nothing up           |                               | -       | 00:00   | 25:00 | -      | 30:00
          edited, planned time is of the past | schedule: 15 * * * *          | 10:00   | -       | 12:00 | -      | 15:00
          edited, both have the time          | schedule: 10 * * * *          | 10:00   | -       | 12:00 | 10:00  | 70:00
          edited, earlier than planned        | schedule: '*/5 * * * *'       | 10:00   | -       | 03:00 | -      | 05:00
          run but status still plans it       |                               | 10:00   | 10:00   | 10:05 | -      | 20:00
          clock was ahead, lastRun is later   |                               | 40:00   | 30:00   | 12:00 | -      | 40:00
          clock was ahead, only planned later |                               | 40:00   | -       | 12:00 | -      | 20:00
          interval                            | schedule: '@every 7m'         | 07:30   | -       | 07:30 | 07:30  | 14:30
          """)
  void times(
      String name,
      String spec,
      String nextRun,
      String lastRun,
      String now,
      String starts,
      String next) {
    ScheduledSparkApplication schedule = schedule(spec, nextRun, lastRun);
    ScheduleDecision decision = new ScheduleLifecycle(schedule, instant(now)).decide(List.of());
    assertThat(decision.start().map(Start::time).orElse(null)).isEqualTo(instant(starts));
    assertThat(decision.next().orElse(null)).isEqualTo(instant(next));
    assertThat(decision.problem()).isEmpty();
  }

  @ParameterizedTest(name = "{0} beside {1}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # policy                      | earlier              | starts | replaces
          -                             | ACTIVE               | yes    |
          concurrencyPolicy: Allow      | ACTIVE               | yes    |
          concurrencyPolicy: Forbid     | ACTIVE               | no     |
          concurrencyPolicy: Forbid     | ACTIVE,SUCCEEDED     | no     |
          concurrencyPolicy: Forbid     | SUCCEEDED            | yes    |
          concurrencyPolicy: Forbid     | FAILED               | yes    |
          concurrencyPolicy: Forbid     | NOT_SUBMITTED        | yes    | 0
          concurrencyPolicy: Replace    | ACTIVE,ACTIVE        | yes    | 0,1
          concurrencyPolicy: Replace    | SUCCEEDED            | yes    |
          """)
  void concurrency(String policy, String earlier, String starts, String replaces) {
    ScheduledSparkApplication schedule = schedule(policy, "10:00", "02:00");
    List<ScheduledRun> runs = runs(earlier);
    ScheduleDecision decision = new ScheduleLifecycle(schedule, instant("10:00")).decide(runs);
    assertThat(decision.start().isPresent()).isEqualTo(starts.equals("yes"));
    assertThat(decision.leftOut().isPresent()).isEqualTo(starts.equals("no"));
    assertThat(decision.start().map(Start::replaces).orElse(List.of())).isEqualTo(names(replaces));
  }

  /** After a crash between creation and status the run of the time is there already. */
  @Test
  void theRunOfTheTimeItselfIsNeitherReplacedNorInTheWay() {
    for (String policy : List.of("Forbid", "Replace")) {
      ScheduledSparkApplication schedule = schedule("concurrencyPolicy: " + policy, "10:00", null);
      ScheduledRun itself = run(10, Outcome.ACTIVE);
      ScheduleDecision decision =
          new ScheduleLifecycle(schedule, instant("10:01")).decide(List.of(itself));
      assertThat(decision.start()).contains(new Start(itself.name(), instant("10:00"), List.of()));
    }
  }

  @ParameterizedTest(name = "{0} of {1}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # limits                                             | runs                              | expired
          -                                                    | SUCCEEDED,SUCCEEDED,SUCCEEDED     | 0,1
          -                                                    | SUCCEEDED,FAILED,ACTIVE           |
          -                                                    | FAILED,NOT_SUBMITTED              | 0
          'successfulRunHistoryLimit: 2'                       | SUCCEEDED,SUCCEEDED,SUCCEEDED     | 0
          '{successfulRunHistoryLimit: 0, failedRunHistoryLimit: 0}' | SUCCEEDED,FAILED,ACTIVE     | 0,1
          'suspend: true'                                      | FAILED,FAILED                     | 0
          """)
  void history(String limits, String runs, String expired) {
    ScheduledSparkApplication schedule = schedule(limits, null, "05:00");
    assertThat(new ScheduleLifecycle(schedule, instant("06:00")).decide(runs(runs)).expired())
        .isEqualTo(names(expired));
  }

  /** The run is all that remembers its time until the status does. */
  @Test
  void aRunThatTheStatusDoesNotNameYetIsKept() {
    ScheduledSparkApplication schedule =
        schedule("{successfulRunHistoryLimit: 0}", "10:00", "02:00");
    ScheduleDecision decision =
        new ScheduleLifecycle(schedule, instant("10:01"))
            .decide(List.of(run(10, Outcome.SUCCEEDED), run(2, Outcome.SUCCEEDED)));
    assertThat(decision.expired())
        .containsExactly(ScheduledRun.nameOf("nightly", instant("02:00")));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          schedule: 'whenever'   | spec.schedule: "whenever" must have five fields
          timeZone: Nowhere      | spec.timeZone: Nowhere is not a time zone
          """)
  void anInvalidScheduleStartsNothing(String spec, String problem) {
    ScheduledSparkApplication schedule = schedule(spec, "10:00", null);
    ScheduleDecision decision = new ScheduleLifecycle(schedule, instant("10:00")).decide(List.of());
    assertThat(decision.state()).isEqualTo("FailedValidation");
    assertThat(decision.problem().orElseThrow()).startsWith(problem);
    assertThat(decision.start()).isEmpty();
    assertThat(decision.next()).isEmpty();
  }

  @Test
  void aNameThatIsTooLongIsSaid() {
    ScheduledSparkApplication schedule = schedule(null, "10:00", null);
    schedule.getMetadata().setName("n".repeat(53));
    assertThat(new ScheduleLifecycle(schedule, instant("10:00")).decide(List.of()).problem())
        .hasValueSatisfying(
            problem -> assertThat(problem).startsWith("metadata.name").contains("at most 52"));
  }

  @Test
  void namesFollowFromTheMinute() {
    assertThat(ScheduledRun.nameOf("nightly", instant("10:59")))
        .isEqualTo("nightly-" + (MIDNIGHT + 10));
    assertThat(ScheduledRun.nameOf("n", Instant.parse("2160-01-01T00:00:00Z"))).hasSize(1 + 9);
  }

  static ScheduledSparkApplication schedule(String spec, String nextRun, String lastRun) {
    String fields = spec == null ? "" : spec.replaceAll("^\\{|}$", "").replace(", ", "\n");
    String status =
        "new".equals(nextRun)
            ? ""
            : "status: {scheduleState: Scheduled, nextRun: %s, lastRun: %s}"
                .formatted(quoted(nextRun), quoted(lastRun));
    return Serialization.unmarshal(
        """
        metadata: {name: nightly, namespace: default, uid: u-1, generation: 1, creationTimestamp: "%s"}
        spec:
        %s
        %s
        """
            .formatted(
                CREATED,
                (fields.contains("schedule:") ? fields : "schedule: '*/10 * * * *'\n" + fields)
                    .indent(2),
                status),
        ScheduledSparkApplication.class);
  }

  private static String quoted(String time) {
    return time == null ? "null" : "\"" + instant(time) + "\"";
  }

  /** One run a minute, the oldest first. */
  private static List<ScheduledRun> runs(String outcomes) {
    List<ScheduledRun> runs = new ArrayList<>();
    for (String outcome : outcomes.split(",")) {
      runs.add(run(runs.size(), Outcome.valueOf(outcome)));
    }
    return runs;
  }

  private static ScheduledRun run(int minute, Outcome outcome) {
    Instant time = Instant.ofEpochSecond((MIDNIGHT + minute) * 60);
    return new ScheduledRun(ScheduledRun.nameOf("nightly", time), time, outcome);
  }

  private static List<String> names(String minutes) {
    return minutes == null
        ? List.of()
        : Arrays.stream(minutes.split(","))
            .map(minute -> run(Integer.parseInt(minute), Outcome.ACTIVE).name())
            .toList();
  }

  static Instant instant(String minutesAndSeconds) {
    if (minutesAndSeconds == null) {
      return null;
    }
    String[] parts = minutesAndSeconds.split(":");
    return Instant.ofEpochSecond(
        MIDNIGHT * 60 + Long.parseLong(parts[0]) * 60 + Long.parseLong(parts[1]));
  }
}
