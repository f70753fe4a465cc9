package io.numaspark.controller.application;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.application.AttemptFollower.Followed;
import io.numaspark.controller.application.AttemptPreparation.Blocked;
import io.numaspark.controller.application.AttemptPreparation.Contradiction;
import io.numaspark.controller.application.AttemptPreparation.NotYetKnown;
import io.numaspark.controller.application.AttemptPreparation.Prepared;
import io.numaspark.controller.application.AttemptPreparation.Startable;
import io.numaspark.controller.apply.ApplicationSubmitter;
import io.numaspark.controller.apply.ApplicationSubmitter.SubmissionResult;
import io.numaspark.controller.apply.ApplicationSubmitter.SubmissionResult.Delayed;
import io.numaspark.controller.apply.ApplicationSubmitter.SubmissionResult.Refused;
import io.numaspark.controller.apply.ApplicationSubmitter.SubmissionResult.Submitted;
import io.numaspark.controller.apply.AttemptCleaner;
import io.numaspark.controller.apply.ObjectStore;
import io.numaspark.controller.apply.WorkloadQueue;
import io.numaspark.controller.lifecycle.Lifecycle;
import io.numaspark.controller.lifecycle.ObservedAttempt;
import io.numaspark.controller.lifecycle.Situation;
import io.numaspark.controller.lifecycle.Step;
import io.numaspark.controller.observe.AttemptPods;
import io.numaspark.controller.observe.AttemptPods.GoneApplication;
import io.numaspark.controller.status.ApplicationStatusAssembler;
import io.numaspark.controller.status.ObservedDriver;
import io.numaspark.controller.store.FollowPace;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.proof.Diagnosis;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Carries out the steps of one application's life until there is nothing to do before the next
 * event; {@link Lifecycle} decides them.
 *
 * <p>A status that announces something is written before it is done, and everything that is done
 * can be done twice. So it may be killed between any two requests.
 */
public record ApplicationFlow(
    ObjectStore objects,
    AttemptPods pods,
    AttemptPreparation preparation,
    AttemptFollower follower,
    WorkloadQueue queue,
    FollowPace pace) {
  private static final Duration WHILE_WAITING = Duration.ofSeconds(15);
  private static final Duration WHILE_STOPPING = Duration.ofSeconds(30);
  private static final Duration WHILE_FORMER_RUN_ENDS = Duration.ofSeconds(1);
  private static final Duration WHILE_OPERATOR_STARTS = Duration.ofSeconds(1);

  private static final Set<State> IN_ATTEMPT =
      EnumSet.of(State.SUBMITTED, State.RUNNING, State.UNKNOWN);
  private static final Set<State> STOPPING = EnumSet.of(State.SUSPENDING, State.INVALIDATING);

  /** Writes a status and returns the application as it is then. */
  @FunctionalInterface
  public interface StatusWriter {
    SparkApplication write(SparkApplication read, SparkApplicationStatus status);
  }

  /** Does what is to be done now; returns when to look again if no event comes. */
  public Optional<Duration> advance(
      SparkApplication application, StatusWriter statuses, Instant now) {
    return new Reconciliation(application, statuses, now).run();
  }

  /** An application is gone: nothing of it is kept. */
  public void forget(GoneApplication gone) {
    gone.sparkAppId().ifPresent(attempt -> forgetAttempt(gone.namespace(), attempt));
  }

  /** An attempt has ended or was replaced by another. */
  private void forgetAttempt(String namespace, String sparkAppId) {
    follower.forget(namespace, sparkAppId);
    pace.forget(sparkAppId);
  }

  /** One application, from an event until there is nothing to do before the next one. */
  private final class Reconciliation {
    private final StatusWriter statuses;
    private final Instant now;
    private SparkApplication application;
    private Optional<Pod> created = Optional.empty();
    private Optional<Duration> again = Optional.empty();

    Reconciliation(SparkApplication application, StatusWriter statuses, Instant now) {
      this.application = application;
      this.statuses = statuses;
      this.now = now;
    }

    Optional<Duration> run() {
      boolean goesOn = !application.isMarkedForDeletion();
      while (goesOn) {
        again = Optional.empty();
        SparkApplication before = application;
        Optional<Pod> driver = driver();
        Step step =
            Lifecycle.next(
                Situation.of(application, queue.isEvicted(application), observed(driver), now));
        carryOut(step, driver);
        // A status that was written is another situation.
        goesOn = before != application && again.isEmpty() && !(step instanceof Step.Follow);
      }
      return again;
    }

    private void carryOut(Step step, Optional<Pod> driver) {
      if (step instanceof Step.Start start) {
        start(start);
      } else if (step instanceof Step.Submit) {
        submitAgain();
      } else if (step instanceof Step.Follow) {
        follow(driver.orElseThrow());
      } else if (step instanceof Step.Finish finish) {
        write(follower.finished(application, finish, driver.or(this::lastDriver), now));
      } else if (step instanceof Step.Stop stop) {
        stop(stop.state(), driver);
      } else if (step instanceof Step.Settle settle) {
        write(status().settled(settle.end()));
      } else if (step instanceof Step.Suspend) {
        write(status().suspended());
      } else if (step instanceof Step.Delete) {
        objects.deleteApplication(application);
      } else {
        settleQueue();
        write(status().unchanged());
        if (step instanceof Step.WaitUntil wait) {
          again = Optional.of(Duration.between(now, wait.time()).plusMillis(1));
        }
      }
    }

    /**
     * Nothing of the application runs: what it has of others' quota is theirs again. Also if it
     * names no queue any more.
     */
    private void settleQueue() {
      State state = state();
      if (state == State.COMPLETED || state == State.FAILED) {
        queue.finish(application, state == State.COMPLETED);
      } else if (state == State.SUSPENDED) {
        if (Boolean.TRUE.equals(application.getSpec().suspend())) {
          queue.withdraw(application);
        } else {
          queue.leave(application);
        }
      }
    }

    private void start(Step.Start start) {
      Prepared prepared = preparation.start(application, start.attempt());
      if (prepared instanceof Startable startable) {
        write(status().intended(start, startable.manifests()));
        submit(startable.manifests());
      } else {
        hold(prepared, start.whileWaiting());
      }
    }

    private void hold(Prepared prepared, State whileWaiting) {
      if (prepared instanceof Contradiction contradiction) {
        write(status().refused(contradiction.why()));
      } else if (prepared instanceof Blocked blocked) {
        write(status().waiting(whileWaiting, blocked.why()));
        again = Optional.of(WHILE_WAITING);
      } else if (prepared instanceof NotYetKnown) {
        again = Optional.of(WHILE_OPERATOR_STARTS);
      }
    }

    /**
     * The intent stands, but its objects may be missing: the operator died, or they were refused.
     */
    private void submitAgain() {
      ApplicationIdentity attempt = ApplicationIdentity.of(application);
      created = pods.liveDriver(attempt).filter(attempt::owns).or(this::lastDriver);
      if (created.isPresent()) {
        follow(created.get());
        return;
      }
      Prepared prepared = preparation.resume(application, attempt.attempt());
      if (prepared instanceof Startable startable) {
        write(status().intendedAgain(startable.manifests()));
        submit(startable.manifests());
      } else {
        hold(prepared, State.SUBMITTED);
      }
    }

    private void submit(Manifests manifests) {
      ApplicationIdentity attempt = ApplicationIdentity.of(application);
      new AttemptCleaner(objects).makeRoom(application, manifests);
      SubmissionResult result = new ApplicationSubmitter(objects).submit(manifests);
      if (result instanceof Submitted submitted) {
        created = Optional.of(submitted.driver());
        again = Optional.of(FollowPace.START);
      } else if (result instanceof Delayed delayed) {
        write(status().delayed(delayed.message()));
        again = Optional.of(WHILE_FORMER_RUN_ENDS);
      } else if (result instanceof Refused refused) {
        write(status().submissionFailed(new Diagnosis(refused.reason(), refused.message())));
      }
    }

    private void follow(Pod driver) {
      Followed followed = follower.follow(application, driver, now);
      Duration wait = pace.wait(attemptId(), application.getStatus(), followed.status(), now);
      if (!wait.isZero()) {
        again = Optional.of(wait.plusMillis(1));
        return;
      }
      write(followed.status());
      ApplicationIdentity attempt = ApplicationIdentity.of(application);
      pods.counted(attempt, followed.failed());
      followed.abandoned().forEach(pod -> new AttemptCleaner(objects).abandon(attempt, pod));
      again = followed.again();
    }

    private void stop(State state, Optional<Pod> driver) {
      SparkApplicationStatus before = application.getStatus();
      if (before.applicationState().state() != state) {
        write(status().stopping(state));
        return;
      }
      ApplicationIdentity attempt = ApplicationIdentity.of(application);
      boolean asked =
          driver.filter(pod -> !isBeingDeleted(pod)).isEmpty()
              && pods.executors(attempt).stream().allMatch(Reconciliation::isBeingDeleted);
      if (!asked) {
        new AttemptCleaner(objects).stop(attempt);
      }
      AttemptFollower.abandoned(pods.executors(attempt), now)
          .forEach(pod -> new AttemptCleaner(objects).abandon(attempt, pod));
      again = Optional.of(WHILE_STOPPING);
    }

    private ObservedAttempt observed(Optional<Pod> driver) {
      boolean executorsLeft =
          STOPPING.contains(state())
              && !pods.executors(ApplicationIdentity.of(application)).isEmpty();
      return ObservedDriver.attempt(driver, executorsLeft);
    }

    /**
     * The driver of the current attempt, if it matters; from the API server where the cache may lag
     * behind our own writes.
     */
    private Optional<Pod> driver() {
      State state = state();
      boolean stopping = STOPPING.contains(state);
      boolean inAttempt =
          IN_ATTEMPT.contains(state) && !SparkApplicationStatus.waits(application.getStatus());
      if (!stopping && !inAttempt && state != State.SUSPENDED) {
        return Optional.empty();
      }
      ApplicationIdentity attempt = ApplicationIdentity.of(application);
      Optional<Pod> found = pods.cachedDriver(attempt).filter(attempt::owns).or(() -> created);
      if (found.isEmpty() && (stopping || inAttempt && wasCreated())) {
        found = pods.liveDriver(attempt).filter(attempt::owns);
      }
      if (found.isEmpty() && !stopping) {
        found =
            lastDriver()
                .filter(pod -> ObservedDriver.attempt(Optional.of(pod), false).driver().hasEnded());
      }
      return found;
    }

    /** Of a driver that is gone by now. */
    private Optional<Pod> lastDriver() {
      return pods.lastDriver(ApplicationIdentity.of(application));
    }

    private boolean wasCreated() {
      SparkApplicationStatus status = application.getStatus();
      return status.driverInfo() != null && status.driverInfo().podUid() != null;
    }

    private static boolean isBeingDeleted(Pod pod) {
      return pod.getMetadata().getDeletionTimestamp() != null;
    }

    private String attemptId() {
      return application.getStatus().sparkApplicationId();
    }

    private State state() {
      return SparkApplicationStatus.stateOf(application.getStatus());
    }

    private ApplicationStatusAssembler status() {
      return new ApplicationStatusAssembler(application, now);
    }

    private void write(SparkApplicationStatus status) {
      SparkApplicationStatus before = application.getStatus();
      if (!status.equals(before)) {
        application = statuses.write(application, status);
        boolean goesOn = attemptId() != null && application.getStatus().terminationTime() == null;
        if (goesOn) {
          pace.wrote(attemptId(), now);
        }
        String last = before == null ? null : before.sparkApplicationId();
        if (last != null && !(goesOn && last.equals(attemptId()))) {
          forgetAttempt(application.getMetadata().getNamespace(), last);
        }
      }
    }
  }
}
