package io.numaspark.planner.plan;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;

/** The one size of all executors of a profile. */
public record ExecutorShape(ExecutorCpus cpus, ExecutorMemory memory) {}
