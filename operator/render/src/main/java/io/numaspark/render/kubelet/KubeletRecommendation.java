package io.numaspark.render.kubelet;

import io.numaspark.planner.topology.CpuSet;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Settings with which a kubelet pins executors: static CPU and memory manager, one NUMA node for a
 * whole pod.
 *
 * @param cpuManagerPolicyOptions by name
 * @param topologyManagerPolicyOptions by name; empty on most machines
 * @param reservedCpus whole cores for the system
 * @param isolatedCpus all other CPUs
 * @param reserve what the reserved memory consists of
 * @param reservedMemoryBytes by NUMA node id; sums to {@link SystemReserve#memoryBytes}
 */
public record KubeletRecommendation(
    SortedMap<String, String> cpuManagerPolicyOptions,
    SortedMap<String, String> topologyManagerPolicyOptions,
    CpuSet reservedCpus,
    CpuSet isolatedCpus,
    SystemReserve reserve,
    SortedMap<Integer, Long> reservedMemoryBytes) {
  public KubeletRecommendation {
    cpuManagerPolicyOptions = new TreeMap<>(cpuManagerPolicyOptions);
    topologyManagerPolicyOptions = new TreeMap<>(topologyManagerPolicyOptions);
    reservedMemoryBytes = new TreeMap<>(reservedMemoryBytes);
  }
}
