//go:build kubelet_1_33

package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/containermap"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

func newMemoryManager(s *settings, machine *cadvisorMachine, stateDir string, hints topologymanager.Store) (memorymanager.Manager, error) {
	return memorymanager.NewManager(s.config.MemoryManagerPolicy, machine, s.reservation, s.config.ReservedMemory, stateDir, hints)
}

func startMemoryManager(manager memorymanager.Manager, activePods func() []*v1.Pod, sources *sources) error {
	return manager.Start(activePods, sources, noStatus{}, nil, containermap.NewContainerMap())
}

func featureHandlers() []lifecycle.PodAdmitHandler { return nil }
