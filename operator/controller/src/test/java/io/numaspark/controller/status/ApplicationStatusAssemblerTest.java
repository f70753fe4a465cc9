package io.numaspark.controller.status;

import static io.numaspark.controller.fixture.Pods.driver;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ApplicationState;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.AttemptInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.DriverInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorShapeInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.fixture.Pods;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.lifecycle.Lifecycle;
import io.numaspark.controller.lifecycle.ObservedAttempt;
import io.numaspark.controller.lifecycle.Situation;
import io.numaspark.controller.lifecycle.Step.Finish;
import io.numaspark.controller.lifecycle.Step.Start;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.proof.Diagnosis;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ApplicationStatusAssemblerTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00.5Z");
  private static final Instant LATER = Instant.parse("2026-11-21T09:00:00Z");
  private static final String RUNNING = "{phase: Running}";
  private static final Start FIRST = new Start(1, 0, State.SUBMITTED);

  private final SparkApplication ordinary = Samples.application("pi", "");
  private final SparkApplication pinned = Samples.application("pi", "nodeProfile: dual");

  @Test
  void waiting() {
    assertReady(
        at(NOW).waiting(State.SUBMITTED, new Diagnosis("ProfileNotFound", "no profile")),
        State.SUBMITTED,
        "no profile",
        "False",
        "ProfileNotFound",
        "no profile");
  }

  @Test
  void whoeverWaitsDoesSoSinceTheFirstLook() {
    SparkApplicationStatus waiting = waiting(ordinary, NOW, State.SUBMITTED);
    assertThat(waiting.applicationState().waitingSince()).isEqualTo("2026-11-21T08:00:00Z");
    ordinary.setStatus(waiting);
    assertThat(waiting(ordinary, LATER, State.SUBMITTED)).isEqualTo(waiting);
    ordinary.setStatus(at(LATER).intended(FIRST, manifests()));
    assertThat(ordinary.getStatus().applicationState().waitingSince()).isNull();
    assertThat(SparkApplicationStatus.waits(ordinary.getStatus())).isFalse();
  }

  /** However long the operator was away. */
  @Test
  void aNewApplicationWaitsSinceItsCreation() {
    ordinary.getMetadata().setCreationTimestamp("2026-11-20T08:00:00Z");
    assertThat(waiting(ordinary, NOW, State.SUBMITTED).applicationState().waitingSince())
        .isEqualTo("2026-11-20T08:00:00Z");
  }

  /** Of an operator that had a state for it. */
  @ParameterizedTest
  @CsvSource({"PENDING, 2026-11-20T08:00:00Z", "RESUMING, 2026-11-21T08:00:00Z"})
  void aStateOfAnEarlierOperatorIsCarriedOn(State state, String since) {
    ordinary.getMetadata().setCreationTimestamp("2026-11-20T08:00:00Z");
    ordinary.setStatus(
        Serialization.unmarshal(
            "applicationState: {state: %s, errorMessage: no slots}".formatted(state),
            SparkApplicationStatus.class));
    assertThat(SparkApplicationStatus.waits(ordinary.getStatus())).isTrue();
    assertThat(waiting(ordinary, NOW, State.SUBMITTED).applicationState())
        .isEqualTo(new ApplicationState(State.SUBMITTED, "no profile", since));
  }

  private static SparkApplicationStatus waiting(
      SparkApplication application, Instant now, State state) {
    return new ApplicationStatusAssembler(application, now)
        .waiting(state, new Diagnosis("ProfileNotFound", "no profile"));
  }

  @Test
  void refused() {
    assertReady(
        at(NOW).refused(new Diagnosis("NameTaken", "taken")),
        State.SUBMISSION_FAILED,
        "taken",
        "False",
        "NameTaken",
        "taken");
  }

  @Test
  void intent() {
    SparkApplicationStatus status = at(NOW).intended(FIRST, manifests());
    assertReady(
        status, State.SUBMITTED, null, "False", "Submitting", "the driver is being created");
    assertThat(status.lastSubmissionAttemptTime()).isEqualTo("2026-11-21T08:00:00Z");
    assertThat(status.driverInfo())
        .isEqualTo(
            new DriverInfo(
                "pi-driver",
                null,
                null,
                "pi-driver-svc",
                4040,
                "pi-driver-svc.default.svc:4040",
                null,
                null));
    assertThat(status.executorShape())
        .isEqualTo(new ExecutorShapeInfo(null, 1, "1Gi", null, null, null));
    assertThat(status.executorCounts().wanted()).isEqualTo(2);
    assertThat(status.observedGeneration()).isEqualTo(1);
  }

  @Test
  void intentOfAPinnedApplicationHasItsShape() {
    ProfilePlan plan =
        ProfilePlanner.plan(
            Samples.profile("dual", "a").getSpec(),
            List.of(new MatchedNode("n", Optional.of(Samples.dualSocket("n")))),
            false);
    Manifests manifests =
        (Manifests)
            new ApplicationRenderer("spark")
                .render(
                    pinned,
                    Optional.of(
                        ProfileContext.onNodes(
                            "dual",
                            Samples.profile("dual", "a").getSpec(),
                            plan.policy(),
                            (Plan) plan.result())));
    ExecutorShapeInfo shape =
        new ApplicationStatusAssembler(pinned, NOW).intended(FIRST, manifests).executorShape();
    assertThat(shape.cpus()).isEqualTo("4");
    assertThat(shape.taskSlots()).isEqualTo(4);
    assertThat(shape.podMemory()).isNotNull();
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("pods")
  void follows(
      String status, State state, String error, String ready, String reason, String message) {
    submitted(ordinary);
    assertReady(observed(driver(status), "Error: it broke"), state, error, ready, reason, message);
  }

  static List<Arguments> pods() {
    String failure = "the driver exited with code 1; its last words: Error: it broke";
    String image =
        "the driver's container does not start: gone; check spec.image (registry.example.com/spark:4),"
            + " spec.imagePullPolicy and spec.imagePullSecrets";
    return List.of(
        Arguments.of(
            "{phase: Pending}",
            State.SUBMITTED,
            null,
            "False",
            "DriverStarting",
            "the driver pod is waiting for its container"),
        Arguments.of(
            "{phase: Pending, containerStatuses: [{name: spark-kubernetes-driver, state: {waiting: {reason:"
                + " ErrImagePull, message: gone}}}]}",
            State.SUBMITTED,
            image,
            "False",
            "ErrImagePull",
            image),
        Arguments.of(RUNNING, State.RUNNING, null, "True", "Running", "the driver is running"),
        Arguments.of(
            "{phase: Succeeded}",
            State.COMPLETED,
            null,
            "True",
            "Completed",
            "the driver ended with exit code 0"),
        Arguments.of(
            "{phase: Failed, containerStatuses: [{name: spark-kubernetes-driver, state: {terminated: {exitCode:"
                + " 1}}}]}",
            State.FAILED,
            failure,
            "False",
            "DriverFailed",
            failure));
  }

  @Test
  void lost() {
    submitted(pinned);
    Finish end = new Finish(State.FAILED, 1, LATER, Optional.empty());
    SparkApplicationStatus status =
        new ApplicationStatusAssembler(pinned, LATER)
            .finished(
                end, DriverDiagnosis.ofLost(false, null), Optional.empty(), executors(List.of()));
    String message = "the driver pod was deleted before it ended";
    assertReady(status, State.FAILED, message, "False", "DriverLost", message);
    assertThat(status.terminationTime()).isEqualTo("2026-11-21T09:00:00Z");
    assertThat(status.driverInfo().podName()).isEqualTo("pi-driver");
    assertThat(status.run().failures()).isEqualTo(1);
    assertThat(status.attempts())
        .containsExactly(
            new AttemptInfo(
                1,
                status.sparkApplicationId(),
                "pi-driver",
                "2026-11-21T08:00:00Z",
                "2026-11-21T09:00:00Z",
                State.FAILED,
                "DriverLost",
                message));
  }

  @Test
  void theEndIsWhenTheDriversContainerEnded() {
    assertThat(observed(Pods.failedDriver(1, "Error")).terminationTime())
        .isEqualTo("2026-11-21T08:00:00Z");
  }

  @Test
  void anEndWithoutATimeIsNow() {
    Pod lost =
        driver(
            """
            phase: Failed
            containerStatuses:
            - name: spark-kubernetes-driver
              state: {terminated: {exitCode: 137, reason: ContainerStatusUnknown, finishedAt: null}}
            """);
    assertThat(observed(lost).terminationTime()).isEqualTo("2026-11-21T09:00:00Z");
    assertThat(observed(driver("{phase: Failed}")).terminationTime())
        .isEqualTo("2026-11-21T09:00:00Z");
  }

  @Test
  void equalInputGivesAnEqualStatus() {
    submitted(pinned);
    List<ExecutorInfo> executors = List.of(executor("True", "Running"));
    SparkApplicationStatus first =
        new ApplicationStatusAssembler(pinned, NOW).observed(driver(RUNNING), executors(executors));
    pinned.setStatus(first);
    assertThat(
            new ApplicationStatusAssembler(pinned, LATER)
                .observed(driver(RUNNING), executors(executors)))
        .isEqualTo(first);
  }

  @Test
  void transitionTimesAreCarriedOver() {
    submitted(ordinary);
    Condition starting = observed(driver("{phase: Pending}")).conditions().get(0);
    assertThat(starting.getLastTransitionTime()).isEqualTo("2026-11-21T08:00:00Z");
    Condition running = observed(driver(RUNNING)).conditions().get(0);
    assertThat(running.getLastTransitionTime()).isEqualTo("2026-11-21T09:00:00Z");
  }

  @Test
  void pinnedIsToldOfPinnedApplicationsOnly() {
    assertThat(observed(driver(RUNNING)).conditions())
        .extracting(Condition::getType)
        .containsExactly("Ready");
    assertPinned(
        List.of(executor("True", "Running"), executor("True", "Gone")),
        "True",
        "AllPinned",
        "2 executors are pinned");
    assertPinned(
        List.of(executor("True", "Running"), executor("False", "Running")),
        "False",
        "NotPinned",
        "1 executors are not pinned; status.executors says why");
    assertPinned(
        List.of(executor("True", "Running"), executor("Unknown", "Running")),
        "Unknown",
        "NotReported",
        "1 executors are pinned, of 1 nothing is known yet");
    assertPinned(
        List.of(executor("True", "Running"), executor("Unknown", "Gone")),
        "True",
        "AllPinned",
        "1 executors are pinned");
    assertPinned(
        List.of(), "Unknown", "NotReported", "0 executors are pinned, of 0 nothing is known yet");
  }

  @Test
  void executorsEndWithTheirDriver() {
    submitted(ordinary);
    assertThat(
            at(NOW)
                .finished(
                    new Finish(State.COMPLETED, 0, NOW, Optional.empty()),
                    new Diagnosis("Completed", ""),
                    Optional.of(driver("{phase: Succeeded}")),
                    executors(List.of(executor("True", "Running"))))
                .executors())
        .extracting(ExecutorInfo::phase)
        .containsExactly("Gone");
  }

  @Test
  void aStatusShows50Executors() {
    SparkApplicationStatus status =
        at(NOW)
            .observed(
                driver(RUNNING), executors(Collections.nCopies(60, executor("True", "Running"))));
    assertThat(status.executors()).hasSize(50);
    assertThat(status.executorCounts().running()).isEqualTo(60);
    assertThat(status.executorCounts().pinned()).isEqualTo(60);
  }

  @Test
  void noStackTraceReachesTheStatus() {
    submitted(ordinary);
    SparkApplicationStatus status =
        observed(
            Pods.failedDriver(1, "Error"),
            "Exception in thread \"main\" java.lang.IllegalStateException: Error\n"
                + "\tat org.example.Error.main(Error.scala:1)\n".repeat(300)
                + "Caused by: java.io.IOException: no\n\t... 3 more\n");
    assertThat(status.applicationState().errorMessage())
        .endsWith(
            "Exception in thread \"main\" java.lang.IllegalStateException: Error | Caused by:"
                + " java.io.IOException: no");
  }

  private ApplicationStatusAssembler at(Instant now) {
    return new ApplicationStatusAssembler(ordinary, now);
  }

  private SparkApplicationStatus observed(Pod driver) {
    submitted(ordinary);
    return observed(driver, "");
  }

  /** As the follower of an attempt does it. */
  private SparkApplicationStatus observed(Pod driver, String log) {
    ObservedAttempt sight = ObservedDriver.attempt(Optional.of(driver), false);
    if (!sight.driver().hasEnded()) {
      return at(LATER).observed(driver, executors(List.of()));
    }
    Finish finish = (Finish) Lifecycle.next(Situation.of(ordinary, false, sight, LATER));
    Diagnosis why = DriverDiagnosis.ofEnded(driver, () -> log, ordinary.getSpec(), List.of());
    return at(LATER).finished(finish, why, Optional.of(driver), executors(List.of()));
  }

  private static Executors executors(List<ExecutorInfo> all) {
    return new Executors(Executors.count(2, 0, 0, null, all), all);
  }

  private void submitted(SparkApplication application) {
    application.setStatus(
        new ApplicationStatusAssembler(application, NOW).intended(FIRST, manifests()));
  }

  private Manifests manifests() {
    return (Manifests) new ApplicationRenderer("spark").render(ordinary, Optional.empty());
  }

  private void assertPinned(
      List<ExecutorInfo> executors, String status, String reason, String message) {
    Condition condition =
        new ApplicationStatusAssembler(pinned, NOW)
            .observed(driver(RUNNING), executors(executors)).conditions().stream()
                .filter(c -> c.getType().equals("Pinned"))
                .findFirst()
                .orElseThrow();
    assertThat(condition.getStatus()).isEqualTo(status);
    assertThat(condition.getReason()).isEqualTo(reason);
    assertThat(condition.getMessage()).isEqualTo(message);
  }

  private static void assertReady(
      SparkApplicationStatus status,
      State state,
      String error,
      String ready,
      String reason,
      String message) {
    assertThat(status.applicationState().state()).isEqualTo(state);
    assertThat(status.applicationState().errorMessage()).isEqualTo(error);
    assertThat(status.conditions().get(0))
        .satisfies(
            condition -> {
              assertThat(condition.getType()).isEqualTo("Ready");
              assertThat(condition.getStatus()).isEqualTo(ready);
              assertThat(condition.getReason()).isEqualTo(reason);
              assertThat(condition.getMessage()).isEqualTo(message);
            });
  }

  private static ExecutorInfo executor(String pinned, String phase) {
    return ExecutorInfo.of("1", "pi-exec-1", "node-1", phase)
        .verdict(Pinned.valueOf(pinned), "Reason", null)
        .build();
  }
}
