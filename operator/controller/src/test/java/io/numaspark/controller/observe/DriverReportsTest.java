package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.fixture.OneAnswer;
import io.numaspark.controller.observe.DriverReports.Driver;
import io.numaspark.controller.observe.DriverReports.Report;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.controller.observe.ReportedExecutors.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When a driver is asked, and what holds when it does not answer. */
class DriverReportsTest {
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
  private static final String REPORTED =
      "[{\"id\": \"1\", \"attributes\": {\"NUMASPARK_CPUS_ALLOWED\": \"2-5\", \"NUMASPARK_MEMS_ALLOWED\": \"0\"}}]";
  private static final String REGISTERED = "[{\"id\": \"1\", \"attributes\": {}}]";

  private final DriverReports reports = new DriverReports(new DriverRestClient());
  @RegisterExtension final OneAnswer server = new OneAnswer();

  @Test
  void nobodyIsAskedWhileNoExecutorRuns() {
    Report report = at(0);
    assertThat(report.executors()).isEqualTo(new NoAnswer("no executor is running"));
    assertThat(report.next()).isEmpty();
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void whatWasReportedIsNotAskedAgain() {
    server.is(200, REPORTED);
    Report report = at(0, "1");
    assertThat(report.executors()).isInstanceOf(Answer.class);
    assertThat(report.next()).isEmpty();
    assertThat(at(600, "1")).isSameAs(report);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void theIntervalDoublesUpToTenSeconds() {
    server.is(200, REGISTERED);
    List<Long> intervals = new ArrayList<>();
    Instant now = START;
    for (int i = 0; i < 6; i++) {
      Optional<Instant> next = reports.report(driver(), Set.of("1"), now).next();
      intervals.add(Duration.between(now, next.orElseThrow()).toSeconds());
      now = next.get();
    }
    assertThat(intervals).containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
    assertThat(server.requests()).hasSize(6);
  }

  @Test
  void beforeItIsTimeTheDriverIsLeftAlone() {
    server.is(200, REGISTERED);
    Report report = at(0, "1");
    assertThat(reports.report(driver(), Set.of("1"), START.plusMillis(900))).isSameAs(report);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void anotherExecutorIsAskedForAtOnce() {
    server.is(200, REPORTED);
    at(0, "1");
    Report report = at(1, "1", "2");
    assertThat(server.requests()).hasSize(2);
    assertThat(report.next()).as("executor 2 has not reported").contains(START.plusSeconds(2));
  }

  @Test
  void anAnswerHoldsWhenTheDriverDoesNotAnswerAnyMore() {
    server.is(200, REPORTED);
    at(0, "1");
    server.is(503, "");
    ReportedExecutors executors = at(1, "1", "2").executors();
    assertThat(executors)
        .isInstanceOfSatisfying(
            Answer.class,
            answer ->
                assertThat(answer.byExecutorId().get("1")).isEqualTo(new Placement("2-5", "0")));
  }

  @Test
  void aForgottenAttemptIsAskedAnew() {
    server.is(200, REPORTED);
    at(0, "1");
    reports.forget("spark-1");
    at(1, "1");
    assertThat(server.requests()).hasSize(2);
  }

  private Driver driver() {
    return new Driver("127.0.0.1", server.port(), "spark-1");
  }

  private Report at(int seconds, String... running) {
    return reports.report(driver(), Set.of(running), START.plusSeconds(seconds));
  }
}
