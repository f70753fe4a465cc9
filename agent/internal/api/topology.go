// Package api has the fields of a SparkNodeTopology, as crds/sparknodetopologies.numaspark.io.yaml states them.
package api

// Spec says what a node is. Knobs, Pins and ReportLoad are the operator's part, everything else is the agent's.
type Spec struct {
	CPU       *CPU     `json:"cpu,omitempty"`
	System    *System  `json:"system,omitempty"`
	NumaNodes []Numa   `json:"numaNodes"`
	Kubelet   *Kubelet `json:"kubelet,omitempty"`
	Knobs     *Knobs   `json:"knobs,omitempty"`
	Pins      *Pins    `json:"pins,omitempty"`
	// ReportLoad asks for Status.Load.
	ReportLoad bool `json:"reportLoad,omitempty"`
}

// CPU names the processor.
type CPU struct {
	Vendor     string `json:"vendor,omitempty"`
	Name       string `json:"name,omitempty"`
	Family     *int   `json:"family,omitempty"`
	Model      *int   `json:"model,omitempty"`
	SMTControl string `json:"smtControl,omitempty"`
}

// System describes the kernel, the hypervisor and the memory modules. Speeds are in MT/s.
type System struct {
	Architecture     string `json:"architecture,omitempty"`
	Kernel           string `json:"kernel,omitempty"`
	Hypervisor       string `json:"hypervisor,omitempty"`
	MemoryType       string `json:"memoryType,omitempty"`
	MemoryModules    *int   `json:"memoryModules,omitempty"`
	MemorySpeed      *int   `json:"memorySpeed,omitempty"`
	MemoryRatedSpeed *int   `json:"memoryRatedSpeed,omitempty"`
}

// Numa is a NUMA node. Memory is in bytes; cores and caches are lists of CPUs in Linux's notation.
type Numa struct {
	ID        int              `json:"id"`
	Socket    int              `json:"socket"`
	Cores     []string         `json:"cores"`
	Caches    []string         `json:"caches,omitempty"`
	Memory    int64            `json:"memory"`
	Distances []int            `json:"distances"`
	Hugepages map[string]int64 `json:"hugepages,omitempty"`
}

// Kubelet has those settings of the kubelet that decide about pinning.
type Kubelet struct {
	CPUManagerPolicy             string                      `json:"cpuManagerPolicy,omitempty"`
	CPUManagerPolicyOptions      map[string]string           `json:"cpuManagerPolicyOptions,omitempty"`
	TopologyManagerPolicy        string                      `json:"topologyManagerPolicy,omitempty"`
	TopologyManagerScope         string                      `json:"topologyManagerScope,omitempty"`
	TopologyManagerPolicyOptions map[string]string           `json:"topologyManagerPolicyOptions,omitempty"`
	MemoryManagerPolicy          string                      `json:"memoryManagerPolicy,omitempty"`
	ReservedCPUs                 string                      `json:"reservedCpus,omitempty"`
	ReservedCPUCount             *int                        `json:"reservedCpuCount,omitempty"`
	ReservedMemory               map[string]int64            `json:"reservedMemory,omitempty"`
	ReservedHugepages            map[string]map[string]int64 `json:"reservedHugepages,omitempty"`
	FeatureGates                 map[string]bool             `json:"featureGates,omitempty"`
}

// Knobs is what a profile wants of the node's knobs.
type Knobs struct {
	Profile  string            `json:"profile"`
	Scope    string            `json:"scope,omitempty"`
	Settings map[string]string `json:"settings,omitempty"`
	Enforced []string          `json:"enforced,omitempty"`
}

// ScopeExecutors sets prefetchers only on the cores that executors have for themselves.
const ScopeExecutors = "Executors"

// Pins is how the container runtime shall divide the node's CPUs.
type Pins struct {
	Profile    string `json:"profile"`
	Generation string `json:"generation"`
	Mode       string `json:"mode"`
	Memory     string `json:"memory"`
	SharedCPUs string `json:"sharedCpus"`
	Slots      []Slot `json:"slots,omitempty"`
}

// Slot is room for one executor.
type Slot struct {
	ID       string `json:"id"`
	NumaNode int    `json:"numaNode"`
	CPUs     string `json:"cpus"`
}

// Status is what the agent has seen.
type Status struct {
	ObservedGeneration *int64      `json:"observedGeneration,omitempty"`
	Heartbeat          string      `json:"heartbeat,omitempty"`
	AgentVersion       string      `json:"agentVersion,omitempty"`
	BootID             string      `json:"bootId,omitempty"`
	AllocatableCPUs    *string     `json:"allocatableCpus,omitempty"`
	Exclusive          []Exclusive `json:"exclusive"`
	Knobs              []KnobState `json:"knobs"`
	Pinner             *Pinner     `json:"pinner,omitempty"`
	Counters           []Counter   `json:"counters,omitempty"`
	Load               *Load       `json:"load,omitempty"`
	Conditions         []Condition `json:"conditions"`
}

// Load is how busy the node has been since it was started. Times are of all CPUs together.
type Load struct {
	// TotalMilliseconds is all time, idle or not.
	TotalMilliseconds int64 `json:"totalMilliseconds"`
	// BusyMilliseconds is time in which a CPU did something, and StolenMilliseconds time that the hypervisor took.
	BusyMilliseconds   int64 `json:"busyMilliseconds"`
	StolenMilliseconds int64 `json:"stolenMilliseconds"`
	// Pods are those that exist.
	Pods []PodLoad `json:"pods"`
}

// PodLoad is the CPU time of a pod since it was started.
type PodLoad struct {
	PodUID          string `json:"podUid"`
	CPUMilliseconds int64  `json:"cpuMilliseconds"`
}

// Pinner is what the node's pinner says.
type Pinner struct {
	Generation     string           `json:"generation,omitempty"`
	SharedCPUs     string           `json:"sharedCpus,omitempty"`
	Runtime        string           `json:"runtime,omitempty"`
	RuntimeVersion string           `json:"runtimeVersion,omitempty"`
	FreeSlots      []string         `json:"freeSlots"`
	Due            int              `json:"due"`
	Executors      []PinnerExecutor `json:"executors"`
}

// PinnerExecutor is an executor that asks for slots.
type PinnerExecutor struct {
	Namespace string   `json:"namespace"`
	Pod       string   `json:"pod"`
	PodUID    string   `json:"podUid"`
	Outcome   string   `json:"outcome"`
	Slots     []string `json:"slots,omitempty"`
}

// Exclusive is a container with CPUs or memory of its own. Kubelet or runtime say CPUs and MemoryNodes, the kernel the rest.
type Exclusive struct {
	Namespace          string `json:"namespace,omitempty"`
	Pod                string `json:"pod,omitempty"`
	Container          string `json:"container,omitempty"`
	PodUID             string `json:"podUid,omitempty"`
	ContainerID        string `json:"containerId,omitempty"`
	CPUs               string `json:"cpus,omitempty"`
	MemoryNodes        string `json:"memoryNodes,omitempty"`
	KernelCPUs         string `json:"kernelCpus,omitempty"`
	KernelMemoryNodes  string `json:"kernelMemoryNodes,omitempty"`
	LocalMemoryPercent *int   `json:"localMemoryPercent,omitempty"`
	ThrottledPercent   *int   `json:"throttledPercent,omitempty"`
	Usage              *Usage `json:"usage,omitempty"`
	// Counts are what its CPUs have counted, by the names of package perf, and milliseconds, for how long they did.
	Counts map[string]int64 `json:"counts,omitempty"`
}

// Usage is what the kernel accounts since the container has started. A part is absent if the kernel does not say.
type Usage struct {
	CPUMilliseconds        *int64 `json:"cpuMilliseconds,omitempty"`
	CPUWaitMilliseconds    *int64 `json:"cpuWaitMilliseconds,omitempty"`
	MemoryWaitMilliseconds *int64 `json:"memoryWaitMilliseconds,omitempty"`
	IOWaitMilliseconds     *int64 `json:"ioWaitMilliseconds,omitempty"`
	MajorFaults            *int64 `json:"majorFaults,omitempty"`
	Refaults               *int64 `json:"refaults,omitempty"`
}

// Counter says whether something can be counted on this node, and if not, why.
type Counter struct {
	Name    string `json:"name"`
	State   string `json:"state"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// KnobState is a knob as it was read back.
type KnobState struct {
	Name          string `json:"name"`
	Wanted        string `json:"wanted,omitempty"`
	Actual        string `json:"actual,omitempty"`
	State         string `json:"state"`
	DifferingCPUs string `json:"differingCpus,omitempty"`
	Message       string `json:"message,omitempty"`
}

// Condition has the form of Kubernetes' own.
type Condition struct {
	Type               string `json:"type"`
	Status             string `json:"status"`
	Reason             string `json:"reason"`
	Message            string `json:"message"`
	LastTransitionTime string `json:"lastTransitionTime"`
}
