package pinning

import "k8s.io/utils/cpuset"

// Given is temporary.
type Given struct {
	Namespace, Pod, Container string
	CPUs, MemoryNodes         cpuset.CPUSet
}
