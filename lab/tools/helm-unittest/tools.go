//go:build tools

// Package helmunittest pins the program that runs charts/tests/unit: `go mod tidy` keeps exactly what it needs, and
// `lab tools --chart` builds it from here.
package helmunittest

import _ "github.com/helm-unittest/helm-unittest/cmd/helm-unittest"
