//go:build tools

// Package containerd pins a newer container runtime, for a lab with LAB_CONTAINERD=2.4: the one of the folder `containerd` has
// ended, and speaks an older NRI with its plugins.
package containerd

import (
	_ "github.com/containerd/containerd/v2/cmd/containerd"
	_ "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2"
	_ "github.com/containerd/containerd/v2/cmd/ctr"
)
