package io.numaspark.controller.lifecycle;

import io.numaspark.controller.lifecycle.TrialSituation.TrialProblem;
import io.numaspark.trial.design.Arm;
import io.numaspark.trial.engine.Action.Ending;
import io.numaspark.trial.engine.RoundId;
import java.time.Duration;

/** What is done next with a trial. */
public sealed interface TrialStep {

  /** It cannot be measured: its run is stopped, and others may use the nodes. */
  record Refuse(TrialProblem why) implements TrialStep {}

  /** Its run is stopped, and others may use the nodes, until it is resumed. */
  record Suspend() implements TrialStep {}

  /** Another trial has the nodes. */
  record Queue() implements TrialStep {}

  /** It tries to have the nodes for itself. */
  record Lock() implements TrialStep {}

  /** It has the nodes, and waits for the executors of others to end. */
  record Drain() implements TrialStep {}

  /** The executors of others did not end: others may start again, for as long as it has waited. */
  record GiveWay() implements TrialStep {}

  /** The next run is written to the status, and its profile is planned as it needs it. */
  record Prepare(RoundId round, Arm arm) implements TrialStep {}

  /** The application of the run in the status is created. */
  record Create() implements TrialStep {}

  /** Nothing is to be done before an event, or this time. */
  record Follow(Duration again) implements TrialStep {}

  /** The run has ended, and its line is written. */
  record Record() implements TrialStep {}

  /** The run takes too long: it is stopped, and its line is written. */
  record TimeOut(String why) implements TrialStep {}

  /** What there is is analysed, and others may use the nodes. */
  record Finish(Ending ending) implements TrialStep {}

  /** It has ended long enough ago. */
  record Delete() implements TrialStep {}
}
