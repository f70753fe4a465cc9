package smt

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReplacesAFileAsAWhole(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	file := filepath.Join(folder, "kubelet.conf")
	s := System{}
	if err := s.Replace(file, []byte("a"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	// Left behind by a program that was killed.
	if err := os.WriteFile(filepath.Join(folder, ".kubelet.conf.numaspark"), []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Replace(file, []byte("b"), 0o640); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if content, err := s.Read(file, 1); err != nil || string(content) != "b" {
		t.Errorf("%s %v", content, err)
	}
	if _, err := s.Read(file, 0); err == nil {
		t.Error("more than the most is read")
	}
	if entries, err := s.List(folder); err != nil || !slices.Equal(entries, []Entry{{"kubelet.conf", false}}) {
		t.Errorf("%v %v", entries, err)
	}
	if entries, err := s.List(t.TempDir()); err != nil || len(entries) != 0 {
		t.Errorf("an empty folder: %v %v", entries, err)
	}
	if _, err := s.List(filepath.Join(folder, "none")); err == nil {
		t.Error("a folder that does not exist is listed")
	}
	for range 2 {
		if err := s.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Resolve(file); err == nil {
		t.Error("it is still there")
	}
	if err := s.CheckWritable(filepath.Join(folder, "none")); err == nil {
		t.Error("a folder that does not exist is writable")
	}
}

func TestReadsFilesOnly(t *testing.T) {
	if _, err := (System{}).Read(t.TempDir(), 10); err == nil {
		t.Error("a folder is read")
	}
	if _, err := (System{}).Read(filepath.Join(t.TempDir(), "none"), 10); !os.IsNotExist(err) {
		t.Errorf("%v is not %v", err, fs.ErrNotExist)
	}
}

func TestAsksTheKubelet(t *testing.T) {
	for answer, want := range map[string]string{
		"HTTP/1.0 200 OK\r\n\r\nok":         "",
		"HTTP/1.0 500 Error\r\n\r\nno":      "500 Error",
		"":                                  "EOF",
		strings.Repeat("x", 5000):           "EOF",
		"HTTP/1.1 401 Unauthorized\r\n\r\n": "401",
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			defer connection.Close()
			_, _ = connection.Read(make([]byte, 1024))
			fmt.Fprint(connection, answer)
		}()
		err = System{}.Healthy(listener.Addr().String())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", answer, err)
		}
		listener.Close()
	}
	if err := (System{}).Healthy("127.0.0.1:1"); err == nil {
		t.Error("nobody answers")
	}
}

func TestFindsProgramsOfTheNode(t *testing.T) {
	t.Setenv("PATH", "/opt/numaspark")
	if path, err := find("sh"); err != nil || !filepath.IsAbs(path) {
		t.Errorf("%s %v", path, err)
	}
	if _, err := find("no-such-program"); err == nil || !strings.Contains(err.Error(), "/usr/bin") {
		t.Error(err)
	}
}

func TestTellsSystemdThatItIsReady(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenPacket("unixgram", path)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := NotifyReady(func(string) string { return path }); err != nil {
		t.Fatal(err)
	}
	message := make([]byte, 64)
	n, _, err := socket.ReadFrom(message)
	if err != nil || string(message[:n]) != "READY=1" {
		t.Errorf("%q %v", message[:n], err)
	}
	if err := NotifyReady(func(string) string { return "" }); err != nil {
		t.Error(err)
	}
}

// The program may change a node. It has no API server's client, no TLS and no HTTP; the only other program that it starts is systemctl.
func TestTheProgramHasLittle(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "numaspark.io/agent/cmd/numaspark-smt").Output()
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"go.yaml.in/yaml/v3", "golang.org/x/sys/unix", "k8s.io/utils/cpuset", "numaspark.io/agent/cmd/numaspark-smt"}
	for _, name := range []string{"cpus", "logging", "smt", "text"} {
		allowed = append(allowed, "numaspark.io/agent/internal/"+name)
	}
	for _, dependency := range strings.Fields(string(out)) {
		if slices.Contains([]string{"net/http", "crypto/tls", "plugin"}, dependency) {
			t.Errorf("it depends on %s", dependency)
		}
		module, _, _ := strings.Cut(dependency, "/")
		if strings.Contains(module, ".") && !strings.HasPrefix(dependency, "vendor/") && !slices.Contains(allowed, dependency) {
			t.Errorf("it depends on %s, which is not listed", dependency)
		}
	}
}
