package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.AttemptInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.DriverInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorShapeInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.RunInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.lifecycle.RestartRules;
import io.numaspark.controller.lifecycle.SpecDigest;
import io.numaspark.controller.lifecycle.Step.Finish;
import io.numaspark.controller.lifecycle.Step.Start;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.WebUi;
import io.numaspark.render.proof.Diagnosis;
import io.numaspark.render.text.MemorySize;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/** The status of an application after a step of its life: equal input gives an equal status. */
public final class ApplicationStatusAssembler {
  private final SparkApplication application;
  private final SparkApplicationStatus before;
  private final Instant now;

  /** An assembler for one reconciliation. */
  public ApplicationStatusAssembler(SparkApplication application, Instant now) {
    this.application = application;
    this.before =
        Objects.requireNonNullElse(application.getStatus(), SparkApplicationStatus.empty());
    this.now = now.truncatedTo(ChronoUnit.SECONDS);
  }

  /** It cannot be started yet: what it waits for is in the message. */
  public SparkApplicationStatus waiting(State state, Diagnosis why) {
    return withoutStopped()
        .waiting(state, why.message(), waitingSince())
        .due(null)
        .conditions(ready(Conditions.FALSE, why))
        .build();
  }

  /** A new application waits from its creation on, whenever an operator first looks at it. */
  private String waitingSince() {
    if (SparkApplicationStatus.waits(before) && before.applicationState().waitingSince() != null) {
      return before.applicationState().waitingSince();
    }
    boolean isNew =
        before.sparkApplicationId() == null && (state() == null || state() == State.PENDING);
    return isNew && application.getMetadata().getCreationTimestamp() != null
        ? application.getMetadata().getCreationTimestamp()
        : now.toString();
  }

  /** The spec contradicts itself or its profile; a change of either is waited for. */
  public SparkApplicationStatus refused(Diagnosis why) {
    return withoutStopped()
        .state(State.SUBMISSION_FAILED, why.message())
        .due(null)
        .conditions(ready(Conditions.FALSE, why))
        .build();
  }

  /** The intent to run an attempt, written before anything of it is created. */
  public SparkApplicationStatus intended(Start start, Manifests manifests) {
    ApplicationIdentity identity = ApplicationIdentity.of(application, start.attempt());
    RunInfo run =
        new RunInfo(
            start.attempt(), generation(), SpecDigest.of(application.getSpec()), start.failures());
    return withoutStopped()
        .state(State.SUBMITTED, null)
        .attempt(identity.names().sparkAppId(), run)
        .submitted(1, now.toString())
        .ended(null)
        .due(null)
        .driver(driver(identity, manifests.webUi()))
        .shape(shape(manifests))
        .noExecutors(manifests.executors().instances())
        .warnings(manifests.warnings().stream())
        .conditions(
            ready(
                Conditions.FALSE,
                new Diagnosis(ApplicationReason.SUBMITTING, "the driver is being created")))
        .build();
  }

  /**
   * The intent stands, but objects of a former run of the same name are in the way; that passes by
   * itself.
   */
  public SparkApplicationStatus delayed(String message) {
    return draft()
        .state(State.SUBMITTED, null)
        .due(null)
        .conditions(
            ready(Conditions.FALSE, new Diagnosis(ApplicationReason.FORMER_RUN_ENDING, message)))
        .build();
  }

  /** The intent stands and is carried out again: it was interrupted, or refused before. */
  public SparkApplicationStatus intendedAgain(Manifests manifests) {
    StatusDraft draft = draft().shape(shape(manifests));
    return state() == State.SUBMISSION_FAILED
        ? draft
            .state(State.SUBMITTED, null)
            .submitted(submissions() + 1, now.toString())
            .due(null)
            .build()
        : draft.build();
  }

  /** The API server refused an object; it is tried again as spec.restartPolicy says. */
  public SparkApplicationStatus submissionFailed(Diagnosis why) {
    RestartRules restarts = RestartRules.of(application.getSpec());
    if (restarts.repeatsSubmission(submissions())) {
      return draft()
          .state(State.SUBMISSION_FAILED, why.message())
          .due(now.plus(restarts.submissionDelay(submissions())).toString())
          .conditions(ready(Conditions.FALSE, why))
          .build();
    }
    return draft()
        .state(State.FAILED, why.message())
        .ended(now.toString())
        .due(null)
        .endedAttempt(attempt(State.FAILED, why, now.toString()))
        .conditions(ready(Conditions.FALSE, why))
        .build();
  }

  private int submissions() {
    return Objects.requireNonNullElse(before.submissionAttempts(), 1);
  }

  /** The driver pod exists and has not ended. */
  public SparkApplicationStatus observed(Pod driver, Executors executors) {
    State state = new ObservedDriver(driver).state();
    return draft()
        .state(state, DriverDiagnosis.trouble(driver).map(Diagnosis::message).orElse(null))
        .due(null)
        .driver(driver(driver))
        .executors(executors)
        .conditions(
            withPinned(
                ready(
                    state == State.RUNNING ? Conditions.TRUE : Conditions.FALSE,
                    DriverDiagnosis.ofLiving(driver)),
                executors))
        .build();
  }

  /**
   * The attempt has ended.
   *
   * @param driver empty if its pod is gone
   */
  public SparkApplicationStatus finished(
      Finish finish, Diagnosis why, Optional<Pod> driver, Executors executors) {
    boolean succeeded = finish.failures() == 0;
    State end = succeeded ? State.COMPLETED : State.FAILED;
    String at = finish.at().truncatedTo(ChronoUnit.SECONDS).toString();
    Executors ended = executors.afterDriver();
    StatusDraft draft = draft();
    driver.ifPresent(pod -> draft.driver(driver(pod)));
    return draft
        .state(finish.next(), succeeded ? null : why.message())
        .run(withFailures(finish.failures()))
        .ended(at)
        .due(finish.dueAt().map(Instant::toString).orElse(null))
        .executors(ended)
        .endedAttempt(attempt(end, why, at))
        .conditions(withPinned(ready(succeeded ? Conditions.TRUE : Conditions.FALSE, why), ended))
        .build();
  }

  /** No further attempt follows after all. */
  public SparkApplicationStatus settled(State end) {
    return draft()
        .state(end, end == State.FAILED ? before.applicationState().errorMessage() : null)
        .due(null)
        .build();
  }

  /** Driver and executors are being stopped. */
  public SparkApplicationStatus stopping(State state) {
    Diagnosis why =
        state == State.SUSPENDING
            ? new Diagnosis(
                ApplicationReason.SUSPENDING, "spec.suspend is true: the driver is being stopped")
            : new Diagnosis(
                ApplicationReason.SPEC_CHANGED,
                "the spec was changed: the driver is stopped and started again");
    return draft().state(state, null).conditions(ready(Conditions.FALSE, why)).build();
  }

  /** Nothing runs because spec.suspend says so. */
  public SparkApplicationStatus suspended() {
    return withoutStopped()
        .state(State.SUSPENDED, null)
        .due(null)
        .conditions(
            ready(
                Conditions.FALSE,
                new Diagnosis(
                    ApplicationReason.SUSPENDED, "spec.suspend is true; set it to false to run")))
        .build();
  }

  /** Nothing happens, but an edit of the spec without effect on the run has been seen. */
  public SparkApplicationStatus unchanged() {
    return draft().build();
  }

  /** Leaving SUSPENDING or INVALIDATING, the attempt that was stopped becomes a former one. */
  private StatusDraft withoutStopped() {
    StatusDraft draft = draft();
    if (state() == State.SUSPENDING || state() == State.INVALIDATING) {
      State end = state() == State.SUSPENDING ? State.SUSPENDED : State.INVALIDATING;
      ApplicationReason reason =
          end == State.SUSPENDED ? ApplicationReason.SUSPENDED : ApplicationReason.SPEC_CHANGED;
      draft
          .ended(now.toString())
          .endedAttempt(attempt(end, new Diagnosis(reason, "stopped"), now.toString()));
    }
    return draft;
  }

  private StatusDraft draft() {
    StatusDraft draft = new StatusDraft(before, generation(), now);
    RunInfo run = before.run();
    // Only an edit without effect gets here with another generation: it need not be looked at
    // again.
    return run == null || state() == State.INVALIDATING
        ? draft
        : draft.run(
            new RunInfo(run.attempt(), generationOf(run), run.specDigest(), run.failures()));
  }

  private Long generationOf(RunInfo run) {
    boolean same =
        Objects.equals(run.generation(), generation())
            || SpecDigest.of(application.getSpec()).equals(run.specDigest());
    return same ? generation() : run.generation();
  }

  private RunInfo withFailures(int failures) {
    RunInfo run = before.run();
    return run == null
        ? new RunInfo(1, generation(), SpecDigest.of(application.getSpec()), failures)
        : new RunInfo(run.attempt(), generationOf(run), run.specDigest(), failures);
  }

  private AttemptInfo attempt(State end, Diagnosis why, String at) {
    return new AttemptInfo(
        before.run() == null ? Integer.valueOf(1) : before.run().attempt(),
        before.sparkApplicationId(),
        ApplicationIdentity.of(application).names().driverPod(),
        before.lastSubmissionAttemptTime(),
        at,
        end,
        why.reason(),
        why.message());
  }

  private static DriverInfo driver(ApplicationIdentity identity, Optional<WebUi> ui) {
    return new DriverInfo(
        identity.names().driverPod(),
        null,
        null,
        ui.map(WebUi::serviceName).orElse(null),
        ui.map(WebUi::port).orElse(null),
        ui.map(WebUi::address).orElse(null),
        ui.flatMap(WebUi::ingressName).orElse(null),
        ui.flatMap(WebUi::ingressAddress).orElse(null));
  }

  /** The web UI stays as it was when the attempt was made: the operator's settings may change. */
  private DriverInfo driver(Pod pod) {
    DriverInfo intended = before.driverInfo();
    boolean known = intended != null;
    return new DriverInfo(
        ApplicationIdentity.of(application).names().driverPod(),
        pod.getMetadata().getUid(),
        pod.getSpec().getNodeName(),
        known ? intended.webUIServiceName() : null,
        known ? intended.webUIPort() : null,
        known ? intended.webUIAddress() : null,
        known ? intended.webUIIngressName() : null,
        known ? intended.webUIIngressAddress() : null);
  }

  private Conditions withPinned(Conditions conditions, Executors executors) {
    return application.getSpec().nodeProfile() == null
        ? conditions
        : executors.addPinned(conditions);
  }

  private static ExecutorShapeInfo shape(Manifests manifests) {
    ExecutorRequest executors = manifests.executors();
    String heap = MemorySize.toQuantity(executors.heapBytes());
    return executors
        .pinned()
        .map(
            pinned ->
                new ExecutorShapeInfo(
                    String.valueOf(pinned.cpus().cpus()),
                    executors.taskSlots(),
                    heap,
                    MemorySize.toQuantity(pinned.memory().pageCacheBytes()),
                    MemorySize.toQuantity(pinned.memory().podBytes()),
                    pinned.slots()))
        .orElse(new ExecutorShapeInfo(null, executors.taskSlots(), heap, null, null, null));
  }

  private Conditions ready(String status, Diagnosis why) {
    return new Conditions(before.conditions(), generation(), now).add("Ready", status, why);
  }

  private State state() {
    return SparkApplicationStatus.stateOf(before);
  }

  private Long generation() {
    return application.getMetadata().getGeneration();
  }
}
