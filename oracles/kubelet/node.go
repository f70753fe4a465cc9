package main

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	cputopology "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/topology"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/utils/cpuset"
)

// node is one kubelet's container manager, as far as it decides about CPUs and memory.
type node struct {
	machine  *cadvisorMachine
	cpus     *cputopology.CPUTopology
	settings *settings
	topology topologymanager.Manager
	cpu      cpumanager.Manager
	memory   memorymanager.Manager
	handlers []lifecycle.PodAdmitHandler
	// active are the pods that the kubelet counts as active: those admitted, and the one that is being admitted.
	active []*v1.Pod
}

// startNode does what NewContainerManager and Start of container_manager_linux.go do, in their order. stateDir must be
// an empty folder: the managers write their checkpoints there.
func startNode(spec Topology, stateDir string) (*node, error) {
	machine, err := machineInfo(spec.NUMANodes)
	if err != nil {
		return nil, err
	}
	n := &node{machine: machine}
	if n.settings, err = readSettings(spec.Kubelet, machine); err != nil {
		return nil, err
	}
	n.topology, err = newTopologyManager(n.settings, machine)
	if err != nil {
		return nil, startError{err}
	}
	addHintProvider(n.topology, noDevices{})
	n.cpu, err = newCPUManager(n.settings, machine, stateDir, n.topology)
	if err != nil {
		return nil, startError{err}
	}
	addHintProvider(n.topology, n.cpu)
	n.memory, err = newMemoryManager(n.settings, machine, stateDir, n.topology)
	if err != nil {
		return nil, startError{err}
	}
	addHintProvider(n.topology, n.memory)
	// The order of kubelet.go. Its other handlers (eviction, predicates, AppArmor) have nothing to do with NUMA nodes.
	n.handlers = append([]lifecycle.PodAdmitHandler{n.topology}, featureHandlers()...)
	if n.cpus, err = discover(machine); err != nil {
		return nil, startError{err}
	}
	return n, n.start()
}

func (n *node) start() error {
	activePods := func() []*v1.Pod { return n.active }
	sources := &sources{}
	var reconcilerEnded chan struct{}
	if n.settings.config.CPUManagerPolicy == string(cpumanager.PolicyStatic) {
		reconcilerEnded = sources.endReconciler()
	}
	err := startCPUManager(n.cpu, activePods, sources)
	if err != nil {
		return startError{fmt.Errorf("start cpu manager error: %w", err)}
	}
	if reconcilerEnded != nil {
		<-reconcilerEnded
	}
	err = startMemoryManager(n.memory, activePods, sources)
	if err != nil {
		return startError{fmt.Errorf("start memory manager error: %w", err)}
	}
	if err := n.settings.validateNodeAllocatable(); err != nil {
		return startError{err}
	}
	return nil
}

// admit asks the handlers. A pod that is refused is not active any more; what it had got so far stays with it until
// the managers remove stale state at the next admission.
func (n *node) admit(pod *v1.Pod) Result {
	others := slices.Clone(n.active)
	n.active = append(n.active, pod)
	attributes := admitAttributes(pod, others)
	for _, handler := range n.handlers {
		if result := admit(handler, attributes); !result.Admit {
			n.active = others
			// The prefix is that of rejectPod in kubelet.go.
			return Result{Pod: pod.Name, Reason: result.Reason, Message: "Pod was rejected: " + result.Message}
		}
	}
	return n.placement(pod)
}

// placement is what an admitted pod has got.
func (n *node) placement(pod *v1.Pod) Result {
	result := Result{Pod: pod.Name, Admitted: true, NUMANodes: []int{}, Containers: map[string]string{}}
	numaNodes := map[int]bool{}
	for container, cpus := range n.cpu.State().GetCPUAssignments()[string(pod.UID)] {
		if cpus.IsEmpty() {
			continue
		}
		result.Containers[container] = cpus.String()
		for _, cpu := range cpus.UnsortedList() {
			numaNodes[n.cpus.CPUDetails[cpu].NUMANodeID] = true
		}
	}
	for _, blocks := range n.memory.State().GetMemoryAssignments()[string(pod.UID)] {
		for _, block := range blocks {
			for _, id := range block.NUMAAffinity {
				numaNodes[id] = true
			}
		}
	}
	result.NUMANodes = slices.AppendSeq(result.NUMANodes, maps.Keys(numaNodes))
	slices.Sort(result.NUMANodes)
	return result
}

func (n *node) remove(uid types.UID) {
	n.active = slices.DeleteFunc(slices.Clone(n.active), func(pod *v1.Pod) bool { return pod.UID == uid })
}

// free is what each NUMA node could still give. The managers are asked to allocate for a container that gets nothing,
// which is when they remove stale state.
func (n *node) free() ([]Free, error) {
	nobody := &v1.Pod{Spec: v1.PodSpec{Containers: []v1.Container{{Name: "nothing"}}}}
	if err := allocate(n.cpu, n.memory, nobody); err != nil {
		return nil, err
	}
	available := n.cpus.CPUDetails.CPUs()
	if n.settings.config.CPUManagerPolicy == string(cpumanager.PolicyStatic) {
		// GetAllocatableCPUs is all CPUs without the reserved ones.
		available = n.cpu.State().GetDefaultCPUSet().Intersection(n.cpu.GetAllocatableCPUs())
	}
	memory := n.memory.State().GetMachineState()
	free := []Free{}
	for _, numaNode := range n.machine.Topology {
		f := Free{NUMANode: numaNode.Id, CPUs: available.Intersection(cpusOf(numaNode)).String()}
		if state, ok := memory[numaNode.Id]; ok {
			f.MemoryBytes = state.MemoryMap[v1.ResourceMemory].Free
		} else {
			f.MemoryBytes = numaNode.Memory
			for _, pages := range numaNode.HugePages {
				f.MemoryBytes -= pages.NumPages * pages.PageSize * 1024
			}
		}
		free = append(free, f)
	}
	slices.SortFunc(free, func(a, b Free) int { return a.NUMANode - b.NUMANode })
	return free, nil
}

func cpusOf(numaNode cadvisorNode) cpuset.CPUSet {
	cpus := cpuset.New()
	for _, core := range numaNode.Cores {
		cpus = cpus.Union(cpuset.New(core.Threads...))
	}
	return cpus
}

// noDevices stands for the device manager of a node without device plug-ins, the first hint provider.
type noDevices struct{}

// noStatus knows no container: none of them runs.
type noStatus struct{}

func (noStatus) GetPodStatus(types.UID) (v1.PodStatus, bool) { return v1.PodStatus{}, false }

// sources says that the kubelet has seen all of its pods, so that the managers remove stale state.
type sources struct{ reconciler chan struct{} }

func (*sources) AddSource(string) {}

func (s *sources) AllReady() bool {
	if s.reconciler != nil {
		ended := s.reconciler
		s.reconciler = nil
		defer close(ended)
		runtime.Goexit()
	}
	return true
}

// endReconciler ends the goroutine that the static CPU manager starts in order to reconcile containers for ever. It
// asks AllReady first, before it takes a lock, and nobody else does until the returned channel is closed. Without this
// every case would leave a goroutine behind; removing stale state, all that it could do here, precedes every admission.
func (s *sources) endReconciler() chan struct{} {
	s.reconciler = make(chan struct{})
	return s.reconciler
}

// stateFolder is a new folder for checkpoints, in memory if the system has such a place: every allocation is synced.
func stateFolder() (string, error) {
	parent := ""
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		parent = "/dev/shm"
	}
	folder, err := os.MkdirTemp(parent, "numaspark-oracle-")
	if err != nil && parent != "" {
		return os.MkdirTemp("", "numaspark-oracle-")
	}
	return folder, err
}
