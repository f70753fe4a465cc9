package io.numaspark.planner.plan;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.JvmPolicy;
import io.numaspark.planner.jvm.MemoryPolicy;
import java.util.OptionalInt;

/**
 * What a profile says about the shape of its executors; all defaults are applied.
 *
 * @param tasksPerCore task slots of a core; empty: one a thread, at most {@value
 *     #MOST_TASKS_PER_CORE}, in mode SHARED, else one
 */
public record ShapePolicy(
    CoreRange cores,
    SmtMode smt,
    OptionalInt tasksPerCore,
    ShapePriorities priorities,
    MemoryPolicy memory,
    JvmPolicy jvm) {

  /**
   * Tasks of a core unless a profile says more: on POWER8 with 8 threads a core, going from 2 to 4
   * gained 10 to 20 %; more than that the study expected to lose to contention and did not try
   * (Spark on POWER8, sections III and IV.F).
   */
  public static final int MOST_TASKS_PER_CORE = 4;

  /**
   * Range of cores of one executor.
   *
   * @param preferred taken as it is when at least one executor of this size fits
   */
  public record CoreRange(int min, int max, OptionalInt preferred) {}

  /** Processors of an executor with the given cores; it owns all threads of its cores. */
  ExecutorCpus cpus(int cores, int threadsPerCore) {
    int perCore =
        tasksPerCore.orElse(
            smt == SmtMode.SHARED ? Math.min(threadsPerCore, MOST_TASKS_PER_CORE) : 1);
    return new ExecutorCpus(cores, cores * threadsPerCore, cores * perCore);
  }
}
