//go:build tools

// Package runc pins the OCI runtime of the node numa-0: Debian 12 has 1.1.5, which tells systemd other CPUs than it was told as
// soon as one has an id of 8 or more (opencontainers/runc issue 3808). `lab tools` builds it from here.
package runc

import _ "github.com/opencontainers/runc"
