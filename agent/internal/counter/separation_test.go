package counter

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The counter may count on all CPUs. Its program has no API server's client, no TLS and no HTTP, and starts no other program.
func TestTheCounterHasLittle(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "numaspark.io/agent/cmd/numaspark-counter").Output()
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"golang.org/x/sys/unix", "k8s.io/utils/cpuset", "numaspark.io/agent/cmd/numaspark-counter"}
	for _, name := range []string{"api", "counter", "countfile", "cpus", "knob", "logging", "nonet", "perf", "sharedfile", "strictjson", "text"} {
		allowed = append(allowed, "numaspark.io/agent/internal/"+name)
	}
	for _, dependency := range strings.Fields(string(out)) {
		if slices.Contains([]string{"net/http", "crypto/tls", "os/exec", "plugin"}, dependency) {
			t.Errorf("it depends on %s", dependency)
		}
		module, _, _ := strings.Cut(dependency, "/")
		if strings.Contains(module, ".") && !strings.HasPrefix(dependency, "vendor/") && !slices.Contains(allowed, dependency) {
			t.Errorf("it depends on %s, which is not listed", dependency)
		}
	}
}
