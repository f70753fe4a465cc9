//go:build kubelet_1_34

package main

import (
	"context"

	cadvisorapi "github.com/google/cadvisor/info/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/containermap"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/topology"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
)

func discover(machine *cadvisorapi.MachineInfo) (*topology.CPUTopology, error) {
	return topology.Discover(machine)
}

func addHintProvider(manager topologymanager.Manager, provider topologymanager.HintProvider) {
	manager.AddHintProvider(provider)
}

func newCPUManager(s *settings, machine *cadvisorapi.MachineInfo, stateDir string, hints topologymanager.Store) (cpumanager.Manager, error) {
	return cpumanager.NewManager(s.config.CPUManagerPolicy, s.config.CPUManagerPolicyOptions,
		s.config.CPUManagerReconcilePeriod.Duration, machine, s.reservedCPUs, s.reservation, stateDir, hints)
}

func startCPUManager(manager cpumanager.Manager, activePods func() []*v1.Pod, sources *sources) error {
	return manager.Start(activePods, sources, noStatus{}, nil, containermap.NewContainerMap())
}

func newMemoryManager(s *settings, machine *cadvisorapi.MachineInfo, stateDir string, hints topologymanager.Store) (memorymanager.Manager, error) {
	return memorymanager.NewManager(context.Background(), s.config.MemoryManagerPolicy, machine, s.reservation,
		s.config.ReservedMemory, stateDir, hints)
}
