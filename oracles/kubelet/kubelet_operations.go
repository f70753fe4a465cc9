//go:build !kubelet_1_37

package main

import (
	"errors"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

// Since 1.37 the managers are given a context or a logger, and the operation: a pod is added or resized.

func newTopologyManager(s *settings, machine *cadvisorMachine) (topologymanager.Manager, error) {
	return topologymanager.NewManager(machine.Topology, s.config.TopologyManagerPolicy, s.config.TopologyManagerScope,
		s.config.TopologyManagerPolicyOptions)
}

func admit(handler lifecycle.PodAdmitHandler, attributes *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	return handler.Admit(attributes)
}

func allocate(cpu cpumanager.Manager, memory memorymanager.Manager, pod *v1.Pod) error {
	container := &pod.Spec.Containers[0]
	return errors.Join(cpu.Allocate(pod, container), memory.Allocate(pod, container))
}

func (noDevices) GetTopologyHints(*v1.Pod, *v1.Container) map[string][]topologymanager.TopologyHint {
	return map[string][]topologymanager.TopologyHint{}
}
func (noDevices) GetPodTopologyHints(*v1.Pod) map[string][]topologymanager.TopologyHint {
	return map[string][]topologymanager.TopologyHint{}
}
func (noDevices) Allocate(*v1.Pod, *v1.Container) error { return nil }
func (noDevices) AllocatePod(*v1.Pod) error             { return nil }
