package io.numaspark.planner.sysfs;

import io.numaspark.planner.topology.NodeTopology;

/** What a machine's own files say about its hardware; the kubelet's settings are not in there. */
public record NodeReading(NodeTopology topology, CpuIdentity cpu) {}
