package io.numaspark.cli.trial;

import io.numaspark.cli.trial.ProcessFacts.Busy;
import java.util.OptionalInt;

/**
 * What was seen of a run while it lived.
 *
 * @param seconds from start to end
 * @param cpuSeconds of its processes
 * @param machine what all CPUs did in that time
 * @param exitCode empty if it was ended because it took too long
 * @param watch what its executors did
 * @param stoppedSeconds for which it was stopped to slow it
 */
record SeenRun(
    double seconds,
    double cpuSeconds,
    Busy machine,
    OptionalInt exitCode,
    ExecutorWatch watch,
    double stoppedSeconds) {}
