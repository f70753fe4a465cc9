package io.numaspark.planner.plan;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.JvmPolicy;
import io.numaspark.planner.jvm.MemoryPolicy;
import java.util.OptionalInt;

/**
 * What a profile says about the shape of its executors; all defaults are applied.
 *
 * @param tasksPerCore task slots of a core; empty: one a thread in mode SHARED, else one
 */
public record ShapePolicy(
    CoreRange cores, SmtMode smt, OptionalInt tasksPerCore, MemoryPolicy memory, JvmPolicy jvm) {

  /**
   * Range of cores of one executor.
   *
   * @param preferred taken as it is when at least one executor of this size fits
   */
  public record CoreRange(int min, int max, OptionalInt preferred) {}

  /** Processors of an executor with the given cores; it owns all threads of its cores. */
  ExecutorCpus cpus(int cores, int threadsPerCore) {
    int perCore = tasksPerCore.orElse(smt == SmtMode.SHARED ? threadsPerCore : 1);
    return new ExecutorCpus(cores, cores * threadsPerCore, cores * perCore);
  }
}
