//go:build tools

// Package helmunittest pins the program that runs e2e/chart/unit: `go mod tidy` keeps exactly what it needs, and
// `lab tools --chart` builds it from here.
package helmunittest

import _ "github.com/helm-unittest/helm-unittest/cmd/helm-unittest"
