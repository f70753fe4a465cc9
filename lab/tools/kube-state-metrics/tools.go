//go:build tools

// Package kubestatemetrics pins kube-state-metrics, which the lab's Prometheus scrapes: `go mod tidy` keeps exactly what it
// needs, and `lab prometheus up` builds it from here.
package kubestatemetrics

import _ "k8s.io/kube-state-metrics/v2"
