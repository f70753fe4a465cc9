package io.numaspark.agent.kubelet;

import io.numaspark.planner.topology.CpuSet;

/**
 * What the kubelet has given to one container for itself.
 *
 * <p>Limit: the kubelet's API names pods without their UID, and does not list init containers that
 * end before the pod's own containers start.
 *
 * @param namespace namespace of the pod
 * @param pod name of the pod
 * @param container name of the container
 * @param cpus its exclusive CPUs; empty if the memory manager alone has assigned something
 * @param memoryNodes ids of the NUMA nodes that its memory and huge pages are assigned to; empty
 *     without the Static memory manager
 */
public record PodResources(
    String namespace, String pod, String container, CpuSet cpus, CpuSet memoryNodes) {}
