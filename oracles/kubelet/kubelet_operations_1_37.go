//go:build kubelet_1_37

package main

import (
	"context"
	"errors"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

func newTopologyManager(s *settings, machine *cadvisorMachine) (topologymanager.Manager, error) {
	return topologymanager.NewManager(klog.Background(), machine.Topology, s.config.TopologyManagerPolicy,
		s.config.TopologyManagerScope, s.config.TopologyManagerPolicyOptions)
}

func admit(handler lifecycle.PodAdmitHandler, attributes *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	return handler.Admit(context.Background(), attributes)
}

func allocate(cpu cpumanager.Manager, memory memorymanager.Manager, pod *v1.Pod) error {
	container := &pod.Spec.Containers[0]
	return errors.Join(cpu.Allocate(context.Background(), pod, container, lifecycle.AddOperation),
		memory.Allocate(context.Background(), pod, container, lifecycle.AddOperation))
}

func (noDevices) GetTopologyHints(klog.Logger, *v1.Pod, *v1.Container, lifecycle.Operation) map[string][]topologymanager.TopologyHint {
	return map[string][]topologymanager.TopologyHint{}
}
func (noDevices) GetPodTopologyHints(klog.Logger, *v1.Pod, lifecycle.Operation) map[string][]topologymanager.TopologyHint {
	return map[string][]topologymanager.TopologyHint{}
}
func (noDevices) Allocate(context.Context, *v1.Pod, *v1.Container, lifecycle.Operation) error {
	return nil
}
func (noDevices) AllocatePod(klog.Logger, *v1.Pod, lifecycle.Operation) error { return nil }
