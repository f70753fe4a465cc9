//go:build kubelet_1_34 && !kubelet_1_33

package main

import (
	"context"

	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
)

func newMemoryManager(s *settings, machine *cadvisorMachine, stateDir string, hints topologymanager.Store) (memorymanager.Manager, error) {
	return memorymanager.NewManager(context.Background(), s.config.MemoryManagerPolicy, machine, s.reservation,
		s.config.ReservedMemory, stateDir, hints)
}
