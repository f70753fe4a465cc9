//go:build kubelet_1_34

package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/containermap"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/topology"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
)

func discover(machine *cadvisorMachine) (*topology.CPUTopology, error) {
	return topology.Discover(machine)
}

func addHintProvider(manager topologymanager.Manager, provider topologymanager.HintProvider) {
	manager.AddHintProvider(provider)
}

func newCPUManager(s *settings, machine *cadvisorMachine, stateDir string, hints topologymanager.Store) (cpumanager.Manager, error) {
	return cpumanager.NewManager(s.config.CPUManagerPolicy, s.config.CPUManagerPolicyOptions,
		s.config.CPUManagerReconcilePeriod.Duration, machine, s.reservedCPUs, s.reservation, stateDir, hints)
}

func startCPUManager(manager cpumanager.Manager, activePods func() []*v1.Pod, sources *sources) error {
	return manager.Start(activePods, sources, noStatus{}, nil, containermap.NewContainerMap())
}
