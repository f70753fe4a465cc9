/**
 * What a kubelet does with a pod: a port of its CPU, Memory and Topology Manager ({@code
 * pkg/kubelet/cm}).
 *
 * <p>{@link io.numaspark.planner.admission.KubeletSimulation} is the entry; {@link
 * io.numaspark.planner.admission.StartChecks} alone knows what a kubelet does not start with.
 * {@link io.numaspark.planner.admission.KubeletRelease} has what differs between versions of
 * Kubernetes. Classes are named after the kubelet's, and where a rule looks odd it is the kubelet's
 * rule: the port is compared with the real packages (oracles/kubelet), so "repairing" it here would
 * make it wrong.
 */
package io.numaspark.planner.admission;
