//go:build !kubelet_1_37

package main

import cadvisorapi "github.com/google/cadvisor/info/v1"

// The machine as cAdvisor reports it; cAdvisor has moved these types for the kubelet of 1.37.
type (
	cadvisorMachine = cadvisorapi.MachineInfo
	cadvisorNode    = cadvisorapi.Node
	cadvisorCore    = cadvisorapi.Core
	cadvisorCache   = cadvisorapi.Cache
	cadvisorPages   = cadvisorapi.HugePagesInfo
)
