package nonet

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const child = "NUMASPARK_TEST_WITHOUT_NETWORK"

// The test starts itself: what the filter takes, it takes for ever.
func TestAProcessWithoutNetworkHasUNIXSocketsOnly(t *testing.T) {
	if os.Getenv(child) != "" {
		if err := Enter(); err != nil {
			t.Fatal(err)
		}
		for _, network := range []string{"tcp4", "tcp6", "udp4"} {
			if _, err := net.Dial(network, map[string]string{"tcp4": "127.0.0.1:1", "tcp6": "[::1]:1", "udp4": "127.0.0.1:1"}[network]); !errors.Is(err, syscall.EPERM) {
				t.Errorf("%s: %v", network, err)
			}
		}
		if _, err := net.Listen("tcp", "127.0.0.1:0"); !errors.Is(err, syscall.EPERM) {
			t.Errorf("listen: %v", err)
		}
		if _, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW, 0); !errors.Is(err, syscall.EPERM) {
			t.Errorf("netlink: %v", err)
		}
		path := filepath.Join(os.Getenv(child), "s")
		listener, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		if _, err := net.Dial("unix", path); err != nil {
			t.Error(err)
		}
		fmt.Println("was without network")
		return
	}
	command := exec.Command(os.Args[0], "-test.run", t.Name())
	command.Env = append(os.Environ(), child+"="+t.TempDir())
	out, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "was without network") {
		t.Errorf("%v: %s", err, out)
	}
}
