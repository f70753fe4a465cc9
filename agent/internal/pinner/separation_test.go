package pinner

import (
	"os/exec"
	"strings"
	"testing"
)

// Whoever connects with the runtime's socket is root on the node. The program that does has no API server's client, no TLS and
// no HTTP, starts no other program, and does not have what the other two programs do.
func TestThePinnerHasLittle(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "numaspark.io/agent/cmd/numaspark-pinner").Output()
	if err != nil {
		t.Fatal(err)
	}
	forbidden := []string{"net/http", "crypto/tls", "os/exec", "plugin", "k8s.io/client-go", "k8s.io/kubelet"}
	for _, name := range []string{"cluster", "credentials", "kubelet", "reader", "writer", "knob", "pages"} {
		forbidden = append(forbidden, "numaspark.io/agent/internal/"+name)
	}
	for _, dependency := range strings.Fields(string(out)) {
		for _, name := range forbidden {
			if dependency == name || strings.HasPrefix(dependency, name+"/") {
				t.Errorf("it depends on %s", dependency)
			}
		}
	}
}
