package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.fixture.OneAnswer;
import io.numaspark.controller.fixture.RawServer;
import io.numaspark.controller.observe.DriverRestClient;
import io.numaspark.controller.observe.DriverRestClient.Driver;
import io.numaspark.controller.observe.ReportedExecutors;
import io.numaspark.controller.observe.ReportedExecutors.Answer;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.controller.store.DriverReports.Report;
import io.numaspark.render.proof.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When a driver is asked, and what holds when it does not answer. */
class DriverReportsTest {
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
  private static final String REPORTED =
      "[{\"id\": \"1\", \"attributes\": {\"NUMASPARK_CPUS_ALLOWED\": \"2-5\","
          + " \"NUMASPARK_MEMS_ALLOWED\": \"0\"}}]";
  private static final String REGISTERED = "[{\"id\": \"1\", \"attributes\": {}}]";

  private static final DriverRestClient DRIVERS = new DriverRestClient();
  private static final Duration BOUND = Duration.ofSeconds(20);

  private final BlockingQueue<Driver> answered = new LinkedBlockingQueue<>();
  private final DriverReports reports = new DriverReports(DRIVERS::executors);

  DriverReportsTest() {
    reports.answers().listen(answered::add);
  }

  @RegisterExtension final OneAnswer server = new OneAnswer();
  @RegisterExtension final RawServer stalling = new RawServer();

  @Test
  void nobodyIsAskedWhileNoExecutorRuns() throws Exception {
    Report report = at(0);
    assertThat(report.executors()).isEqualTo(new NoAnswer("no executor is running"));
    assertThat(report.next()).isEmpty();
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void whatWasReportedIsNotAskedAgain() throws Exception {
    server.is(200, REPORTED);
    Report report = at(0, "1");
    assertThat(report.executors()).isInstanceOf(Answer.class);
    assertThat(report.next()).isEmpty();
    assertThat(at(600, "1")).isSameAs(report);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void theIntervalDoublesUpToTenSeconds() throws Exception {
    server.is(200, REGISTERED);
    List<Long> intervals = new ArrayList<>();
    Instant now = START;
    for (int i = 0; i < 6; i++) {
      Optional<Instant> next = report(now, "1").next();
      intervals.add(Duration.between(now, next.orElseThrow()).toSeconds());
      now = next.get();
    }
    assertThat(intervals).containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
    assertThat(server.requests()).hasSize(6);
  }

  @Test
  void beforeItIsTimeTheDriverIsLeftAlone() throws Exception {
    server.is(200, REGISTERED);
    Report report = at(0, "1");
    assertThat(reports.report(driver(), Set.of("1"), START.plusMillis(900))).isSameAs(report);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void anotherExecutorIsAskedForAtOnce() throws Exception {
    server.is(200, REPORTED);
    at(0, "1");
    Report report = at(1, "1", "2");
    assertThat(server.requests()).hasSize(2);
    assertThat(report.next()).as("executor 2 has not reported").contains(START.plusSeconds(2));
  }

  @Test
  void anAnswerHoldsWhenTheDriverDoesNotAnswerAnyMore() throws Exception {
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
  void aSilentDriverIsLeftAloneEverLongerWhoeverRuns() throws Exception {
    server.is(503, "");
    List<Long> intervals = new ArrayList<>();
    Instant now = START;
    for (int i = 0; i < 8; i++) {
      Instant next = report(now, "1").next().orElseThrow();
      intervals.add(Duration.between(now, next).toSeconds());
      assertThat(report(next.minusMillis(1), "1", "new" + i).next()).contains(next);
      now = next;
    }
    assertThat(intervals).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    assertThat(server.requests()).hasSize(8);
  }

  @Test
  void nobodyWaitsForDriversThatStallAndOthersAreAskedMeanwhile() throws Exception {
    server.is(200, REPORTED);
    for (int i = 0; i < 40; i++) {
      Driver hostile = new Driver("default", "bad", "spark-bad-" + i, "127.0.0.1", stalling.port());
      Report report = reports.report(hostile, Set.of("1"), START);
      assertThat(report.isAsked()).isTrue();
      assertThat(report.next()).as("should nobody tell of the answer").isNotEmpty();
      assertThat(reports.report(hostile, Set.of("1"), START.plusSeconds(1)).isAsked()).isTrue();
    }
    assertThat(at(0, "1").executors()).isInstanceOf(Answer.class);
  }

  @Test
  void atMostSoManyDriversAreAskedAtATime() throws Exception {
    Report last = null;
    for (int i = 0; i < 65; i++) {
      last =
          reports.report(
              new Driver("default", "bad", "spark-bad-" + i, "127.0.0.1", stalling.port()),
              Set.of("1"),
              START);
    }
    assertThat(last.isAsked()).isFalse();
    assertThat(last.executors()).isEqualTo(new NoAnswer("many other drivers are being asked"));
    assertThat(last.next()).contains(START.plusSeconds(1));
    for (int i = 0; i < 64; i++) {
      assertThat(answered.poll(BOUND.toSeconds(), TimeUnit.SECONDS)).isNotNull();
    }
    server.is(200, REPORTED);
    assertThat(at(0, "1").executors()).as("room again").isInstanceOf(Answer.class);
  }

  @Test
  void whatIsForgottenWhileItIsAskedStaysForgotten() throws Exception {
    Driver slow = new Driver("default", "bad", "spark-bad", "127.0.0.1", stalling.port());
    reports.report(slow, Set.of("1"), START);
    reports.forget("default", "spark-bad");
    assertThat(answered.poll(BOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo(slow);
    assertThat(reports.size()).isZero();
  }

  @Test
  void aForgottenAttemptIsAskedAnew() throws Exception {
    server.is(200, REPORTED);
    at(0, "1");
    reports.forget("default", "spark-1");
    at(1, "1");
    assertThat(server.requests()).hasSize(2);
  }

  private Driver driver() {
    return new Driver("default", "pi", "spark-1", "127.0.0.1", server.port());
  }

  private Report at(int seconds, String... running) throws InterruptedException {
    return report(START.plusSeconds(seconds), running);
  }

  /** What is known when the answer has come that it may have been asked for. */
  private Report report(Instant now, String... running) throws InterruptedException {
    Report report = reports.report(driver(), Set.of(running), now);
    while (report.isAsked()) {
      Driver told = answered.poll(BOUND.toSeconds(), TimeUnit.SECONDS);
      assertThat(told).isNotNull();
      report = reports.report(driver(), Set.of(running), now);
    }
    return report;
  }
}
