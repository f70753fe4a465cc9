//go:build tools

// Package containerd pins the container runtime: Debian 12 has 1.6, which knows no image volumes. `go mod tidy` keeps exactly
// what its programs need, and `lab tools` builds them from here.
package containerd

import (
	_ "github.com/containerd/containerd/v2/cmd/containerd"
	_ "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2"
	_ "github.com/containerd/containerd/v2/cmd/ctr"
)
