//go:build !kubelet_1_34

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/cm/containermap"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/topology"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
)

// The managers take a logger since 1.35. What follows says the same for each minor version; see the file for older ones.

func discover(machine *cadvisorMachine) (*topology.CPUTopology, error) {
	return topology.Discover(klog.Background(), machine)
}

func addHintProvider(manager topologymanager.Manager, provider topologymanager.HintProvider) {
	manager.AddHintProvider(klog.Background(), provider)
}

func newCPUManager(s *settings, machine *cadvisorMachine, stateDir string, hints topologymanager.Store) (cpumanager.Manager, error) {
	return cpumanager.NewManager(klog.Background(), s.config.CPUManagerPolicy, s.config.CPUManagerPolicyOptions,
		s.config.CPUManagerReconcilePeriod.Duration, machine, s.reservedCPUs, s.reservation, stateDir, hints)
}

func newMemoryManager(s *settings, machine *cadvisorMachine, stateDir string, hints topologymanager.Store) (memorymanager.Manager, error) {
	return memorymanager.NewManager(klog.Background(), s.config.MemoryManagerPolicy, machine, s.reservation,
		s.config.ReservedMemory, stateDir, hints)
}

func startCPUManager(manager cpumanager.Manager, activePods func() []*v1.Pod, sources *sources) error {
	return manager.Start(context.Background(), activePods, sources, noStatus{}, nil, containermap.NewContainerMap())
}
