//go:build !kubelet_1_33

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/containermap"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

func startMemoryManager(manager memorymanager.Manager, activePods func() []*v1.Pod, sources *sources) error {
	return manager.Start(context.Background(), activePods, sources, noStatus{}, nil, containermap.NewContainerMap())
}

// featureHandlers refuse pods with fields that the kubelet's feature gates do not allow; there are some since 1.34.
func featureHandlers() []lifecycle.PodAdmitHandler {
	return []lifecycle.PodAdmitHandler{lifecycle.NewPodFeaturesAdmitHandler()}
}
