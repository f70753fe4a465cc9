package writer

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func list(t *testing.T, arguments ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, arguments...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// The privileged program has no API server's client, no TLS, and starts no other program. It has package net for its UNIX
// socket alone: it listens nowhere else, and the chart gives it a network namespace with nothing in it.
func TestThePrivilegedProgramHasLittle(t *testing.T) {
	forbidden := []string{"net/http", "crypto/tls", "k8s.io/client-go", "google.golang.org/grpc", "os/exec", "plugin"}
	allowed := []string{"golang.org/x/sys/unix", "k8s.io/utils/cpuset", "numaspark.io/agent/cmd/numaspark-writer"}
	for _, name := range []string{"api", "cpus", "knob", "logging", "strictjson", "text", "writer"} {
		allowed = append(allowed, "numaspark.io/agent/internal/"+name)
	}
	for _, dependency := range list(t, "-deps", "numaspark.io/agent/cmd/numaspark-writer") {
		for _, name := range forbidden {
			if dependency == name || strings.HasPrefix(dependency, name+"/") {
				t.Errorf("it depends on %s", dependency)
			}
		}
		module, _, _ := strings.Cut(strings.TrimPrefix(dependency, "vendor/"), "/")
		if strings.Contains(module, ".") && !strings.HasPrefix(dependency, "vendor/") && !slices.Contains(allowed, dependency) {
			t.Errorf("it depends on %s, which is not listed", dependency)
		}
	}
}

// Nobody else uses the writer, and package knob, which the unprivileged agent uses too, does not write.
func TestNobodyElseWrites(t *testing.T) {
	for _, line := range list(t, "-f", `{{.ImportPath}}|{{join .Imports ","}}`, "numaspark.io/agent/...") {
		name, imports, _ := strings.Cut(line, "|")
		if slices.Contains(strings.Split(imports, ","), "numaspark.io/agent/internal/writer") &&
			name != "numaspark.io/agent/cmd/numaspark-writer" {
			t.Errorf("%s uses the writer", name)
		}
		if name == "numaspark.io/agent/internal/knob" && strings.Contains(imports, "golang.org/x/sys") {
			t.Errorf("%s makes system calls", name)
		}
	}
}
