//go:build tools

// Package helm pins the Helm command: `go mod tidy` keeps exactly what it needs, and `lab tools` builds it
// from here.
package helm

import _ "helm.sh/helm/v4/cmd/helm"
