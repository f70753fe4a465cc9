// Package gitops gives the statuses that the operator writes to what Flux, Helm and Argo CD judge them with: the library kstatus, and
// the script in deploy/argo-cd. It has tests only.
package gitops
