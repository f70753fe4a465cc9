package io.numaspark.cli.trial;

import io.numaspark.planner.topology.CpuSet;

/**
 * Where one executor belongs.
 *
 * @param cpus whole cores of one NUMA node
 * @param numaNode that has these cores
 */
record CoreShare(CpuSet cpus, int numaNode) {}
