package io.numaspark.controller.lifecycle;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ActiveRun;
import io.numaspark.api.v1alpha1.SparkTrialStatus.RunInfo;
import io.numaspark.controller.lifecycle.TrialSituation.Nodes;
import io.numaspark.controller.lifecycle.TrialSituation.RunSeen;
import io.numaspark.controller.lifecycle.TrialSituation.TrialProblem;
import io.numaspark.controller.status.TrialReason;
import io.numaspark.controller.status.TrialStatusDraft;
import io.numaspark.render.sparktrial.RunLines;
import io.numaspark.render.sparktrial.TrialPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A trial on a cluster whose applications take known times; the operator may die at each step. */
final class TrialSimulation {
  private static final Duration POD_START = Duration.ofSeconds(10);

  private final Random noise = new Random(17);
  private final Map<String, Double> seconds;
  private final Map<String, Instant> applications = new TreeMap<>();
  final Set<String> everCreated = new TreeSet<>();
  final List<String> steps = new ArrayList<>();
  SparkTrial trial;
  Instant now = Instant.parse("2026-11-25T08:00:00Z");
  Optional<Instant> lockedSince = Optional.empty();
  Optional<String> holder = Optional.empty();
  Optional<TrialProblem> problem = Optional.empty();
  List<String> others = List.of();
  boolean planned = true;

  /**
   * @param seconds that a run of each arm takes
   */
  TrialSimulation(String spec, Map<String, Double> seconds) {
    this.seconds = seconds;
    trial = trial(spec);
  }

  static SparkTrial trial(String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkTrial
        metadata: {name: pay, namespace: default, uid: 11111111-2222-3333-4444-555555555555, generation: 1}
        spec:
          rounds: 6
          minimumEffectPercent: 3
          delayPercent: 20
          budgetMinutes: 240
          writes: Nothing
          template:
            type: Scala
            image: registry.example.com/spark:4
            mainClass: org.example.Main
            mainApplicationFile: local:///opt/app.jar
            arguments: ["{{run}}"]
            nodeProfile: dual
        """
            + spec.indent(2),
        SparkTrial.class);
  }

  TrialSituation situation() {
    ActiveRun active = trial.getStatus() == null ? null : trial.getStatus().run();
    return new TrialSituation(
        trial,
        problem.isPresent() ? Optional.empty() : Optional.of(TrialPlan.of(trial, 480)),
        problem,
        RunLines.read(trial.getStatus()),
        new Nodes(lockedSince, holder, others),
        Optional.ofNullable(active)
            .map(run -> applications.get(run.name()))
            .map(created -> seen(active, created)),
        planned,
        now);
  }

  private RunSeen seen(ActiveRun run, Instant created) {
    Duration age = Duration.between(created, now);
    return new RunSeen(
        created,
        age.compareTo(POD_START.plusMillis((long) (1000 * seconds.get(run.arm())))) >= 0,
        age.compareTo(POD_START) >= 0,
        "starting");
  }

  /** One step; if the operator dies, what it did is done and its status is not written. */
  TrialStep step(boolean dies) {
    TrialStep step = TrialLifecycle.next(situation());
    steps.add(step.getClass().getSimpleName());
    TrialStatusDraft draft = new TrialStatusDraft(trial, now);
    Duration again = Duration.ofSeconds(1);
    TrialPlan plan = problem.isPresent() ? null : TrialPlan.of(trial, 480);
    ActiveRun active = trial.getStatus() == null ? null : trial.getStatus().run();
    if (step instanceof TrialStep.Lock || step instanceof TrialStep.Drain) {
      lockedSince = lockedSince.or(() -> Optional.of(now));
      draft.draining(lockedSince.get(), others);
    } else if (step instanceof TrialStep.GiveWay) {
      lockedSince = Optional.empty();
      draft.gaveWay(others);
    } else if (step instanceof TrialStep.Refuse refuse) {
      stop();
      draft.refused(TrialReason.INVALID_TRIAL, refuse.why().message());
    } else if (step instanceof TrialStep.Suspend) {
      stop();
      draft.suspended();
    } else if (step instanceof TrialStep.Prepare prepare) {
      applications.clear();
      draft.prepared(
          TrialStatusDraft.active(
              trial, prepare.round(), prepare.arm().name(), situation().session(), now),
          plan,
          "digest");
    } else if (step instanceof TrialStep.Create) {
      applications.putIfAbsent(active.name(), now);
      everCreated.add(active.name());
    } else if (step instanceof TrialStep.Record) {
      draft.recorded(line(active), plan);
    } else if (step instanceof TrialStep.TimeOut timeOut) {
      draft.recorded(
          new RunInfo(
              active.phase(),
              active.round(),
              situation().session(),
              active.arm(),
              "TIMED_OUT",
              1.0,
              1.0,
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              timeOut.why()),
          plan);
    } else if (step instanceof TrialStep.Finish finish) {
      stop();
      draft.finished(plan, finish.ending());
    } else if (step instanceof TrialStep.Follow follow) {
      again = follow.again();
    }
    if (!dies) {
      trial.setStatus(Serialization.clone(draft.build()));
    }
    now = now.plus(again.isZero() ? Duration.ofSeconds(1) : again);
    return step;
  }

  private void stop() {
    applications.clear();
    lockedSince = Optional.empty();
  }

  private RunInfo line(ActiveRun run) {
    double took = seconds.get(run.arm()) * (1 + 0.01 * noise.nextGaussian());
    return new RunInfo(
        run.phase(),
        run.round(),
        situation().session(),
        run.arm(),
        "OK",
        took,
        took + POD_START.toSeconds(),
        2,
        0,
        null,
        null,
        null,
        null,
        null,
        null,
        run.disturbedBy() == null ? null : true,
        run.disturbedBy());
  }

  SparkTrialStatus run(int mostSteps) {
    for (int i = 0; i < mostSteps; i++) {
      if (status() != null && status().phase() == SparkTrialStatus.Phase.Completed) {
        return status();
      }
      step(false);
    }
    throw new AssertionError("not completed after " + mostSteps + " steps: " + steps);
  }

  SparkTrialStatus status() {
    return trial.getStatus();
  }
}
