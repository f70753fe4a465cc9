package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ApplicationState;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.DriverInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorCounts;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorShapeInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.status.DriverDiagnosis.Diagnosis;
import io.numaspark.render.MemorySize;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.RenderResult.Manifests;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** The status of an application: equal input gives an equal status. */
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

  /** The application cannot be submitted yet: what it waits for is in the message. */
  public SparkApplicationStatus pending(String reason, String message) {
    return notSubmitted(State.PENDING, reason, message);
  }

  /** Submission failed or was refused; it is tried again while the cause may pass. */
  public SparkApplicationStatus submissionFailed(String reason, String message) {
    return notSubmitted(State.SUBMISSION_FAILED, reason, message);
  }

  private SparkApplicationStatus notSubmitted(State state, String reason, String message) {
    return new SparkApplicationStatus(
        generation(),
        new ApplicationState(state, message),
        before.sparkApplicationId(),
        before.run(),
        before.executionAttempts(),
        before.submissionAttempts(),
        before.lastSubmissionAttemptTime(),
        null,
        null,
        null,
        before.executorShape(),
        before.executorCounts(),
        before.executors(),
        before.attempts(),
        before.warnings(),
        conditions().add("Ready", Conditions.FALSE, reason, message).build());
  }

  /** The intent to submit, written before anything is created. */
  public SparkApplicationStatus submitting(Manifests manifests) {
    ApplicationIdentity identity = ApplicationIdentity.of(application);
    return new SparkApplicationStatus(
        generation(),
        new ApplicationState(State.SUBMITTED, null),
        identity.names().sparkAppId(),
        before.run(),
        before.executionAttempts(),
        before.submissionAttempts(),
        Objects.requireNonNullElse(before.lastSubmissionAttemptTime(), now.toString()),
        null,
        null,
        new DriverInfo(
            identity.names().driverPod(),
            null,
            null,
            identity.names().driverService(),
            null,
            null,
            null,
            null),
        shape(manifests),
        ExecutorObservation.count(manifests.executors().instances(), List.of()),
        List.of(),
        before.attempts(),
        before.warnings(),
        conditions()
            .add("Ready", Conditions.FALSE, "Submitting", "the driver is being created")
            .build());
  }

  /**
   * The intent stands, but objects of a former run of the same name are in the way; that passes by
   * itself.
   */
  public SparkApplicationStatus delayed(String message) {
    return status(
        new ApplicationState(State.SUBMITTED, null),
        null,
        before.driverInfo(),
        before.executors(),
        Conditions.FALSE,
        new Diagnosis("FormerRunEnding", message));
  }

  /** The driver pod that was submitted is gone before it ended. */
  public SparkApplicationStatus driverLost() {
    return ended(
        State.FAILED,
        new Diagnosis(
            "DriverLost",
            "the driver pod was deleted before it ended; delete the application and apply it again to run it once more"),
        now.toString(),
        before.driverInfo(),
        before.executors());
  }

  /**
   * The status of an application whose driver pod exists.
   *
   * @param log asked for the end of the driver's log, only if the driver failed
   */
  public SparkApplicationStatus observed(
      Pod driver, int uiPort, List<ExecutorInfo> executors, Function<Pod, String> log) {
    DriverInfo info =
        new DriverInfo(
            driver.getMetadata().getName(),
            driver.getMetadata().getUid(),
            driver.getSpec().getNodeName(),
            ApplicationIdentity.of(application).names().driverService(),
            uiPort,
            null,
            null,
            null);
    String phase =
        String.valueOf(driver.getStatus() == null ? null : driver.getStatus().getPhase());
    return switch (phase) {
      case "Succeeded" ->
          ended(
              State.COMPLETED,
              new Diagnosis("Completed", "the driver ended with exit code 0"),
              ended(driver),
              info,
              executors);
      case "Failed" ->
          ended(
              State.FAILED,
              DriverDiagnosis.ofFailed(driver, log.apply(driver)),
              ended(driver),
              info,
              executors);
      case "Running" ->
          alive(
              State.RUNNING,
              Conditions.TRUE,
              new Diagnosis("Running", "the driver is running"),
              info,
              executors);
      default -> {
        Optional<Diagnosis> trouble = DriverDiagnosis.ofPending(driver);
        Diagnosis diagnosis =
            trouble.orElse(
                new Diagnosis("DriverStarting", "the driver pod is waiting for its container"));
        yield alive(State.SUBMITTED, Conditions.FALSE, diagnosis, info, executors);
      }
    };
  }

  private SparkApplicationStatus alive(
      State state,
      String ready,
      Diagnosis diagnosis,
      DriverInfo driver,
      List<ExecutorInfo> executors) {
    String error =
        state == State.SUBMITTED && !diagnosis.reason().equals("DriverStarting")
            ? diagnosis.message()
            : null;
    return status(new ApplicationState(state, error), null, driver, executors, ready, diagnosis);
  }

  private SparkApplicationStatus ended(
      State state,
      Diagnosis diagnosis,
      String at,
      DriverInfo driver,
      List<ExecutorInfo> executors) {
    String error = state == State.FAILED ? diagnosis.message() : null;
    String ready = state == State.COMPLETED ? Conditions.TRUE : Conditions.FALSE;
    List<ExecutorInfo> ended =
        executors == null ? null : ExecutorObservation.afterDriver(executors);
    return status(new ApplicationState(state, error), at, driver, ended, ready, diagnosis);
  }

  private SparkApplicationStatus status(
      ApplicationState state,
      String terminationTime,
      DriverInfo driver,
      List<ExecutorInfo> executors,
      String ready,
      Diagnosis diagnosis) {
    int wanted = before.executorCounts() == null ? 0 : before.executorCounts().wanted();
    ExecutorCounts counts =
        ExecutorObservation.count(wanted, Objects.requireNonNullElse(executors, List.of()));
    Conditions conditions =
        conditions().add("Ready", ready, diagnosis.reason(), diagnosis.message());
    if (application.getSpec().nodeProfile() != null) {
      addPinned(conditions, counts);
    }
    return new SparkApplicationStatus(
        generation(),
        state,
        before.sparkApplicationId(),
        before.run(),
        before.executionAttempts(),
        before.submissionAttempts(),
        before.lastSubmissionAttemptTime(),
        terminationTime,
        null,
        driver,
        before.executorShape(),
        counts,
        ExecutorObservation.listed(executors),
        before.attempts(),
        before.warnings(),
        conditions.build());
  }

  private static void addPinned(Conditions conditions, ExecutorCounts counts) {
    if (counts.notPinned() > 0) {
      conditions.add(
          "Pinned",
          Conditions.FALSE,
          "NotPinned",
          counts.notPinned() + " executors are not pinned; status.executors says why for each");
    } else if (counts.pinned() > 0 && counts.unknown() == 0) {
      conditions.add(
          "Pinned", Conditions.TRUE, "AllPinned", counts.pinned() + " executors are pinned");
    } else {
      conditions.add(
          "Pinned",
          Conditions.UNKNOWN,
          "NotReported",
          counts.pinned()
              + " executors are pinned, of "
              + counts.unknown()
              + " nothing is known yet");
    }
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
                    MemorySize.toQuantity(pinned.memory().podBytes()),
                    1))
        .orElse(new ExecutorShapeInfo(null, executors.taskSlots(), heap, null, null));
  }

  private String ended(Pod driver) {
    return DriverDiagnosis.terminated(driver)
        // The kubelet knows no time of a container that it lost.
        .map(ContainerStateTerminated::getFinishedAt)
        .orElse(Objects.requireNonNullElse(before.terminationTime(), now.toString()));
  }

  private Conditions conditions() {
    List<Condition> old = before.conditions();
    return new Conditions(old, generation(), now);
  }

  private Long generation() {
    return application.getMetadata().getGeneration();
  }
}
