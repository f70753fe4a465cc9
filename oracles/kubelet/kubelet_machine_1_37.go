//go:build kubelet_1_37

package main

import cadvisorapi "github.com/google/cadvisor/lib/model"

type (
	cadvisorMachine = cadvisorapi.MachineInfo
	cadvisorNode    = cadvisorapi.Node
	cadvisorCore    = cadvisorapi.Core
	cadvisorCache   = cadvisorapi.Cache
	cadvisorPages   = cadvisorapi.HugePagesInfo
)
