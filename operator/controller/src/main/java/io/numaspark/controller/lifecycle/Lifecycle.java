package io.numaspark.controller.lifecycle;

import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.lifecycle.Situation.Desired;
import io.numaspark.controller.lifecycle.Situation.Recorded;
import io.numaspark.controller.lifecycle.Step.Delete;
import io.numaspark.controller.lifecycle.Step.Finish;
import io.numaspark.controller.lifecycle.Step.Follow;
import io.numaspark.controller.lifecycle.Step.Rest;
import io.numaspark.controller.lifecycle.Step.Settle;
import io.numaspark.controller.lifecycle.Step.Start;
import io.numaspark.controller.lifecycle.Step.Stop;
import io.numaspark.controller.lifecycle.Step.Submit;
import io.numaspark.controller.lifecycle.Step.Suspend;
import io.numaspark.controller.lifecycle.Step.WaitUntil;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The state machine of an application: from what is desired, recorded and seen to the next step.
 *
 * <pre>
 *               profile or slots missing
 *   (new) ---> SUBMITTED with waitingSince -+
 *     |                                     |
 *     +-------------------------------------+--> SUBMITTED --runs--> RUNNING <--> UNKNOWN
 *     |                                     ^     |  ^                  |            |
 *     |            refused by the API server|     |  | tried again      |            |
 *     |                                     |     v  |                  |            |
 *     |                                     |  SUBMISSION_FAILED        |            |
 *     |                                     |     | tries used up       |            |
 *     |                                     |     v                     |            |
 *     |                spec changed +-------+-- FAILED <---exit != 0, lost, evicted--+
 *     |                             |       |                           |            |
 *     |                             +-------+-- COMPLETED <---exit 0----+            |
 *     |                                     |                           |            |
 *     |                    when it is due   +-- PENDING_RERUN <--restartPolicy-------+
 *     |                                     |                           |            |
 *     |               driver gone           +-- INVALIDATING <---spec changed--------+
 *     |                                     |                           |            |
 *     |               suspend: false        +-- SUSPENDED <--gone-- SUSPENDING <-----+
 *     |                                              ^            suspend: true
 *     +------------------suspend: true---------------+
 * </pre>
 *
 * Every start passes the state with waitingSince if a profile or slots are missing; only
 * PENDING_RERUN keeps its name meanwhile. Both look the same to those who know kubeflow's operator:
 * the application is submitted, and no driver runs yet. COMPLETED and FAILED are final, but for a
 * change of the spec; after their time to live the application is deleted.
 *
 * <p>Every attempt has a number and names of its own. Its state is written before the thing is
 * done: SUBMITTED before a driver is created, SUSPENDING or INVALIDATING before one is deleted. So
 * whoever goes on after a crash does the same thing again, which has no further effect.
 */
public final class Lifecycle {
  private final Desired desired;
  private final Recorded recorded;
  private final ObservedAttempt observed;
  private final Instant now;

  private Lifecycle(Situation situation) {
    desired = situation.desired();
    recorded = situation.recorded();
    observed = situation.observed();
    now = situation.now();
  }

  /** The next step. */
  public static Step next(Situation situation) {
    return new Lifecycle(situation).next();
  }

  private Step next() {
    if (recorded.state() == null) {
      return suspendOr(start(0));
    }
    return switch (recorded.state()) {
      case PENDING, RESUMING -> suspendOr(start(0));
      case SUBMISSION_FAILED -> suspendOr(afterRefusal());
      case SUBMITTED -> recorded.waits() ? suspendOr(start(0)) : inAttempt();
      case RUNNING, UNKNOWN -> inAttempt();
      case PENDING_RERUN -> suspendOr(betweenAttempts());
      case SUSPENDING -> observed.isGone() ? new Suspend() : new Stop(State.SUSPENDING);
      case INVALIDATING -> observed.isGone() ? suspendOr(start(0)) : new Stop(State.INVALIDATING);
      case SUSPENDED -> suspended();
      case COMPLETED, FAILED -> desired.changed() ? suspendOr(start(0)) : retention();
    };
  }

  private Step suspendOr(Step step) {
    return desired.suspended() ? new Suspend() : step;
  }

  private Start start(int failures) {
    return start(failures, State.SUBMITTED);
  }

  private Start start(int failures, State whileWaiting) {
    return new Start(recorded.attempt() + 1, failures, whileWaiting);
  }

  /** Without a time it was the spec that was refused: it is looked at again at every event. */
  private Step afterRefusal() {
    if (desired.changed() || recorded.dueAt().isEmpty()) {
      return start(0);
    }
    Instant latest = now.plus(desired.restarts().longestSubmissionDelay());
    return until(recorded.dueAt().get(), latest).orElse(new Submit());
  }

  private Step inAttempt() {
    if (observed.driver().hasEnded()) {
      return finish(observed.driver() == ObservedAttempt.DriverPhase.SUCCEEDED);
    }
    if (desired.suspended()) {
      return new Stop(State.SUSPENDING);
    }
    if (desired.changed()) {
      return new Stop(State.INVALIDATING);
    }
    if (observed.driver() != ObservedAttempt.DriverPhase.ABSENT) {
      return new Follow();
    }
    return recorded.created() ? finish(false) : new Submit();
  }

  private Finish finish(boolean succeeded) {
    int failures = succeeded ? 0 : recorded.failures() + 1;
    // A node's clock may be ahead of ours; a time in the future would delay what follows.
    Instant end = observed.endedAt().filter(time -> time.isBefore(now)).orElse(now);
    if (desired.restarts().repeats(succeeded, failures)) {
      Instant due = desired.restarts().next(end, failures);
      return new Finish(State.PENDING_RERUN, failures, end, Optional.of(due));
    }
    State last = succeeded ? State.COMPLETED : State.FAILED;
    return new Finish(last, failures, end, Optional.empty());
  }

  private Step betweenAttempts() {
    if (desired.changed()) {
      return start(0);
    }
    State lastEnd = recorded.lastEnd().orElse(State.FAILED);
    if (!desired.restarts().repeats(lastEnd == State.COMPLETED, recorded.failures())) {
      return new Settle(lastEnd);
    }
    Instant latest = desired.restarts().next(now, recorded.failures());
    return recorded
        .dueAt()
        .flatMap(due -> until(due, latest))
        .orElse(start(recorded.failures(), State.PENDING_RERUN));
  }

  /** An operator that was replaced may have created the driver after its successor looked. */
  private Step suspended() {
    if (observed.driver() != ObservedAttempt.DriverPhase.ABSENT && !observed.driver().hasEnded()) {
      return new Stop(State.SUSPENDING);
    }
    return desired.suspended() ? new Rest() : start(0);
  }

  private Step retention() {
    if (desired.timeToLiveSeconds().isEmpty()) {
      return new Rest();
    }
    Instant end = recorded.endedAt().orElse(now);
    long seconds = Math.max(0, Math.min(desired.timeToLiveSeconds().get(), FOREVER_SECONDS));
    return waitUntil(end.plusSeconds(seconds)).orElse(new Delete());
  }

  /**
   * Waiting for something that was due at the latest so long from when it was written. Further away
   * it was written by another clock, ahead of ours, and nobody knows how long ago: it is due.
   */
  private Optional<Step> until(Instant time, Instant latest) {
    return time.isAfter(latest.plus(CLOCKS_DIFFER)) ? Optional.empty() : waitUntil(time);
  }

  private Optional<Step> waitUntil(Instant time) {
    return now.isBefore(time) ? Optional.of(new WaitUntil(time)) : Optional.empty();
  }

  /** A difference that only means to wait a little longer. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

  /** A thousand years: sums of it and any time of this era stay within Java's Instant. */
  private static final long FOREVER_SECONDS = 31_556_952_000L;
}
