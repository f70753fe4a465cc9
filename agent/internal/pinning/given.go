// Package pinning proves which containers have CPUs or memory of their own: what the kubelet says, or the pinner, compared with
// the kernel.
//
// If one of them cannot be asked, nothing is claimed.
package pinning

import (
	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cgroup"
	"numaspark.io/agent/internal/cpus"
)

// Given is what the kubelet, or the container runtime, has given to one container for itself. The kubelet's API names pods without their UID, and does not
// list init containers that end before the pod's own containers start.
type Given struct {
	Namespace, Pod, Container string
	// PodUID and ContainerID are known of what the container runtime has given.
	PodUID, ContainerID string
	// CPUs are empty if the memory manager alone has assigned something.
	CPUs cpuset.CPUSet
	// MemoryNodes are the NUMA nodes that its memory and huge pages are assigned to; empty without the Static memory manager.
	MemoryNodes cpuset.CPUSet
}

// NodeCPUs are the node's CPUs as far as the proof needs them.
type NodeCPUs struct {
	Online cpuset.CPUSet
	// Allocatable are those that the kubelet gives to containers for themselves.
	Allocatable cpuset.CPUSet
	// ByNode are CPUs by the id of their NUMA node.
	ByNode map[int]cpuset.CPUSet
	// Shared are the CPUs of all containers without CPUs of their own, if they do not change with what is given; else empty.
	Shared cpuset.CPUSet
	// Sandboxes are the ids of pods' sandboxes, if they are known: nothing runs in them.
	Sandboxes []string
}

// question is about all that may use CPUs that somebody was given. A kubelet that gives CPUs takes them from all others itself.
func (n NodeCPUs) question(given []Given) cgroup.Question {
	question := cgroup.Question{Shared: n.SharedPools(given), Given: cpuset.New(), IDs: map[string]bool{}, Idle: map[string]bool{}}
	if n.Shared.IsEmpty() {
		return question
	}
	for _, one := range given {
		question.Given = question.Given.Union(one.CPUs)
		question.IDs[one.ContainerID] = true
	}
	for _, id := range n.Sandboxes {
		question.Idle[id] = true
	}
	return question
}

// SharedPools are the sets that containers without CPUs of their own may have: what is left of all CPUs, or, if the kubelet
// runs with strict-cpu-reservation, of the allocatable ones (defaultCPUSet of the kubelet's static policy).
func (n NodeCPUs) SharedPools(given []Given) []cpuset.CPUSet {
	if !n.Shared.IsEmpty() {
		return []cpuset.CPUSet{n.Shared}
	}
	exclusive := cpuset.New()
	for _, one := range given {
		exclusive = exclusive.Union(one.CPUs)
	}
	return []cpuset.CPUSet{n.Online.Difference(exclusive), n.Allocatable.Difference(exclusive)}
}

// localBytes are those on NUMA nodes that some of these CPUs belong to.
func (n NodeCPUs) localBytes(set cpuset.CPUSet, byNode map[int]int64) (local int64) {
	for node, bytes := range byNode {
		if cpus.Overlap(n.ByNode[node], set) {
			local += bytes
		}
	}
	return local
}
