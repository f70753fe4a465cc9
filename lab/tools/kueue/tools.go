//go:build tools

// Package kueue pins the queues that a test runs applications through: `go mod tidy` keeps exactly what they need, and `lab tools`
// builds them from here.
package kueue

import (
	_ "sigs.k8s.io/kueue/cmd/kueue"
)
