package io.numaspark.planner.plan;

import io.numaspark.planner.topology.CpuSet;

/**
 * Room for one executor.
 *
 * @param cpus the CPUs that the kubelet is predicted to hand out; the kubelet has the last word
 */
public record Slot(int numaNode, CpuSet cpus) {}
