package io.numaspark.agent.proof;

import io.numaspark.planner.topology.CpuSet;
import java.util.Optional;

/**
 * One container as the kernel sees it.
 *
 * @param podUid UID of its pod, from the name of the pod's cgroup
 * @param containerId id that the container runtime gave to it
 * @param cpus CPUs it was told to use ({@code cpuset.cpus}); empty if it was told nothing
 * @param usage the rest; absent if it has no CPUs of its own
 */
public record KernelContainer(
    String podUid, String containerId, CpuSet cpus, Optional<KernelUsage> usage) {}
