package io.numaspark.planner.sysfs;

import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NodeTopology;

/**
 * What a machine's own files say about its hardware; the kubelet's settings are not in there.
 *
 * @param offlineCpus CPUs that are present and switched off; they are in no core of the topology
 */
public record NodeReading(
    NodeTopology topology, CpuIdentity cpu, SystemIdentity system, CpuSet offlineCpus) {}
