package io.numaspark.planner.jvm;

/**
 * Processors of one executor.
 *
 * @param cores physical cores
 * @param cpus hardware threads, what the pod requests
 * @param taskSlots tasks that run at once (spark.executor.cores)
 */
public record ExecutorCpus(int cores, int cpus, int taskSlots) {}
