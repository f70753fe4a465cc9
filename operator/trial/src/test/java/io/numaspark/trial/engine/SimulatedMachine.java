package io.numaspark.trial.engine;

import io.numaspark.trial.design.TrialDesign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Runs a trial with made-up times; what is killed continues from its journal.
 *
 * <p>Limit: time passes only while an arm runs.
 */
public final class SimulatedMachine {
  private final TrialDesign design;
  private final BiFunction<RoundId, String, Run> times;
  private final List<Run> journal = new ArrayList<>();
  private double spent;

  /**
   * @param times what a run of an arm in a round gives; its session is ignored
   */
  public SimulatedMachine(TrialDesign design, BiFunction<RoundId, String, Run> times) {
    this.design = design;
    this.times = times;
  }

  /** Runs until the trial ends, in one session. */
  public Action.Ending run() {
    return run(1, Integer.MAX_VALUE).orElseThrow();
  }

  /**
   * @param most runs after which the session is killed
   * @return empty if it was killed
   */
  java.util.Optional<Action.Ending> run(int session, int most) {
    Engine engine = new Engine(design);
    for (int i = 0; i < most; i++) {
      Action action = engine.next(journal, session, Duration.ofMillis((long) (spent * 1000)));
      if (action instanceof Action.Finish finish) {
        return java.util.Optional.of(finish.ending());
      }
      Action.Start start = (Action.Start) action;
      Run run = times.apply(start.round(), start.arm().name());
      journal.add(
          new Run(
              start.round(),
              session,
              start.arm().name(),
              run.outcome(),
              run.seconds(),
              run.measures(),
              run.remarks(),
              run.disturbed()));
      spent += run.seconds();
    }
    return java.util.Optional.empty();
  }

  public List<Run> journal() {
    return List.copyOf(journal);
  }
}
