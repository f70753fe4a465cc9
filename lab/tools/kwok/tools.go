//go:build tools

// Package kwok pins the simulator of nodes that the control-plane benchmark runs: `go mod tidy` keeps exactly
// what it needs, and `lab tools` builds it from here.
package kwok

import (
	_ "sigs.k8s.io/kwok/cmd/kwok"
)
