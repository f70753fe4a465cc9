package io.numaspark.planner.sysfs;

import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NodeTopology;

/**
 * What a machine's own files say about its hardware; the kubelet's settings are not in there.
 *
 * @param offlineCpus CPUs that are present and switched off; they are in no core of the topology
 * @param unplacedCpus CPUs that are online and that no NUMA node claims, as when their NUMA node is
 *     offline; the kubelet does not see them either, and they are in no core of the topology
 */
public record NodeReading(
    NodeTopology topology,
    CpuIdentity cpu,
    SystemIdentity system,
    CpuSet offlineCpus,
    CpuSet unplacedCpus) {}
